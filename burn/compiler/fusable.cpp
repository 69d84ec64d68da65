#include <burn/compiler/fusable.h>

#include <burn/compiler/random_words.h>
#include <burn/compiler/readings.h>
#include <burn/compiler/reduction.h>
#include <burn/ops/cast.h>
#include <burn/ops/indexing.h>
#include <burn/ops/pointwise.h>
#include <burn/ops/reduce.h>
#include <burn/ops/softmax.h>

#include <optional>
#include <utility>

namespace burn::compiler {

namespace {

/// There should be a row for every thread, unless the whole is small.
constexpr std::int64_t kFewRows = 16;
/// Fewer do not fill a vector.
constexpr std::int64_t kFewColumns = 16;
constexpr std::int64_t kSmallWhole = 1 << 15;

/// Whether reducing the axes from `split` on row by row is a good plan.
bool rows_are_good(const Shape& shape, std::size_t split) {
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis < split; ++axis) rows *= shape[axis];
    return rows >= kFewRows || shape.numel() <= kSmallWhole;
}

/// Whether there is a cube for every thread where each sums the columns of one element of the axes before `kept`.
bool columns_are_good(const Shape& shape, const ReducedPart& reduced) {
    std::int64_t cubes = 1, columns = 1;
    for (std::size_t axis = 0; axis < reduced.kept; ++axis) cubes *= shape[axis];
    for (std::size_t axis = reduced.split; axis < shape.rank(); ++axis) columns *= shape[axis];
    return cubes == 1 || (cubes >= kFewRows && columns >= kFewColumns) || shape.numel() <= kSmallWhole;
}

/// Why a reduction is no good kernel. `in_rows`: it can only walk rows, as places of extrema and what needs the result again do.
Reason why_not_reduced(const Shape& shape, const ReducedPart& reduced, bool in_rows) {
    switch (reduced.part) {
        case Part::Other: break;
        case Part::Rows: return rows_are_good(shape, reduced.split) ? Reason::None : Reason::FewRows;
        case Part::Columns:
            if (in_rows) return Reason::PlaceOfColumns;
            return columns_are_good(shape, reduced) ? Reason::None : Reason::FewColumns;
        case Part::Whole: return !in_rows || is_small_whole(shape) ? Reason::None : Reason::FewRows;
    }
    return Reason::Axes;
}

/// Whether an operation that reduces these axes, and needs the result at every element of them, is a good kernel.
bool reduces_well(const Shape& shape, const Dims& axes) {
    return why_not_reduced(shape, reduced_part(shape, axes), true) == Reason::None;
}

}  // namespace

bool is_small_whole(const Shape& shape) { return shape.numel() <= kSmallWhole; }

ReducedPart reduced_part(const Shape& shape, const Dims& axes) {
    if (shape.numel() == 0) return {};
    bool reduces_first = false, reduces_any = false, keeps_any = false;
    std::size_t changes = 0, kept = 0, split = 0;
    bool before = false;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] == 1) continue;
        const bool reduces = axes.contains(static_cast<std::int64_t>(axis));
        if (!reduces_any && !keeps_any) {
            reduces_first = reduces;
        } else if (reduces != before) {
            ++changes;
            kept = std::exchange(split, axis);
        }
        before = reduces;
        (reduces ? reduces_any : keeps_any) = true;
    }
    if (!reduces_any || changes > 2 || (changes == 2 && reduces_first)) return {};
    if (!keeps_any) return {Part::Whole};
    if (!reduces_first && changes == 1) return {Part::Rows, canonical_split(split, shape)};
    return {Part::Columns, canonical_split(split, shape), canonical_split(kept, shape)};
}

ReducedPart reduced_part(const Segment& segment, const SegmentOp& op) {
    return reduced_part(segment.values[op.inputs[0]].spec.shape, reduced_axes(op.op));
}

namespace {

std::int64_t indexed_axis(const SegmentOp& op) {
    return op.op.code() == ops::OpCode::Gather ? op.op.as<ops::Gather>().axis : op.op.as<ops::Scatter>().axis;
}

/// Whether gather or scatter names one element of every row, which its axis is.
bool indexes_rows(const Segment& segment, const SegmentOp& op) {
    const Shape& shape = segment.values[op.inputs[0]].spec.shape;
    const auto axis = static_cast<std::size_t>(indexed_axis(op));
    if (shape.numel() == 0 || shape[axis] < 2) return false;
    Shape one_a_row = shape;
    one_a_row[axis] = 1;
    for (std::size_t after = axis + 1; after < shape.rank(); ++after) {
        if (shape[after] != 1) return false;
    }
    return segment.values[op.inputs[1]].spec.shape == one_a_row && rows_are_good(shape, axis);
}

/// The axes that a composite operation which kernels compute over rows reduces, -1 being the last; none for other operations.
std::optional<Dims> axes_of_rows(const ops::AnyOp& op) {
    using ops::OpCode;
    switch (op.code()) {
        case OpCode::Softmax: return Dims{op.as<ops::Softmax>().axis};
        case OpCode::SoftmaxGrad: return Dims{op.as<ops::SoftmaxGrad>().axis};
        case OpCode::LogSoftmax: return Dims{op.as<ops::LogSoftmax>().axis};
        case OpCode::LogSoftmaxGrad: return Dims{op.as<ops::LogSoftmaxGrad>().axis};
        case OpCode::CrossEntropy:
        case OpCode::CrossEntropyGrad:
        case OpCode::LayerNorm:
        case OpCode::LayerNormGrad: return Dims{-1};
        case OpCode::Var: return op.as<ops::Var>().axes;
        default: return std::nullopt;
    }
}

}  // namespace

