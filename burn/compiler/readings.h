#pragma once

#include <burn/compiler/segment.h>

#include <optional>
#include <vector>

namespace burn::compiler {

/// What an operation reads: the elements of a value in row-major order, under a shape that broadcasts to the operand's.
struct Reading {
    ValueId value = 0;
    Shape shape;

    bool operator==(const Reading&) const = default;
};

/// What all operations of a segment read.
struct Readings {
    /// The operands of every operation, by operation: seen through the views that a kernel need not be told of, which are
    /// reshapes and repeated axes. What is computed twice is read where it is computed first.
    std::vector<std::vector<Reading>> by_op;
    /// By value: the first one that is computed in the same way.
    std::vector<ValueId> first;
};
Readings find_readings(const Segment& segment);

/// Whether elements can be read under this shape where they lie. Those of values that a segment makes can: they lie without
/// gaps, or are copied once.
bool can_be_read_as(const Layout& layout, const Shape& shape);
bool can_be_read_as(const SegmentValue& value, const Shape& shape);

/// Whether a permutation of a shape keeps the order of its axes above 1, so that its elements stay where they are.
bool moves_only_ones(const Shape& shape, const Dims& axes);

/// Whether two shapes differ in nothing but axes of size 1.
bool same_but_ones(const Shape& a, const Shape& b);

/// A shape that broadcasts to `from`, as it must be when the same elements in order are computed as `to`; none where a
/// broadcast cannot be said in that space.
std::optional<Shape> recast(const Shape& shape, const Shape& from, const Shape& to);

/// The axis of `to` at which as many elements of an axis are passed as at axis `split` of `from`; the shapes are the same but
/// for ones. An axis of 1 before a split belongs to what follows.
std::size_t recast_split(std::size_t split, const Shape& from, const Shape& to);
/// The split with which all that mean the same are written.
std::size_t canonical_split(std::size_t split, const Shape& shape);

}  // namespace burn::compiler
