#pragma once

#include <burn/module/config.h>
#include <burn/optim/gradients_params.h>

namespace burn::optim {

enum class ClippingKind : std::uint8_t { Value, Norm, GlobalNorm };
BURN_ENUM_NAMES(ClippingKind, Value, Norm, GlobalNorm)

/// Limits gradients before a step.
///
///   Value       every element to [-threshold, threshold]
///   Norm        g min(1, threshold / |g|), for every parameter by itself
///   GlobalNorm  the same with |g| the Euclidean norm over all parameters
///
/// Numerics  NaN stays NaN; norms of f16 and bf16 are computed in f32
/// Source    Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks", 2013
struct GradientClipping {
    Required<ClippingKind> kind;
    Required<double> threshold;
    BURN_CONFIG(GradientClipping, kind, threshold)

    static constexpr GradientClipping value(double threshold) { return {ClippingKind::Value, threshold}; }
    static constexpr GradientClipping norm(double threshold) { return {ClippingKind::Norm, threshold}; }
    static constexpr GradientClipping global_norm(double threshold) { return {ClippingKind::GlobalNorm, threshold}; }

    /// Errors    ArgumentError unless the threshold is positive
    void check() const;
    /// Clips all gradients in place.
    ///
    /// Errors    as check
    void clip(GradientsParams& gradients) const;
};

}  // namespace burn::optim
