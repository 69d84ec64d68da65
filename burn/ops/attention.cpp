#include <burn/ops/attention.h>

#include <burn/ops/cast.h>
#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/masks.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/num.h>
#include <burn/ops/reduce.h>

#include <limits>

namespace burn::ops {

BURN_DEFINE_OP(Attention)
BURN_DEFINE_OP(AttentionGrad)
BURN_DEFINE_OP(AttentionBiasGrad)

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ---- inference

bool finite(double number) { return is_finite(Num<double>(number)).value; }

/// Operands of Attention: those that are always there, and the optional ones behind them.
std::size_t mask_place(const AttentionAttributes&) { return 3; }
std::size_t bias_place(const AttentionAttributes& op) { return op.has_mask ? 4 : 3; }
std::size_t operand_count(const AttentionAttributes& op) { return bias_place(op) + (op.has_bias ? 1 : 0); }

void require_count(std::span<const TensorSpec> inputs, std::size_t expected, const char* op) {
    if (inputs.size() != expected) {
        raise(ErrorKind::Argument,
              Message() << op << ": " << inputs.size() << " operands; its attributes ask for " << expected);
    }
}

/// [batch, heads, n, m]
Shape scores_shape(const Shape& query, const Shape& key) { return {query[0], query[1], query[2], key[2]}; }

void require_repeats_to(const TensorSpec& operand, const char* name, const Shape& scores, const char* op) {
    require_rank(operand, 4, op, name);
    for (std::size_t axis = 0; axis < 4; ++axis) {
        if (operand.shape[axis] == 1 || operand.shape[axis] == scores[axis]) continue;
        raise(ErrorKind::Shape, Message()
                                    << op << ": the " << name << ' ' << operand.shape << " does not fit the scores "
                                    << scores << "; axis " << axis << " must be 1 or " << scores[axis]);
    }
}

/// Checks the operands of Attention itself.
void require_operands(const AttentionAttributes& attributes, std::span<const TensorSpec> inputs, const char* op) {
    require_count(inputs, operand_count(attributes), op);
    if (!finite(attributes.scale))
        raise(ErrorKind::Argument, Message()
                                       << op << ": the scale is " << attributes.scale << "; expected a finite number");
    if (!finite(attributes.softcap) || attributes.softcap < 0) {
        raise(ErrorKind::Argument, Message() << op << ": the softcap is " << attributes.softcap
                                             << "; expected a positive number, or 0 for none");
    }
    require_float(inputs[0], op);
    constexpr const char* kNames[] = {"query", "key", "value"};
    for (std::size_t i = 0; i < 3; ++i) {
        require_same_dtype(inputs[0], inputs[i], op);
        require_rank(inputs[i], 4, op, kNames[i]);
    }
    const Shape &q = inputs[0].shape, &k = inputs[1].shape, &v = inputs[2].shape;
    const auto fault = [&](const char* what, const char* expected) {
        raise(ErrorKind::Shape, Message() << op << ": " << what << ": query " << q << ", key " << k << ", value " << v
                                          << "; expected " << expected);
    };
    for (std::size_t axis = 0; axis < 2; ++axis) {
        if (k[axis] != q[axis] || v[axis] != q[axis]) fault("batches or heads differ", "the same for all three");
    }
    if (k[3] != q[3]) fault("widths differ", "one width for query and key");
    if (v[2] != k[2]) fault("lengths differ", "a value for each key");
    const Shape scores = scores_shape(q, k);
    if (attributes.has_mask) {
        const TensorSpec& mask = inputs[mask_place(attributes)];
        if (mask.dtype != DType::Bool)
            raise(ErrorKind::DType, Message() << op << ": the mask is " << mask.dtype << "; expected bool");
        require_repeats_to(mask, "mask", scores, op);
    }
    if (attributes.has_bias) {
        const TensorSpec& bias = inputs[bias_place(attributes)];
        require_same_dtype(inputs[0], bias, op);
        require_repeats_to(bias, "bias", scores, op);
    }
}

SpecList results_of(const TensorSpec& query, const TensorSpec& value) {
    const Shape& q = query.shape;
    return {TensorSpec{Shape{q[0], q[1], q[2], value.shape[3]}, query.dtype},
            TensorSpec{Shape{q[0], q[1], q[2], 1}, accumulator_of(query.dtype)}};
}

void require_spec(const TensorSpec& got, const TensorSpec& expected, const char* name, const char* op) {
    if (got == expected) return;
    raise(got.dtype == expected.dtype ? ErrorKind::Shape : ErrorKind::DType,
          Message() << op << ": " << name << " is " << got.dtype << ' ' << got.shape << "; expected " << expected.dtype
                    << ' ' << expected.shape);
}

/// Where the operands of the gradients are.
struct GradPlaces {
    explicit GradPlaces(const AttentionGradAttributes& op) {
        std::size_t next = 6;
        if (op.has_dlse) dlse = next++;
        if (op.has_mask) mask = next++;
        if (op.has_bias) bias = next++;
        count = next;
    }
    static constexpr std::size_t kY = 3, kLse = 4, kDy = 5;
    std::size_t dlse = 0, mask = 0, bias = 0, count = 0;
};

void require_grad_operands(const AttentionGradAttributes& attributes, std::span<const TensorSpec> inputs,
                           const char* op) {
    const GradPlaces at(attributes);
    require_count(inputs, at.count, op);
    SpecList forward{inputs[0], inputs[1], inputs[2]};
    if (attributes.has_mask) forward.push_back(inputs[at.mask]);
    if (attributes.has_bias) forward.push_back(inputs[at.bias]);
    require_operands(attributes, {forward.data(), forward.size()}, op);
    const SpecList results = results_of(inputs[0], inputs[2]);
    require_spec(inputs[GradPlaces::kY], results[0], "y", op);
    require_spec(inputs[GradPlaces::kLse], results[1], "lse", op);
    require_spec(inputs[GradPlaces::kDy], results[0], "dy", op);
    if (attributes.has_dlse) require_spec(inputs[at.dlse], results[1], "dlse", op);
}

// ---- decomposition

Handle transposed(Handle x) { return swap_dims(std::move(x), -2, -1); }

/// Takes a floating operand to the type that is computed in.
Handle widened(const Handle& x) { return cast(x, accumulator_of(x.dtype())); }

/// Scores before the softmax; and of capped ones what the cap multiplies gradients by, else nothing.
struct Scores {
    Handle values;
    Handle slopes;
};

/// `mask` and `bias` may be empty; all but the mask are of one type.
Scores scores_of(const AttentionAttributes& op, const Handle& q, const Handle& k, Handle mask, Handle bias) {
    Scores scores{mul_scalar(matmul(q, transposed(k)), op.scale), {}};
    if (op.softcap > 0) {
        const Handle share = tanh(div_scalar(std::move(scores.values), op.softcap));
        scores.values = mul_scalar(share, op.softcap);
        scores.slopes = sub_from_scalar(square(share), 1);
    }
    if (bias) scores.values = add(std::move(scores.values), std::move(bias));
    if (mask) scores.values = mask_fill(std::move(mask), std::move(scores.values), -kInfinity);
    if (op.is_causal) {
        const Shape plane{1, 1, q.shape()[2], k.shape()[2]};
        scores.values = mask_fill(tril_mask(q.engine(), plane, 0), std::move(scores.values), -kInfinity);
    }
    return scores;
}

/// `row` with 0 in place of -inf, so that exp(-inf - row) is 0.
Handle above_minus_infinity(const Handle& row) { return mask_fill(equal_scalar(row, -kInfinity), row, 0); }

/// Weights, and the cotangents of scores before and behind the cap; see AttentionGrad.
struct ScoreGradients {
    Handle weights;
    Handle behind_cap;  ///< of what the bias is added to
    Handle before_cap;  ///< of the products
};

ScoreGradients score_gradients(const AttentionGradAttributes& op, const HandleList& inputs) {
    const GradPlaces at(op);
    const Handle q = widened(inputs[0]), k = widened(inputs[1]), v = widened(inputs[2]);
    const Handle y = widened(inputs[GradPlaces::kY]), dy = widened(inputs[GradPlaces::kDy]);
    Scores scores = scores_of(op, q, k, op.has_mask ? inputs[at.mask] : Handle(),
                              op.has_bias ? widened(inputs[at.bias]) : Handle());
    ScoreGradients result;
    result.weights = exp(sub(std::move(scores.values), above_minus_infinity(inputs[GradPlaces::kLse])));
    Handle mean = sum(mul(dy, y), {-1});
    if (op.has_dlse) mean = sub(std::move(mean), inputs[at.dlse]);
    result.behind_cap = mul(result.weights, sub(matmul(dy, transposed(v)), std::move(mean)));
    result.before_cap = scores.slopes ? mul(result.behind_cap, std::move(scores.slopes)) : result.behind_cap;
    return result;
}

struct ResolvedCall {
    Attention op;
    HandleList operands;
};

ResolvedCall resolve(Handle query, Handle key, Handle value, Handle mask, Handle bias,
                     const AttentionOptions& options) {
    ResolvedCall call;
    // Without an axis to take the width from, inference refuses the query.
    const std::int64_t width = query.rank() > 0 ? query.shape().back() : 1;
    const Num<double> root = sqrt(Num<double>(static_cast<double>(width > 1 ? width : 1)));
    call.op.scale = options.scale.value_or(1 / root.value);
    call.op.softcap = options.softcap;
    call.op.is_causal = options.is_causal;
    call.op.has_mask = static_cast<bool>(mask);
    call.op.has_bias = static_cast<bool>(bias);
    call.operands = list_of(std::move(query), std::move(key), std::move(value));
    if (mask) call.operands.push_back(std::move(mask));
    if (bias) call.operands.push_back(std::move(bias));
    return call;
}

}  // namespace

