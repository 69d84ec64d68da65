#pragma once

#include <burn/core/layout.h>

#include <span>
#include <vector>

namespace burn::compiler {

/// The axes of a group's space, joined where every tensor steps evenly, with each tensor's strides.
struct Space {
    std::vector<std::int64_t> sizes;  ///< outer axes, then the inner ones, at least one; the last is walked
    std::vector<std::vector<std::int64_t>> strides;  ///< by tensor, then axis; 0 where it is repeated
    std::size_t outer = 0;                           ///< how many axes are outer ones

    std::size_t last() const { return sizes.size() - 1; }
    /// The last axis, which kernels walk in vectors.
    std::int64_t columns() const { return sizes.back(); }
    /// The outer axes together.
    std::int64_t rows() const;
    /// The inner axes but the last together: how often the columns are walked in a row.
    std::int64_t lines() const;
};

/// The strides of a layout over a shape that it broadcasts to.
std::vector<std::int64_t> broadcast_strides(const Layout& layout, const Shape& shape);

/// Joins the axes of `shape`, where `strides` holds those of each tensor.
///
/// The axes before `split` are outer ones, and never joined with those from it on; when `split` is the rank, all but the last
/// after joining are.
Space join_axes(const Shape& shape, const std::vector<std::vector<std::int64_t>>& strides, std::size_t split);

}  // namespace burn::compiler
