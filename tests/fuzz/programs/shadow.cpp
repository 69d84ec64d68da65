#include "tests/fuzz/programs/shadow.h"

#include <burn/core/tensor_data.h>
#include <burn/ops/all_ops.h>
#include <burn/ops/pointwise.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace burn::fuzz {

namespace {

class ShadowTensor final : public ops::EngineTensor {
public:
    ShadowTensor(ops::Engine& engine, const TensorSpec& spec, ShadowEngine::Runs runs)
        : EngineTensor(engine, spec), runs(std::move(runs)) {}

    static const ShadowTensor& of(const ops::Handle& handle) { return *static_cast<ShadowTensor*>(handle.get()); }

    const ShadowEngine::Runs runs;
};

DType inner_dtype(DType dtype) { return is_float(dtype) ? DType::F64 : dtype; }

/// The operation with f64 in place of floating types among its attributes.
ops::AnyOp widened(const ops::AnyOp& op) {
    switch (op.code()) {
        case ops::OpCode::Full: {
            ops::Full full = op.as<ops::Full>();
            full.dtype = inner_dtype(full.dtype);
            return full;
        }
        case ops::OpCode::Arange: {
            ops::Arange arange = op.as<ops::Arange>();
            arange.dtype = inner_dtype(arange.dtype);
            return arange;
        }
        case ops::OpCode::Cast: {
            ops::Cast cast = op.as<ops::Cast>();
            cast.dtype = inner_dtype(cast.dtype);
            return cast;
        }
        default: return op;
    }
}

/// How many numbers the operation adds up for one element of its result; 0 where it does not add.
std::int64_t terms(const ops::AnyOp& op, const TensorSpec& operand, const TensorSpec& result) {
    if (op.code() == ops::OpCode::CumSum) return operand.shape[static_cast<std::size_t>(op.as<ops::CumSum>().axis)];
    if (op.code() == ops::OpCode::MatMul) return operand.shape.back();
    if (op.code() != ops::OpCode::Sum) return 0;
    return operand.shape.numel() / std::max<std::int64_t>(1, result.shape.numel());
}

/// How many numbers a scatter that adds puts on one place at most: one after the other, each with its rounding.
std::int64_t most_on_a_place(const ops::AnyOp& op, const TensorData& at) {
    if (op.code() == ops::OpCode::ScatterNd)
        return at.numel() / std::max<std::int64_t>(1, at.shape().back());  // at most
    std::int64_t size = at.numel(), inner = 1;
    if (op.code() == ops::OpCode::Scatter) {
        const auto axis = static_cast<std::size_t>(op.as<ops::Scatter>().axis);
        size = at.shape()[axis];
        for (std::size_t i = axis + 1; i < at.shape().rank(); ++i) inner *= at.shape()[i];
    }
    std::int64_t most = 0;
    for (std::int64_t row = 0; size > 0 && row < at.numel() / size; ++row) {
        std::map<double, std::int64_t> times;
        for (std::int64_t i = 0; i < size; ++i)
            most = std::max(most, ++times[at.at((row / inner * size + i) * inner + row % inner)]);
    }
    return most;
}

/// The operand whose elements are put on places of others by adding, or none.
std::optional<std::size_t> added_operand(const ops::AnyOp& op) {
    switch (op.code()) {
        case ops::OpCode::Scatter:
        case ops::OpCode::SelectAssign:
        case ops::OpCode::ScatterNd: return moves_only(op) ? std::nullopt : std::optional<std::size_t>(2);
        default: return std::nullopt;
    }
}

}  // namespace

double unit_roundoff(DType dtype) {
    switch (dtype) {
        case DType::F64: return 0x1p-53;
        case DType::F16: return 0x1p-11;
        case DType::BF16: return 0x1p-8;
        default: return 0x1p-24;
    }
}

double disturbance(DType dtype) { return dtype == DType::F16 || dtype == DType::BF16 ? 4 : 32; }

bool moves_only(const ops::AnyOp& op) {
    using ops::OpCode;
    switch (op.code()) {
        case OpCode::neg:
        case OpCode::abs:
        case OpCode::sign:
        case OpCode::max_pair:
        case OpCode::min_pair:
        case OpCode::clamp:
        case OpCode::clamp_min:
        case OpCode::clamp_max:
        case OpCode::where:
        case OpCode::mask_fill:
        case OpCode::relu:
        case OpCode::floor:
        case OpCode::ceil:
        case OpCode::trunc:
        case OpCode::round:
        case OpCode::Cat:
        case OpCode::Gather:
        case OpCode::Select:
        case OpCode::GatherNd:
        case OpCode::SliceAssign:
        case OpCode::Sort:
        case OpCode::CumMax:
        case OpCode::CumMin:
        case OpCode::Max:
        case OpCode::Min:
        case OpCode::MaxPool:
        case OpCode::MaxPoolWithIndices:
        case OpCode::Full:
        case OpCode::Arange:
        case OpCode::Random: return true;
        case OpCode::Scatter: return op.as<ops::Scatter>().update != ops::IndexingUpdate::Add;
        case OpCode::SelectAssign: return op.as<ops::SelectAssign>().update != ops::IndexingUpdate::Add;
        case OpCode::ScatterNd: {
            const ops::IndexingUpdate update = op.as<ops::ScatterNd>().update;
            return update != ops::IndexingUpdate::Add && update != ops::IndexingUpdate::Mul;
        }
        default: return op.info().kind == ops::OpKind::View;
    }
}

