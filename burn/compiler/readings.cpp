#include <burn/compiler/readings.h>

#include <burn/base/hash.h>
#include <burn/compiler/reduction.h>
#include <burn/ops/movement.h>
#include <burn/ops/pointwise.h>

#include <unordered_map>

namespace burn::compiler {

namespace {

/// Leading axes of size 1, up to this rank.
Shape padded(const Shape& shape, std::size_t rank) {
    Shape result = Dims::filled(rank, 1);
    for (std::size_t i = 0; i < shape.rank(); ++i) result[rank - shape.rank() + i] = shape[i];
    return result;
}

/// Finds operations that compute what an earlier one computes already.
class Repetitions {
public:
    explicit Repetitions(const Segment& segment) : segment_(segment) {}

    /// The earlier operation with the results of this one; else none, and it is remembered.
    std::optional<std::uint32_t> find(std::uint32_t index, const std::vector<std::vector<Reading>>& readings) {
        const SegmentOp& op = segment_.ops[index];
        if (!depends_on_operands_alone(op.op.code())) return std::nullopt;
        Hasher hasher;
        hasher.add(static_cast<std::uint64_t>(op.op.code()));
        for (const Reading& reading : readings[index]) hasher.add(reading.value);
        std::vector<std::uint32_t>& alike = by_hash_[hasher.value()];
        for (const std::uint32_t other : alike) {
            if (readings[other] == readings[index] && segment_.ops[other].op == op.op && same_specs(other, index))
                return other;
        }
        alike.push_back(index);
        return std::nullopt;
    }

private:
    /// Numbers that each run sets are equal in one run and not in the next.
    static bool depends_on_operands_alone(ops::OpCode code) {
        if (ops::is_pointwise(code)) return ops::pointwise_info(code).scalars == 0;
        return code == ops::OpCode::Cast || is_reduction(code);
    }

    /// Operands that are repeated differently may be read alike.
    bool same_specs(std::uint32_t a, std::uint32_t b) const {
        const SegmentOp &x = segment_.ops[a], &y = segment_.ops[b];
        for (std::size_t i = 0; i < x.inputs.size(); ++i) {
            if (segment_.values[x.inputs[i]].spec != segment_.values[y.inputs[i]].spec) return false;
        }
        return segment_.values[x.outputs[0]].spec == segment_.values[y.outputs[0]].spec;
    }

    const Segment& segment_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
};

std::size_t next_above_one(const Shape& shape, std::size_t axis) {
    while (axis < shape.rank() && shape[axis] == 1) ++axis;
    return axis;
}

}  // namespace

Readings find_readings(const Segment& segment) {
    std::vector<Reading> seen(segment.values.size());
    for (ValueId value = 0; value < seen.size(); ++value) seen[value] = {value, segment.values[value].spec.shape};
    Readings result{std::vector<std::vector<Reading>>(segment.ops.size()), {}};
    std::vector<std::vector<Reading>>& readings = result.by_op;
    for (ValueId value = 0; value < seen.size(); ++value) result.first.push_back(value);
    Repetitions repetitions(segment);
    for (std::uint32_t index = 0; index < segment.ops.size(); ++index) {
        const SegmentOp& op = segment.ops[index];
        for (const ValueId input : op.inputs) readings[index].push_back(seen[input]);
        const ops::OpCode code = op.op.code();
        if (const auto earlier = repetitions.find(index, readings)) {
            const ValueId first = segment.ops[*earlier].outputs[0];
            result.first[op.outputs[0]] = first;
            seen[op.outputs[0]] = seen[first];
        }
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
    return result;
}

bool moves_only_ones(const Shape& shape, const Dims& axes) {
    std::int64_t before = -1;
    for (const std::int64_t axis : axes) {
        if (shape[static_cast<std::size_t>(axis)] == 1) continue;
        if (axis < before) return false;
        before = axis;
    }
    return true;
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
