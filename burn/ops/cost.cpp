#include <burn/ops/cost.h>

#include <burn/ops/pointwise.h>

namespace burn::ops {

namespace {

double elements_of(const TensorSpec& spec) { return static_cast<double>(spec.shape.numel()); }

double largest(std::span<const TensorSpec> specs) {
    double most = 0;
    for (const TensorSpec& spec : specs) most = elements_of(spec) > most ? elements_of(spec) : most;
    return most;
}

double bytes_of(std::span<const TensorSpec> specs) {
    double bytes = 0;
    for (const TensorSpec& spec : specs) bytes += elements_of(spec) * static_cast<double>(size_of(spec.dtype));
    return bytes;
}

double size(const TensorSpec& spec, std::size_t axis) { return static_cast<double>(spec.shape[axis]); }

/// Of a convolution, or of either of its gradients: each element of y meets each of a filter.
double convolution(const TensorSpec& y, const TensorSpec& weight) {
    const double filters = size(weight, 0);
    return filters > 0 ? 2 * elements_of(y) * elements_of(weight) / filters : 0;
}

/// Matrix products between queries, keys and their like, and between weights and values.
double attention(std::span<const TensorSpec> inputs, double with_keys, double with_values) {
    const TensorSpec &query = inputs[0], &value = inputs[2];
    const double scores = size(query, 0) * size(query, 1) * size(query, 2) * size(value, 2);
    return 2 * scores * (with_keys * size(query, 3) + with_values * size(value, 3));
}

double operations_of(const AnyOp& op, std::span<const TensorSpec> inputs, std::span<const TensorSpec> results) {
    switch (op.code()) {
        case OpCode::MatMul: return 2 * elements_of(results[0]) * static_cast<double>(inputs[0].shape.back());
        case OpCode::Linear: return 2 * elements_of(inputs[0]) * size(inputs[1], 1);
        case OpCode::Conv: return convolution(results[0], inputs[1]);
        case OpCode::ConvInputGrad: return convolution(inputs[0], inputs[1]);
        case OpCode::ConvWeightGrad: return convolution(inputs[1], results[0]);
        case OpCode::Attention: return attention(inputs, 1, 1);
        case OpCode::AttentionGrad: return attention(inputs, 3, 2);
        default: break;
    }
    switch (op.info().kind) {
        case OpKind::View:
        case OpKind::Move:
        case OpKind::Create:
        case OpKind::Custom: return 0;
        case OpKind::Pointwise: return largest(results);
        default: break;
    }
    const double read = largest(inputs), written = largest(results);
    return read > written ? read : written;
}

}  // namespace

profile::Cost cost_of(const AnyOp& op, std::span<const TensorSpec> inputs, std::span<const TensorSpec> results) {
    if (op.info().kind == OpKind::View || largest(results) == 0) return {};
    return {bytes_of(inputs) + bytes_of(results), operations_of(op, inputs, results)};
}

void begin(profile::Span& span, profile::Kind kind, const AnyOp& op, const HandleList& inputs,
           const SpecList& results) {
    SpecList specs;
    Message name;
    name << op.name();
    for (const Handle& input : inputs) specs.push_back(input.spec());
    const char* separator = " ";
    for (const TensorSpec& spec : specs.empty() ? results : specs) {
        name << separator << spec.shape;
        separator = ", ";
    }
    span.begin(kind, name.text(), cost_of(op, {specs.data(), specs.size()}, {results.data(), results.size()}));
}

}  // namespace burn::ops
