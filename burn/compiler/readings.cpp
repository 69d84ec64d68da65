#include <burn/compiler/readings.h>

#include <burn/ops/movement.h>

namespace burn::compiler {

namespace {

/// Leading axes of size 1, up to this rank.
Shape padded(const Shape& shape, std::size_t rank) {
    Shape result = Dims::filled(rank, 1);
    for (std::size_t i = 0; i < shape.rank(); ++i) result[rank - shape.rank() + i] = shape[i];
    return result;
}

/// Whether the axes above 1 keep their order.
bool moves_only_ones(const Shape& shape, const Dims& axes) {
    std::int64_t before = -1;
    for (const std::int64_t axis : axes) {
        if (shape[static_cast<std::size_t>(axis)] == 1) continue;
        if (axis < before) return false;
        before = axis;
    }
    return true;
}

std::size_t next_above_one(const Shape& shape, std::size_t axis) {
    while (axis < shape.rank() && shape[axis] == 1) ++axis;
    return axis;
}

}  // namespace

std::vector<std::vector<Reading>> find_readings(const Segment& segment) {
    std::vector<Reading> seen(segment.values.size());
    for (ValueId value = 0; value < seen.size(); ++value) seen[value] = {value, segment.values[value].spec.shape};
    std::vector<std::vector<Reading>> readings(segment.ops.size());
    for (std::size_t index = 0; index < segment.ops.size(); ++index) {
        const SegmentOp& op = segment.ops[index];
        for (const ValueId input : op.inputs) readings[index].push_back(seen[input]);
        const ops::OpCode code = op.op.code();
        if (op.op.info().kind != ops::OpKind::View) continue;
        const Shape& from = segment.values[op.inputs[0]].spec.shape;
        const bool keeps_order = code == ops::OpCode::Permute && moves_only_ones(from, op.op.as<ops::Permute>().axes);
        if (code != ops::OpCode::Reshape && code != ops::OpCode::Expand && !keeps_order) continue;
        const Shape& to = segment.values[op.outputs[0]].spec.shape;
        const Reading& operand = readings[index][0];
        std::optional<Shape> shape;
        if (code == ops::OpCode::Expand) {
            shape = padded(operand.shape, to.rank());
        } else if (operand.shape == from) {
            shape = to;
        } else {
            shape = recast(operand.shape, from, to);
        }
        if (shape && can_be_read_as(segment.values[operand.value], *shape))
            seen[op.outputs[0]] = {operand.value, *shape};
    }
    return readings;
}

bool can_be_read_as(const Layout& layout, const Shape& shape) {
    Layout result;
    return layout.reshape(shape, result);
}

bool can_be_read_as(const SegmentValue& value, const Shape& shape) {
    return !value.external || can_be_read_as(value.layout, shape);
}

bool same_but_ones(const Shape& a, const Shape& b) {
    std::size_t i = next_above_one(a, 0), j = next_above_one(b, 0);
    while (i < a.rank() && j < b.rank() && a[i] == b[j]) {
        i = next_above_one(a, i + 1);
        j = next_above_one(b, j + 1);
    }
    return i == a.rank() && j == b.rank();
}

std::optional<Shape> recast(const Shape& shape, const Shape& from, const Shape& to) {
    if (shape == from) return to;
    Shape result = Dims::filled(to.rank(), 1);
    if (shape.numel() == 1) return result;
    if (!same_but_ones(from, to) || shape.rank() != from.rank()) return std::nullopt;
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < from.rank(); ++axis) {
        if (from[axis] == 1) continue;
        place = next_above_one(to, place);
        result[place++] = shape[axis];
    }
    return result;
}

std::size_t recast_split(std::size_t split, const Shape& from, const Shape& to) {
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < split; ++axis) {
        if (from[axis] != 1) place = next_above_one(to, place) + 1;
    }
    return place;
}

std::size_t canonical_split(std::size_t split, const Shape& shape) {
    while (split > 0 && shape[split - 1] == 1) --split;
    return split;
}

}  // namespace burn::compiler
