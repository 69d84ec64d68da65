#include <burn/compiler/fusable.h>

#include <burn/ops/pointwise.h>
#include <burn/ops/reduce.h>
#include <burn/ops/softmax.h>

namespace burn::compiler {

namespace {

/// A row should fill vectors, and there should be a row for every thread unless the whole is small.
constexpr std::int64_t kFewRows = 16;
constexpr std::int64_t kSmallWhole = 1 << 15;

/// Whether reducing this axis of `shape` row by row is a good plan.
bool reduces_well(const Shape& shape, std::int64_t axis) {
    if (static_cast<std::size_t>(axis) + 1 != shape.rank()) return false;
    const std::int64_t columns = shape.back(), elements = shape.numel();
    if (columns < 2 || elements == 0) return false;
    return elements / columns >= kFewRows || elements <= kSmallWhole;
}

}  // namespace

Role role_of(const Segment& segment, const SegmentOp& op) {
    using ops::OpCode;
    const OpCode code = op.op.code();
    if (ops::is_pointwise(code) || code == OpCode::Cast || code == OpCode::Full) return Role::Pointwise;
    switch (code) {
        case OpCode::Sum:
        case OpCode::Mean:
        case OpCode::Prod:
        case OpCode::Max:
        case OpCode::Min:
        case OpCode::Any:
        case OpCode::All: {
            // All of them have the same attributes.
            const auto& reduced = *static_cast<const ops::ReducedAxes*>(op.op.attributes());
            const Shape& shape = segment.values[op.inputs[0]].spec.shape;
            const bool fits = reduced.axes.size() == 1 && reduces_well(shape, reduced.axes[0]);
            return fits ? Role::Reduce : Role::Opaque;
        }
        default: return op.op.info().kind == ops::OpKind::View ? Role::View : Role::Opaque;
    }
}

ReduceRule reduce_rule(ops::OpCode code) {
    using kernel::Reduction;
    switch (code) {
        case ops::OpCode::Mean: return {Reduction::Sum, true};
        case ops::OpCode::Prod: return {Reduction::Prod};
        case ops::OpCode::Max: return {Reduction::Max};
        case ops::OpCode::Min: return {Reduction::Min};
        case ops::OpCode::Any: return {Reduction::Or};
        case ops::OpCode::All: return {Reduction::And};
        default: return {Reduction::Sum};
    }
}

bool fuses_decomposed(const ops::AnyOp& op, const ops::HandleList& inputs) {
    switch (op.code()) {
        case ops::OpCode::Softmax: return reduces_well(inputs[0].shape(), op.as<ops::Softmax>().axis);
        case ops::OpCode::SoftmaxGrad: return reduces_well(inputs[0].shape(), op.as<ops::SoftmaxGrad>().axis);
        case ops::OpCode::LogSoftmax: return reduces_well(inputs[0].shape(), op.as<ops::LogSoftmax>().axis);
        case ops::OpCode::LogSoftmaxGrad: return reduces_well(inputs[0].shape(), op.as<ops::LogSoftmaxGrad>().axis);
        case ops::OpCode::LayerNorm: {
            const Shape& shape = inputs[0].shape();
            return reduces_well(shape, static_cast<std::int64_t>(shape.rank()) - 1);
        }
        case ops::OpCode::Var: {
            const Dims& axes = op.as<ops::Var>().axes;
            return axes.size() == 1 && reduces_well(inputs[0].shape(), axes[0]);
        }
        case ops::OpCode::BatchNorm:
        case ops::OpCode::AdamStep: return true;
        default: return false;
    }
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
