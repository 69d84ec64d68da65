#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// How a kernel moves over the spatial axes, one number for each. Lists left empty have their defaults.
///
/// Example   ConvOptions{.stride = {2, 2}, .padding = {1, 1}}
struct ConvOptions {
    Dims stride{};          ///< default 1
    Dims padding{};         ///< zeros in front of x; default 0
    Dims padding_behind{};  ///< and behind it; default: as in front
    Dims dilation{};        ///< distance of the kernel's elements; default 1
    std::int64_t groups = 1;

    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("stride", self.stride);
        visit.structural("padding", self.padding);
        visit.structural("padding_behind", self.padding_behind);
        visit.structural("dilation", self.dilation);
        visit.structural("groups", self.groups);
    }
};

/// Convolution over one or two spatial axes (cross-correlation, as everywhere in deep learning), without bias.
///
///   y[b, o, i] = sum over c, p of weight[o, c, p] * x[b, g * C/groups + c, i * stride + p * dilation - padding]
///
/// with one i and p for each spatial axis; g is the group of channel o, and x is 0 outside.
///
/// Shapes    x [batch, C, size..], weight [out, C / groups, kernel..] -> y [batch, out, size'..],
///           size' = (size + padding + padding_behind - dilation * (kernel - 1) - 1) / stride + 1
/// DTypes    Float and Int, one for both
/// Gradient  ConvInputGrad and ConvWeightGrad, whose gradients are convolutions again
/// Numerics  f16 and bf16 accumulate in f32
/// Errors    ShapeError when ranks, channels or sizes do not fit; ArgumentError for options that make no sense
struct Conv {
    ConvOptions options;

    static constexpr OpInfo info{.name = "conv",
                                 .doc = "convolution over one or two spatial axes",
                                 .kind = OpKind::Contract,
                                 .inputs = 2,
                                 .saves = Saves::input(0) | Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) { ConvOptions::fields(self.options, visit); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Gradient of Conv with respect to x; also the transposed convolution.
///
/// Shapes    dy [batch, out, size'..], weight [out, C / groups, kernel..] -> dx [batch, C, size..], `size` as given
struct ConvInputGrad {
    ConvOptions options;
    Dims size;  ///< spatial sizes of x

    static constexpr OpInfo info{.name = "conv_input_grad",
                                 .doc = "gradient of conv with respect to its input",
                                 .kind = OpKind::Contract,
                                 .inputs = 2,
                                 .saves = Saves::input(0) | Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) {
        ConvOptions::fields(self.options, visit);
        visit.structural("size", self.size);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Gradient of Conv with respect to the weight.
///
/// Shapes    x [batch, C, size..], dy [batch, out, size'..] -> dweight [out, C / groups, kernel..], `kernel` as given
struct ConvWeightGrad {
    ConvOptions options;
    Dims kernel{};  ///< spatial sizes of the weight

    static constexpr OpInfo info{.name = "conv_weight_grad",
                                 .doc = "gradient of conv with respect to its weight",
                                 .kind = OpKind::Contract,
                                 .inputs = 2,
                                 .saves = Saves::input(0) | Saves::input(1)};
    static void fields(auto& self, FieldVisitor& visit) {
        ConvOptions::fields(self.options, visit);
        visit.structural("kernel", self.kernel);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

Handle conv(Handle x, Handle weight, const ConvOptions& options);
/// With a number added to each channel of the result.
///
/// Shapes    bias [out]
Handle conv(Handle x, Handle weight, Handle bias, const ConvOptions& options);
Handle conv_input_grad(Handle dy, Handle weight, const ConvOptions& options, const Dims& size);
Handle conv_weight_grad(Handle x, Handle dy, const ConvOptions& options, const Dims& kernel);

}  // namespace burn::ops