SpecList Attention::infer(std::span<const TensorSpec> inputs) {
    require_operands(*this, inputs, info.name);
    return results_of(inputs[0], inputs[2]);
}

void Attention::gradient(GradScope& scope) const {
    Handle dy = scope.dy(0);
    if (!dy) dy = full(scope.dy(1).engine(), scope.output_spec(0).shape, scope.output_spec(0).dtype, 0);
    HandleList operands = list_of(Handle(scope.input(0)), Handle(scope.input(1)), Handle(scope.input(2)),
                                  Handle(scope.output(0)), Handle(scope.output(1)), std::move(dy));
    if (scope.dy(1)) operands.push_back(scope.dy(1));
    for (std::size_t i = 3; i < scope.input_count(); ++i) operands.push_back(scope.input(i));
    const AttentionGradAttributes attributes{*this, static_cast<bool>(scope.dy(1))};
    const std::size_t bias = bias_place(*this);
    if (has_bias && scope.wants(bias)) scope.dx(bias) = apply_one(AttentionBiasGrad{attributes}, operands);
    if (!scope.wants(0) && !scope.wants(1) && !scope.wants(2)) return;
    HandleList gradients = apply(AttentionGrad{attributes}, std::move(operands));
    for (std::size_t i = 0; i < 3; ++i) {
        if (scope.wants(i)) scope.dx(i) = std::move(gradients[i]);
    }
}

