#pragma once

#include <burn/backends/ndarray/args.h>

namespace burn::ndarray {

/// Part of a block of memory, seen through a layout.
struct View {
    std::byte* data;
    Layout layout;
};

/// The whole of a tensor.
inline View view_of(const NdTensor& tensor) { return {tensor.block()->data(), tensor.layout()}; }

/// Indices as i64, every one of them within the axis it is for.
struct Places {
    View view;
    ops::Handle owner;  ///< of a converted copy; empty when the view is the operand itself
};

/// Operand `i` as indices along `axis` of operand 0.
///
/// Errors    IndexError when one is outside; `op` names the operation
Places load_places(const Args& args, std::size_t i, std::size_t axis, const char* op);

/// Operand `i` as indices along the leading axes of operand 0, one row [.., k] of them a place: the places as numbers of
/// elements from the start, for a tensor of that shape with these strides.
///
/// Shapes    [.., k] -> [number of rows]
/// Errors    IndexError when one is outside; `op` names the operation
Places load_blocks(const Args& args, std::size_t i, const Dims& strides, const char* op);

}  // namespace burn::ndarray
