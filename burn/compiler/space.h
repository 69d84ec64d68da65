#pragma once

#include <burn/core/layout.h>

#include <span>
#include <vector>

namespace burn::compiler {

/// The axes of a group's space, joined where every tensor steps evenly, with each tensor's strides.
struct Space {
    std::vector<std::int64_t> sizes;                 ///< outer axes, then the inner one; never empty
    std::vector<std::vector<std::int64_t>> strides;  ///< by tensor, then axis; 0 where it is repeated

    std::size_t outer() const { return sizes.size() - 1; }
    std::int64_t inner_size() const { return sizes.back(); }
    std::int64_t rows() const;
};

/// The strides of a layout over a shape that it broadcasts to.
std::vector<std::int64_t> broadcast_strides(const Layout& layout, const Shape& shape);

/// Joins the axes of `shape`, where `strides` holds those of each tensor.
///
/// `keep_last`: the last axis stays the inner one, alone.
Space join_axes(const Shape& shape, std::vector<std::vector<std::int64_t>> strides, bool keep_last);

}  // namespace burn::compiler
