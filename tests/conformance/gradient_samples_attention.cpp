#include "tests/conformance/gradient_samples.h"

#include <burn/ops/attention.h>

namespace burn::conformance {

namespace {

struct Sizes {
    std::int64_t batch = 1, heads = 2, n = 3, m = 4, d = 2, e = 3;
};

/// Attention and its gradients, whose results and cotangents are numbers of their own here: a gradient is an operation like
/// others.
void sample(GradientSamples& samples, const char* what, const ops::AttentionAttributes& attributes, const Sizes& s,
            const std::vector<TensorData>& mask_and_bias) {
    const TensorData q = reals({s.batch, s.heads, s.n, s.d}), k = reals({s.batch, s.heads, s.m, s.d}, -2, 2, 2),
                     v = reals({s.batch, s.heads, s.m, s.e}, -2, 2, 3);
    std::vector<TensorData> operands{q, k, v};
    operands.insert(operands.end(), mask_and_bias.begin(), mask_and_bias.end());
    samples.push_back({what, ops::Attention{attributes}, operands});

    const Shape results{s.batch, s.heads, s.n, s.e}, rows{s.batch, s.heads, s.n, 1};
    for (const bool has_dlse : {false, true}) {
        // lse is above every score, as it is when it comes from attention: no weight is large.
        operands = {q, k, v, reals(results, -2, 2, 4), reals(rows, 4, 6, 5), reals(results, -2, 2, 6)};
        if (has_dlse) operands.push_back(reals(rows, -2, 2, 7));
        operands.insert(operands.end(), mask_and_bias.begin(), mask_and_bias.end());
        const ops::AttentionGradAttributes of{attributes, has_dlse};
        samples.push_back({what, ops::AttentionGrad{of}, operands});
        if (attributes.has_bias) samples.push_back({what, ops::AttentionBiasGrad{of}, operands});
    }
}

}  // namespace

void sample_attention(GradientSamples& samples) {
    // Of each row the mask leaves something: the logarithm of nothing has no gradient.
    const auto mask = [](const Shape& shape) {
        TensorData data = truths(shape, 8);
        for (std::int64_t i = 0; i < data.numel(); i += shape.back())
            data.mutable_values<bool>()[static_cast<std::size_t>(i)] = false;
        return data;
    };
    sample(samples, "plain", {.scale = 0.5}, {.batch = 2, .heads = 1}, {});
    sample(samples, "causal, fewer keys than queries", {.scale = 0.75, .is_causal = true}, {.n = 5, .m = 3}, {});
    sample(samples, "causal, more keys than queries", {.scale = -0.75, .is_causal = true}, {.n = 2, .m = 4}, {});
    sample(samples, "capped", {.scale = 1, .softcap = 1.5}, {}, {});
    sample(samples, "masked", {.scale = 0.5, .has_mask = true}, {.batch = 2}, {mask({2, 1, 3, 4})});
    sample(samples, "biased", {.scale = 0.5, .has_bias = true}, {.batch = 2}, {reals({1, 2, 3, 4}, -1, 1, 9)});
    sample(samples, "a bias of each key", {.scale = 0.5, .has_bias = true}, {}, {reals({1, 1, 1, 4}, -1, 1, 9)});
    sample(samples, "everything", {.scale = 0.5, .softcap = 2, .is_causal = true, .has_mask = true, .has_bias = true},
           {.n = 4, .m = 4}, {mask({1, 2, 1, 4}), reals({1, 1, 4, 4}, -1, 1, 9)});
}

}  // namespace burn::conformance
