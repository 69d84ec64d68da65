#include "tests/fuzz/programs/draw.h"

#include <burn/ops/all_ops.h>
#include <burn/ops/functions.h>

namespace burn::fuzz {

namespace {

using ops::Handle;
using ops::HandleList;

Fill some_fill(Draw& draw) { return draw.random.one_in(2) ? Fill::Eighths : Fill::Reals; }

/// Something of this shape and type, of moderate numbers.
Handle like(Draw& draw, const Shape& shape, DType dtype) {
    return draw.pick_or(
        [&](const Handle& it) {
            return it.dtype() == dtype && it.shape() == shape && (!is_float(dtype) || draw.moderate(it, 20));
        },
        {shape, dtype}, some_fill(draw));
}

// ---- products

/// The operand, or often what only the product will read: its prologue, unless the value is read once more.
Handle fed(Draw& draw, const Handle& x) {
    if (!is_float(x.dtype()) || draw.random.one_in(2)) return x;
    return draw.random.one_in(2) ? ops::tanh(x) : ops::relu(x);
}

HandleList matmul(Draw& draw) {
    const DType dtype = draw.random.one_in(5) ? draw.int_type() : draw.float_type();
    const Handle a = draw.pick_or(
        [&](const Handle& it) {
            return it.rank() >= 2 && is_numeric(it.dtype()) && draw.moderate(it, 20) && it.shape().numel() < 5000;
        },
        {draw.shape(2), dtype}, some_fill(draw));
    Shape shape = a.shape();
    for (std::size_t i = 0; i + 2 < shape.rank(); ++i) shape[i] = draw.random.one_in(2) ? 1 : shape[i];
    shape[shape.rank() - 2] = a.shape().back();
    shape.back() = std::min<std::int64_t>(40, draw.size());
    if (a.shape().numel() * shape.back() > 200000) return {};
    const Handle left = fed(draw, a);
    HandleList results;
    for (int readers = draw.random.one_in(4) ? 2 : 1; readers > 0; --readers)
        results.push_back(ops::matmul(left, like(draw, shape, a.dtype())));
    return results;
}

HandleList linear(Draw& draw) {
    const Handle x = draw.pick_float();
    if (x.shape().numel() > 5000) return {};
    const std::int64_t in = x.shape().back(), out = std::min<std::int64_t>(33, draw.size());
    const Handle weight = like(draw, {in, out}, x.dtype());
    if (draw.random.one_in(2)) return ops::list_of(ops::linear(fed(draw, x), weight));
    return ops::list_of(ops::linear(fed(draw, x), weight, like(draw, {out}, x.dtype())));
}

/// Batch, channels and one or two spatial axes.
Handle image(Draw& draw, std::int64_t channels) {
    Shape shape{draw.random.between(1, 3), channels};
    for (std::int64_t i = draw.random.between(1, 2); i > 0; --i) shape.push_back(draw.random.between(4, 11));
    return draw.pick_or(
        [&](const Handle& it) {
            if (!is_float(it.dtype()) || it.rank() < 3 || it.rank() > 4 || it.shape()[1] != channels) return false;
            for (std::size_t i = 2; i < it.rank(); ++i) {
                if (it.shape()[i] < 4) return false;
            }
            return it.shape().numel() < 4000 && it.shape().numel() > 0 && draw.moderate(it, 20);
        },
        {shape, draw.float_type()}, some_fill(draw));
}

ops::ConvOptions conv_options(Draw& draw, std::size_t spatial, std::int64_t groups) {
    ops::ConvOptions options;
    for (std::size_t i = 0; i < spatial; ++i) {
        options.stride.push_back(draw.random.between(1, 2));
        options.padding.push_back(draw.random.below(2));
        options.padding_behind.push_back(draw.random.below(2));
        options.dilation.push_back(draw.random.one_in(4) ? 2 : 1);
    }
    options.groups = groups;
    return options;
}

HandleList conv(Draw& draw) {
    const std::int64_t groups = draw.random.one_in(3) ? 2 : 1, channels = groups * draw.random.between(1, 3);
    const Handle x = image(draw, channels);
    Shape weight{groups * draw.random.between(1, 4), channels / groups};
    for (std::size_t i = 2; i < x.rank(); ++i) weight.push_back(draw.random.between(1, 3));
    const ops::ConvOptions options = conv_options(draw, x.rank() - 2, groups);
    const Handle kernel = draw.input({weight, x.dtype()}, some_fill(draw));
    const Handle y = ops::conv(fed(draw, x), kernel, options);
    if (draw.random.one_in(2)) return ops::list_of(Handle(y));
    const Handle dy = like(draw, y.shape(), x.dtype());
    Dims size, kernel_size;
    for (std::size_t i = 2; i < x.rank(); ++i) {
        size.push_back(x.shape()[i]);
        kernel_size.push_back(weight[i]);
    }
    if (draw.random.one_in(2)) return ops::list_of(ops::conv_input_grad(dy, kernel, options, size));
    return ops::list_of(ops::conv_weight_grad(x, dy, options, kernel_size));
}

HandleList pool(Draw& draw) {
    const Handle x = image(draw, draw.random.between(1, 3));
    const std::size_t spatial = x.rank() - 2;
    ops::PoolOptions options;
    Dims output, size;
    for (std::size_t i = 0; i < spatial; ++i) {
        options.kernel.push_back(draw.random.between(2, 3));
        options.stride.push_back(draw.random.between(1, 3));
        options.padding.push_back(draw.random.below(2));
        output.push_back(draw.random.between(1, 4));
        size.push_back(x.shape()[i + 2]);
    }
    options.ceil_mode = draw.random.one_in(3);
    switch (draw.random.below(5)) {
        case 0:
            if (draw.random.one_in(2)) return ops::list_of(ops::max_pool(x, options));
            return ops::max_pool_with_indices(x, options);
        case 1: {
            options.count_include_pad = draw.random.one_in(2);
            return ops::list_of(ops::avg_pool(x, options));
        }
        case 2: {
            const Handle dy = like(draw, ops::avg_pool(x, options).shape(), x.dtype());
            return ops::apply(ops::AvgPoolGrad{options, size}, ops::list_of(Handle(dy)));
        }
        case 3: return ops::list_of(ops::adaptive_avg_pool(x, output));
        default: {
            Shape shape = x.shape();
            for (std::size_t i = 0; i < spatial; ++i) shape[i + 2] = output[i];
            const Handle dy = like(draw, shape, x.dtype());
            return ops::apply(ops::AdaptiveAvgPoolGrad{size}, ops::list_of(Handle(dy)));
        }
    }
}

// ---- normalisations

HandleList softmax(Draw& draw) {
    const Handle x = draw.pick_float();
    const std::int64_t axis = draw.axis_of(x);
    switch (draw.random.below(5)) {
        case 0: return ops::list_of(ops::log_softmax(x, axis));
        case 1: return ops::list_of(ops::quiet_softmax(x, axis));
        case 2: {
            const Handle dy = like(draw, x.shape(), x.dtype());
            if (draw.random.one_in(2))
                return ops::apply(ops::LogSoftmaxGrad{axis}, ops::list_of(ops::log_softmax(x, axis), Handle(dy)));
            return ops::apply(ops::SoftmaxGrad{axis}, ops::list_of(ops::softmax(x, axis), Handle(dy)));
        }
        default: return ops::list_of(ops::softmax(x, axis));
    }
}

HandleList layer_norm(Draw& draw) {
    const Handle x = draw.pick_float();
    const Shape row{x.shape().back()};
    const Handle gamma = draw.input({row, x.dtype()}, Fill::Positive);
    if (draw.random.one_in(3)) return ops::list_of(ops::layer_norm(x, gamma, 1e-3));
    if (draw.random.one_in(3)) {
        const Handle dy = like(draw, x.shape(), x.dtype());
        return ops::apply(ops::LayerNormGrad{1e-3}, ops::list_of(Handle(x), Handle(gamma), Handle(dy)));
    }
    return ops::list_of(ops::layer_norm(x, gamma, like(draw, row, x.dtype()), 1e-3));
}

HandleList batch_norm(Draw& draw) {
    const Handle x = draw.pick_float(2);
    const Shape channels{x.shape()[1]};
    const auto input = [&](Fill fill) { return draw.input({channels, x.dtype()}, fill); };
    const Handle gamma = input(Fill::Positive), beta = input(Fill::Reals), mean = input(Fill::Reals);
    return ops::list_of(ops::batch_norm(x, gamma, beta, mean, input(Fill::Positive), 1e-3));
}

HandleList cross_entropy(Draw& draw) {
    const std::int64_t rows = draw.random.between(1, 9), classes = draw.random.between(2, 17);
    const Handle logits = draw.pick_or(
        [&](const Handle& it) {
            return it.rank() == 2 && is_float(it.dtype()) && it.shape().numel() > 0 && draw.moderate(it, 20);
        },
        {Shape{rows, classes}, draw.float_type()}, some_fill(draw));
    const Handle targets = draw.indices({logits.shape()[0]}, logits.shape()[1]);
    if (draw.random.one_in(3)) {
        const Handle dy = like(draw, {logits.shape()[0]}, logits.dtype());
        return ops::apply(ops::CrossEntropyGrad{}, ops::list_of(Handle(logits), Handle(targets), Handle(dy)));
    }
    return ops::list_of(ops::cross_entropy(logits, targets));
}

HandleList attention(Draw& draw) {
    const std::int64_t n = draw.random.between(1, 40), m = draw.random.between(1, 40), d = draw.random.between(1, 9);
    const Shape query{draw.random.between(1, 2), draw.random.between(1, 3), n, d};
    const Shape key{query[0], query[1], m, d}, value{query[0], query[1], m, draw.random.between(1, 20)};
    const DType dtype = draw.float_type();
    ops::Attention op;
    op.scale = 0.25;
    op.softcap = draw.random.one_in(4) ? 2 : 0;
    op.is_causal = draw.random.one_in(3);
    HandleList operands;
    for (const Shape& shape : {query, key, value}) operands.push_back(like(draw, shape, dtype));
    const auto for_scores = [&](DType type, Fill fill) {
        Shape shape{query[0], query[1], n, m};
        for (std::int64_t& size : shape) size = draw.random.one_in(2) ? 1 : size;
        return draw.input({shape, type}, fill);
    };
    op.has_mask = draw.random.one_in(3);
    op.has_bias = draw.random.one_in(3);
    HandleList extras;
    if (op.has_mask) extras.push_back(for_scores(DType::Bool, Fill::Eighths));
    if (op.has_bias) extras.push_back(for_scores(dtype, Fill::Eighths));
    HandleList forward = operands;
    for (const Handle& extra : extras) forward.push_back(extra);
    HandleList results = ops::apply(op, std::move(forward));
    if (draw.random.one_in(2)) return results;
    const TensorSpec y = results[0].spec(), lse = results[1].spec();
    for (Handle& result : results) operands.push_back(std::move(result));
    operands.push_back(like(draw, y.shape, dtype));
    ops::AttentionGradAttributes of{op, draw.random.one_in(3)};
    if (of.has_dlse) operands.push_back(like(draw, lse.shape, lse.dtype));
    for (Handle& extra : extras) operands.push_back(std::move(extra));
    if (of.has_bias && draw.random.one_in(2)) return ops::apply(ops::AttentionBiasGrad{of}, std::move(operands));
    return ops::apply(ops::AttentionGrad{of}, std::move(operands));
}

HandleList adam_step(Draw& draw) {
    const Handle p = draw.pick_float();
    const auto other = [&](Fill fill) { return draw.input(p.spec(), fill); };
    ops::AdamStep step;
    step.rate = 0.125;
    step.correction_1 = 0.25;
    step.correction_2 = 0.5;
    step.decay = draw.random.one_in(2) ? 0.0625 : 0;
    step.kind = static_cast<ops::WeightDecay>(draw.random.below(3));
    const Handle gradient = like(draw, p.shape(), p.dtype()), m = other(Fill::Reals);
    return ops::apply(step, ops::list_of(Handle(p), Handle(gradient), Handle(m), other(Fill::Positive)));
}

constexpr Drawer kDrawers[] = {
    {"matmul", 6, matmul},
    {"linear", 3, linear},
    {"conv", 3, conv},
    {"pool", 3, pool},
    {"softmax", 6, softmax},
    {"layer_norm", 4, layer_norm},
    {"batch_norm", 3, batch_norm},
    {"cross_entropy", 2, cross_entropy},
    {"attention", 4, attention},
    {"adam_step", 2, adam_step},
};

}  // namespace

std::span<const Drawer> layer_drawers() { return kDrawers; }

}  // namespace burn::fuzz