ops::Handle ShadowEngine::wrap(const TensorSpec& spec, Runs runs) {
    return ops::Handle(make_ref<ShadowTensor>(*this, spec, std::move(runs)));
}

ops::Handle ShadowEngine::upload(TensorData data) {
    const TensorSpec spec = data.spec();
    Runs runs;
    runs.fill(plain_.upload(data.dtype() == inner_dtype(data.dtype()) ? data : data.convert(DType::F64)));
    return wrap(spec, std::move(runs));
}

TensorData ShadowEngine::read_run(const ops::Handle& tensor, std::size_t run) {
    return plain_.read(ShadowTensor::of(tensor).runs[run]).wait();
}

Pending<TensorData> ShadowEngine::read(ops::Handle tensor) { return read_run(tensor, 0).convert(tensor.dtype()); }

void ShadowEngine::disturb(Runs& runs, DType dtype, std::int64_t terms) {
    const double relative = disturbance(dtype) * unit_roundoff(dtype);
    // Below the normal range roundings have a fixed size.
    const double absolute = disturbance(dtype) * (dtype == DType::F16   ? 0x1p-24
                                                  : dtype == DType::F64 ? 0x1p-1074
                                                                        : 0x1p-149);
    // Roundings of a sum in a row may all go the same way, which is another one for each sum; half types are added in f32.
    const double farthest = 1.5 * static_cast<double>(terms) * unit_roundoff(ops::accumulator_of(dtype));
    std::array<TensorData, kRuns> data;
    for (std::size_t run = 1; run < kRuns; ++run) data[run] = plain_.read(runs[run]).wait();
    const auto count = static_cast<std::size_t>(data[1].numel());
    const bool one_sign = (state_ >> 39 & 1) != 0;
    for (std::size_t pair = 1; pair < kRuns; pair += 2) {
        const auto plus = data[pair].mutable_values<double>(), minus = data[pair + 1].mutable_values<double>();
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        const double one_way = (state_ >> 39 & 1) != 0 ? farthest : -farthest;
        for (std::size_t i = 0; i < count; ++i) {
            state_ = state_ * 6364136223846793005u + 1442695040888963407u;
            const double size = 0.5 + 0.5 * static_cast<double>(state_ >> 40) * 0x1p-24;
            const bool up = pair == 1 ? one_sign : (state_ >> 39 & 1) != 0;
            const double by = up ? size : -size;
            plus[i] += by * (relative * plus[i] + absolute) + one_way * std::abs(plus[i]);
            minus[i] -= by * (relative * minus[i] + absolute) + one_way * std::abs(minus[i]);
        }
    }
    for (std::size_t run = 1; run < kRuns; ++run) runs[run] = plain_.upload(std::move(data[run]));
}

ops::HandleList ShadowEngine::execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) {
    if (op.code() == ops::OpCode::Random) {  // the stream depends on the type
        return ops::list_of(upload(plain_.read(ops::apply_on(plain_, op, {})[0]).wait()));
    }
    if (op.code() == ops::OpCode::tanhshrink) {  // rounds in between, to what is large beside its result
        ops::Handle tanh = ops::apply_on(*this, ops::PointwiseOp<ops::OpCode::tanh>{}, ops::list_of(inputs[0]))[0];
        return ops::apply_on(*this, ops::PointwiseOp<ops::OpCode::sub>{},
                             ops::list_of(std::move(inputs[0]), std::move(tanh)));
    }
    const bool exact = moves_only(op);
    if (op.op_class().decompose != nullptr && !exact) return ops::decompose_on(*this, op, std::move(inputs));
    // Sums and products of many elements round in between; single steps only at the end.
    const bool rounds_inside =
        !exact && (op.info().kind == ops::OpKind::Reduce || op.info().kind == ops::OpKind::Contract);
    const std::int64_t added = rounds_inside ? terms(op, inputs[0].spec(), results[0]) : 0;
    const ops::AnyOp inner = widened(op);
    SmallVector<Runs, 4> operands;
    for (const ops::Handle& input : inputs) {
        operands.push_back(ShadowTensor::of(input).runs);
        // One operand has what the sum rounds: two could undo each other's.
        const bool first = operands.size() == 1;
        if (rounds_inside && is_float(input.dtype())) disturb(operands.back(), input.dtype(), first ? added : 0);
        if (added_operand(op) == operands.size() - 1 && is_float(input.dtype())) {
            const TensorData at = plain_.read(ShadowTensor::of(inputs[1]).runs[0]).wait();
            disturb(operands.back(), input.dtype(), most_on_a_place(op, at));
        }
    }
    SmallVector<Runs, 3> outputs(results.size());
    for (std::size_t run = 0; run < kRuns; ++run) {
        ops::HandleList list;
        for (const Runs& operand : operands) list.push_back(operand[run]);
        if (op.code() == ops::OpCode::Cast && list[0].dtype() == inner.as<ops::Cast>().dtype) {
            outputs[0][run] = list[0];
            continue;
        }
        ops::HandleList made = ops::apply_on(plain_, inner, std::move(list));
        for (std::size_t i = 0; i < results.size(); ++i) outputs[i][run] = std::move(made[i]);
    }
    ops::HandleList handles;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!exact && is_float(results[i].dtype)) disturb(outputs[i], results[i].dtype, 0);
        handles.push_back(wrap(results[i], std::move(outputs[i])));
    }
    return handles;
}

}  // namespace burn::fuzz
