#pragma once

#include <burn/compiler/group.h>

#include <optional>

namespace burn::compiler {

/// Elements of the axes from `split` on.
std::int64_t length_from(const Shape& shape, std::size_t split);

/// Where a group's rows begin among its axes, so that each lies within one row of `length` elements of a tensor that has as many
/// elements as the group's space; none where they do not, or are too short to be work for a cube.
std::optional<std::size_t> split_within(const Group& group, std::int64_t length);

/// Whether a group draws random numbers: those of a row wait in an array.
bool draws_numbers(const Group& group, const Segment& segment);

}  // namespace burn::compiler
