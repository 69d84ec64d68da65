#pragma once

#include <burn/kernel/kernel.h>

#include <cstddef>
#include <span>

namespace burn::kernel {

/// The elements that a launch gives for a Buffer parameter.
struct BufferElements {
    std::byte* data = nullptr;
    std::int64_t count = 0;  ///< elements, not bytes
};

/// Runs cubes `cube_begin` to `cube_end` - 1 of a verified kernel: slow and simple, the executable definition of the language.
///
/// `buffers` and `scalars` (as `element_bits`) stand in the order of the kernel's Buffer and Scalar parameters. Units of a
/// cube run one after the other up to the next Sync node; lanes in their order, so of two lanes that store to one element
/// the later stays. Arrays of cube and unit start with all bits set.
///
/// Numerics  that of `evaluate`
/// Errors    ArgumentError when buffers or scalars are not as many as the parameters; naming kernel and node: IndexError for an
///           access outside a buffer or array or a unit outside its plane, ArgumentError for a loop's step <= 0, a
///           shift's amount outside the width, and for an element of a shared array that one unit writes and another
///           touches with no barrier in between
void interpret(const Kernel& kernel, std::span<const BufferElements> buffers, std::span<const std::uint64_t> scalars,
               std::int64_t cube_begin, std::int64_t cube_end);

}  // namespace burn::kernel