std::size_t indexed_split(const Segment& segment, const SegmentOp& op) {
    return canonical_split(static_cast<std::size_t>(indexed_axis(op)), segment.values[op.inputs[0]].spec.shape);
}

RoleFound find_role(const Segment& segment, const SegmentOp& op) {
    using ops::OpCode;
    const OpCode code = op.op.code();
    const auto unless = [](Reason reason, Role role) {
        return reason == Reason::None ? RoleFound{role} : RoleFound{Role::Opaque, reason};
    };
    if (ops::is_pointwise(code) || code == OpCode::Cast || code == OpCode::Full) return {Role::Pointwise};
    if (code == OpCode::Random)
        return unless(draws_in_kernels(op.op.as<ops::Random>()) ? Reason::None : Reason::Drawn, Role::Pointwise);
    if (is_reduction(code)) {
        const Shape& shape = segment.values[op.inputs[0]].spec.shape;
        return unless(why_not_reduced(shape, reduced_part(segment, op), reduce_rule(code).place), Role::Reduce);
    }
    if (code == OpCode::Gather || code == OpCode::Scatter) {
        return unless(indexes_rows(segment, op) ? Reason::None : Reason::Index,
                      code == OpCode::Gather ? Role::Pick : Role::Place);
    }
    if (op.op.info().kind == ops::OpKind::View) return {Role::View, Reason::View};
    if (op.op.op_class().custom != nullptr) return {Role::Opaque, Reason::OwnKernel};
    return {Role::Opaque, axes_of_rows(op.op) ? Reason::NoRows : Reason::NoKernel};
}

namespace {

/// The axes that a reduction reduces before and after those that it keeps.
struct Ends {
    Dims first, last;
};

/// None where it does not reduce on both sides of the one run of axes that it keeps, or where its rows are not a good plan.
std::optional<Ends> ends_of(const Shape& shape, const Dims& axes) {
    Ends ends;
    bool kept = false;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        const auto number = static_cast<std::int64_t>(axis);
        if (axes.contains(number)) {
            (kept ? ends.last : ends.first).push_back(number);
        } else if (shape[axis] != 1) {
            kept = true;
        }
    }
    const ReducedPart first = reduced_part(shape, ends.first);
    if (first.part != Part::Columns || first.kept > 0 || !reduces_well(shape, ends.last)) return std::nullopt;
    return ends;
}

}  // namespace

bool fuses_decomposed(const ops::AnyOp& op, const ops::HandleList& inputs) {
    if (std::optional<Dims> axes = axes_of_rows(op)) {
        const Shape& shape = inputs[0].shape();
        for (std::int64_t& axis : *axes) axis += axis < 0 ? static_cast<std::int64_t>(shape.rank()) : 0;
        const bool sums_columns = op.code() == ops::OpCode::LayerNormGrad;
        return reduces_well(shape, *axes) && (!sums_columns || shape.back() <= kLongestSummedRow);
    }
    switch (op.code()) {
        case ops::OpCode::Mean:
            // The sum of integers may need more bits than they have.
            return is_int(inputs[0].dtype()) || ends_of(inputs[0].shape(), op.as<ops::Mean>().axes).has_value();
        case ops::OpCode::BatchNorm:
        case ops::OpCode::AdamStep: return true;
        default: return false;
    }
}

namespace {

template <class Op>
ops::AnyOp reduction_over(const Dims& axes) {
    Op op;
    op.axes = axes;
    return op;
}

/// The reduction with this code; none for those that cannot be made in two steps.
std::optional<ops::AnyOp> reduction_over(ops::OpCode code, const Dims& axes) {
    switch (code) {
        case ops::OpCode::Sum: return reduction_over<ops::Sum>(axes);
        case ops::OpCode::Prod: return reduction_over<ops::Prod>(axes);
        case ops::OpCode::Max: return reduction_over<ops::Max>(axes);
        case ops::OpCode::Min: return reduction_over<ops::Min>(axes);
        case ops::OpCode::Any: return reduction_over<ops::Any>(axes);
        case ops::OpCode::All: return reduction_over<ops::All>(axes);
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<std::pair<ops::AnyOp, ops::AnyOp>> split_reduction(const ops::AnyOp& op, const ops::HandleList& inputs) {
    if (!is_reduction(op.code()) || ops::accumulator_of(inputs[0].dtype()) != inputs[0].dtype()) return std::nullopt;
    const std::optional<Ends> ends = ends_of(inputs[0].shape(), reduced_axes(op));
    if (!ends) return std::nullopt;
    const std::optional<ops::AnyOp> last = reduction_over(op.code(), ends->last),
                                    first = reduction_over(op.code(), ends->first);
    if (!last || !first) return std::nullopt;
    return std::pair(*last, *first);
}

bool is_expensive(ops::OpCode code) {
    using ops::OpCode;
    if (!ops::is_pointwise(code)) return false;
    if (ops::pointwise_info(code).types == ops::Types::Float) return true;  // exp, tanh, ...
    switch (code) {
        case OpCode::div:
        case OpCode::div_scalar:
        case OpCode::div_into_scalar:
        case OpCode::remainder:
        case OpCode::remainder_scalar:
        case OpCode::powi:
        case OpCode::powi_scalar: return true;
        default: return false;
    }
}

}  // namespace burn::compiler
