#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// Layer normalisation over the last axis.
///
///   y = (x - mean) / sqrt(var + epsilon) * gamma + beta, with mean and (biased) variance of each row
///
/// Shapes    x [.., n], gamma [n], beta [n] (may be left out) -> y [.., n]
/// DTypes    Float, one for all
/// Gradient  LayerNormGrad
/// Numerics  f16 and bf16 compute in f32
/// Errors    ShapeError when sizes do not fit; DTypeError when dtypes differ
/// Source    Ba, Kiros, Hinton 2016
struct LayerNorm {
    double epsilon = 1e-5;

    static constexpr OpInfo info{.name = "layer_norm",
                                 .doc = "normalisation of each row, then an affine map",
                                 .kind = OpKind::Composite,
                                 .inputs = kVariadic,
                                 .saves = Saves::input(0) | Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("epsilon", self.epsilon); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

/// Gradients of LayerNorm with respect to x, gamma and beta, from x, gamma and dy.
///
///   n = (x - mean) / sqrt(var + epsilon),  g = dy * gamma
///   dx = (g - mean of g - n * mean of g n) / sqrt(var + epsilon),  dgamma = sum of dy n,  dbeta = sum of dy
///
/// Shapes    x, dy [.., n], gamma [n] -> dx [.., n], dgamma [n], dbeta [n]
struct LayerNormGrad {
    double epsilon = 1e-5;

    static constexpr OpInfo info{.name = "layer_norm_grad",
                                 .doc = "gradients of layer_norm",
                                 .kind = OpKind::Composite,
                                 .inputs = 3,
                                 .outputs = 3};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("epsilon", self.epsilon); }
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

/// Batch normalisation with given statistics; axis 1 holds the channels.
///
///   y = (x - mean) / sqrt(var + epsilon) * gamma + beta
///
/// Shapes    x [batch, C, ..], gamma, beta, mean, var [C] -> y as x
/// DTypes    Float, one for all
/// Gradient  to all five operands: statistics may come from x
/// Numerics  f16 and bf16 compute in f32
/// Errors    ShapeError when sizes do not fit; DTypeError when dtypes differ
/// Source    Ioffe, Szegedy 2015
struct BatchNorm {
    double epsilon = 1e-5;

    static constexpr OpInfo info{.name = "batch_norm",
                                 .doc = "normalisation of each channel by given statistics, then an affine map",
                                 .kind = OpKind::Composite,
                                 .inputs = 5,
                                 .saves = Saves::input(0) | Saves::input(1) | Saves::input(3) | Saves::input(4)};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("epsilon", self.epsilon); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

Handle layer_norm(Handle x, Handle gamma, double epsilon);
Handle layer_norm(Handle x, Handle gamma, Handle beta, double epsilon);
Handle batch_norm(Handle x, Handle gamma, Handle beta, Handle mean, Handle var, double epsilon);

}  // namespace burn::ops
