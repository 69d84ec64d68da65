#include <burn/compiler/rows_within.h>

#include <algorithm>

namespace burn::compiler {

namespace {

/// Elements of a row that are worth a cube of their own.
constexpr std::int64_t kShortestRow = 16;

}  // namespace

std::int64_t length_from(const Shape& shape, std::size_t split) {
    std::int64_t length = 1;
    for (std::size_t axis = split; axis < shape.rank(); ++axis) length *= shape[axis];
    return length;
}

std::optional<std::size_t> split_within(const Group& group, std::int64_t length) {
    std::size_t split = group.split;
    if (!group.rows) {
        split = group.space.rank();
        while (split > 0 && length_from(group.space, split) < length) --split;
        if (length_from(group.space, split) != length) return std::nullopt;
    }
    const std::int64_t row = length_from(group.space, split);
    if (row < kShortestRow || length % row != 0) return std::nullopt;
    return split;
}

bool draws_numbers(const Group& group, const Segment& segment) {
    return std::any_of(group.ops.begin(), group.ops.end(),
                       [&](std::uint32_t op) { return segment.ops[op].op.code() == ops::OpCode::Random; });
}

}  // namespace burn::compiler
