#pragma once

#include <burn/module/module.h>
#include <burn/nn/initializer.h>
#include <burn/nn/layer_checks.h>
#include <burn/ops/linear.h>

namespace burn::nn {

/// How the weight of a linear layer lies in memory.
enum class LinearLayout : std::uint8_t {
    Row,  ///< [in, out]
    Col,  ///< [out, in], as PyTorch stores it
};
BURN_ENUM_NAMES(LinearLayout, Row, Col)

template <Backend B>
struct Linear;

/// Options of Linear.
struct LinearConfig {
    Required<std::int64_t> d_input;
    Required<std::int64_t> d_output;
    bool bias = true;
    Initializer initializer = kDefaultInitializer;
    LinearLayout layout = LinearLayout::Row;
    BURN_CONFIG(LinearConfig, d_input, d_output, bias, initializer, layout)

    /// Errors    ArgumentError when a size is not positive
    template <Backend B>
    Linear<B> init(const Device<B>& device) const;
};

/// Affine map of the last axis.
///
///   y = x weight + bias
///
/// Shapes    x [.., d_input] -> y [.., d_output]
/// Init      weight and bias: `initializer`, with fans d_input and d_output
template <Backend B>
struct Linear {
    Param<Tensor<B, 2>> weight;               ///< [d_input, d_output], or [d_output, d_input] with layout Col
    std::optional<Param<Tensor<B, 1>>> bias;  ///< [d_output]
    LinearLayout layout = LinearLayout::Row;
    BURN_MODULE(Linear, weight, bias, layout)

    /// Errors    ShapeError when the last axis is not d_input
    template <std::size_t D>
    Tensor<B, D> forward(Tensor<B, D> input) const {
        ops::Handle matrix = weight.value().handle();
        if (layout == LinearLayout::Col) matrix = ops::swap_dims(std::move(matrix), 0, 1);
        return Tensor<B, D>(bias ? ops::linear(std::move(input).handle(), std::move(matrix), bias->value().handle())
                                 : ops::linear(std::move(input).handle(), std::move(matrix)));
    }
};

template <Backend B>
Linear<B> LinearConfig::init(const Device<B>& device) const {
    require_at_least("Linear", "d_input", d_input, 1);
    require_at_least("Linear", "d_output", d_output, 1);
    const Fans fans{d_input, d_output};
    Linear<B> linear;
    linear.layout = layout;
    linear.weight = layout == LinearLayout::Row ? initializer.init<B, 2>({*d_input, *d_output}, device, fans)
                                                : initializer.init<B, 2>({*d_output, *d_input}, device, fans);
    if (bias) linear.bias = initializer.init<B, 1>({*d_output}, device, fans);
    return linear;
}

}  // namespace burn::nn