HandleList Attention::decompose(HandleList inputs) const {
    const DType dtype = inputs[0].dtype();
    const SpecList results = results_of(inputs[0].spec(), inputs[2].spec());
    if (inputs[1].shape()[2] == 0) {  // the extremum of nothing would be an error
        Engine& engine = inputs[0].engine();
        return list_of(full(engine, results[0].shape, results[0].dtype, 0),
                       full(engine, results[1].shape, results[1].dtype, -kInfinity));
    }
    Handle scores =
        scores_of(*this, widened(inputs[0]), widened(inputs[1]), has_mask ? inputs[mask_place(*this)] : Handle(),
                  has_bias ? widened(inputs[bias_place(*this)]) : Handle())
            .values;
    Handle middle = above_minus_infinity(max(scores, {-1}));
    const Handle powers = exp(sub(std::move(scores), middle));
    const Handle total = sum(powers, {-1});
    Handle y = div(matmul(powers, widened(inputs[2])), mask_fill(equal_scalar(total, 0), total, 1));
    return list_of(cast(std::move(y), dtype), add(std::move(middle), log(total)));
}

SpecList AttentionGrad::infer(std::span<const TensorSpec> inputs) {
    require_grad_operands(*this, inputs, info.name);
    return {inputs[0], inputs[1], inputs[2]};
}

HandleList AttentionGrad::decompose(HandleList inputs) const {
    const DType dtype = inputs[0].dtype();
    const ScoreGradients of = score_gradients(*this, inputs);
    Handle dq = mul_scalar(matmul(of.before_cap, widened(inputs[1])), scale);
    Handle dk = mul_scalar(matmul(transposed(of.before_cap), widened(inputs[0])), scale);
    Handle dv = matmul(transposed(of.weights), widened(inputs[GradPlaces::kDy]));
    return list_of(cast(std::move(dq), dtype), cast(std::move(dk), dtype), cast(std::move(dv), dtype));
}

SpecList AttentionBiasGrad::infer(std::span<const TensorSpec> inputs) {
    if (!has_bias) raise(ErrorKind::Argument, Message() << info.name << ": there is no bias");
    require_grad_operands(*this, inputs, info.name);
    return {inputs[GradPlaces(*this).bias]};
}

HandleList AttentionBiasGrad::decompose(HandleList inputs) const {
    const TensorSpec bias = inputs[GradPlaces(*this).bias].spec();
    return list_of(cast(sum_to(score_gradients(*this, inputs).behind_cap, bias.shape), bias.dtype));
}

Handle attention(Handle query, Handle key, Handle value, Handle mask, Handle bias, const AttentionOptions& options) {
    ResolvedCall call =
        resolve(std::move(query), std::move(key), std::move(value), std::move(mask), std::move(bias), options);
    return apply_one(call.op, std::move(call.operands));
}

Handle attention_fallback(Handle query, Handle key, Handle value, Handle mask, Handle bias,
                          const AttentionOptions& options) {
    ResolvedCall call =
        resolve(std::move(query), std::move(key), std::move(value), std::move(mask), std::move(bias), options);
    SpecList specs;
    for (const Handle& operand : call.operands) specs.push_back(operand.spec());
    call.op.infer({specs.data(), specs.size()});
    return std::move(call.op.decompose(std::move(call.operands))[0]);
}

}  // namespace burn::ops
