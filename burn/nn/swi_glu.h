#pragma once

#include <burn/nn/linear.h>
#include <burn/tensor/activation.h>

namespace burn::nn {

template <Backend B>
struct SwiGlu;

/// Options of SwiGlu.
struct SwiGluConfig {
    Required<std::int64_t> d_input;
    Required<std::int64_t> d_output;
    bool bias = false;
    Initializer initializer = kDefaultInitializer;
    LinearLayout layout = LinearLayout::Row;
    BURN_CONFIG(SwiGluConfig, d_input, d_output, bias, initializer, layout)

    /// Errors    ArgumentError when a size is not positive
    template <Backend B>
    SwiGlu<B> init(const Device<B>& device) const;
};

/// A linear map gated by another.
///
///   y = silu(inner(x)) outer(x)
///
/// Shapes    x [.., d_input] -> y [.., d_output]
/// Source    Shazeer, "GLU variants improve transformer", 2020
template <Backend B>
struct SwiGlu {
    Linear<B> linear_inner;
    Linear<B> linear_outer;
    BURN_MODULE(SwiGlu, linear_inner, linear_outer)

    template <std::size_t D>
    Tensor<B, D> forward(Tensor<B, D> input) const {
        return activation::silu(linear_inner.forward(input)).mul(linear_outer.forward(input));
    }
};

template <Backend B>
SwiGlu<B> SwiGluConfig::init(const Device<B>& device) const {
    const LinearConfig linear{d_input, d_output, bias, initializer, layout};
    return {linear.init(device), linear.init(device)};
}

}  // namespace burn::nn
