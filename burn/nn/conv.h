#pragma once

#include <burn/module/module.h>
#include <burn/nn/initializer.h>
#include <burn/nn/padding.h>

namespace burn::nn {

template <Backend B>
struct Conv1d;
template <Backend B>
struct Conv2d;

/// Options of Conv1d.
struct Conv1dConfig {
    Required<std::int64_t> channels_in;
    Required<std::int64_t> channels_out;
    Required<std::int64_t> kernel_size;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t groups = 1;
    PaddingConfig1d padding = {};
    bool bias = true;
    Initializer initializer = kDefaultInitializer;
    BURN_CONFIG(Conv1dConfig, channels_in, channels_out, kernel_size, stride, dilation, groups, padding, bias,
                initializer)

    /// Errors    ArgumentError for sizes that are not positive, or groups that do not divide the channels
    template <Backend B>
    Conv1d<B> init(const Device<B>& device) const;
};

/// Options of Conv2d.
///
/// Example   Conv2dConfig{{1, 8}, {3, 3}}.with_padding(PaddingConfig2d::same()).init(device)
struct Conv2dConfig {
    Required<Pair> channels;  ///< in, out
    Required<Pair> kernel_size;
    Pair stride = {1, 1};
    Pair dilation = {1, 1};
    std::int64_t groups = 1;
    PaddingConfig2d padding = {};
    bool bias = true;
    Initializer initializer = kDefaultInitializer;
    BURN_CONFIG(Conv2dConfig, channels, kernel_size, stride, dilation, groups, padding, bias, initializer)

    /// Errors    ArgumentError for sizes that are not positive, or groups that do not divide the channels
    template <Backend B>
    Conv2d<B> init(const Device<B>& device) const;
};

namespace detail {
/// Convolution with the padding of the window; `bias` may be empty.
ops::Handle conv_forward(ops::Handle x, ops::Handle weight, ops::Handle bias, const Window& window,
                         std::int64_t groups);
/// Checks the options of a convolution and gives its fans.
Fans conv_fans(const char* layer, std::int64_t channels_in, std::int64_t channels_out, std::int64_t groups,
               const Window& window);
}  // namespace detail

/// Convolution over one axis; for the formula see ops::Conv.
///
/// Shapes    x [batch, channels_in, n] -> y [batch, channels_out, n'],
///           n' = (n + padding - dilation (kernel - 1) - 1) / stride + 1
/// Init      weight and bias: `initializer`, with fans channels_in / groups * kernel and channels_out / groups * kernel
template <Backend B>
struct Conv1d {
    Param<Tensor<B, 3>> weight;               ///< [channels_out, channels_in / groups, kernel]
    std::optional<Param<Tensor<B, 1>>> bias;  ///< [channels_out]
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t groups = 1;
    PaddingConfig1d padding;
    BURN_MODULE(Conv1d, weight, bias, stride, dilation, groups, padding)

    /// Errors    ShapeError when channels or sizes do not fit
    Tensor<B, 3> forward(Tensor<B, 3> input) const {
        return Tensor<B, 3>(detail::conv_forward(std::move(input).handle(), weight.value().handle(),
                                                 bias ? bias->value().handle() : ops::Handle(),
                                                 Window::of(weight.shape()[2], stride, dilation, padding), groups));
    }
};

/// Convolution over two axes; for the formula see ops::Conv.
///
/// Shapes    x [batch, channels_in, h, w] -> y [batch, channels_out, h', w'], each size as in Conv1d
/// Init      weight and bias: `initializer`, with fans channels_in / groups * kernel and channels_out / groups * kernel
template <Backend B>
struct Conv2d {
    Param<Tensor<B, 4>> weight;               ///< [channels_out, channels_in / groups, kernel_h, kernel_w]
    std::optional<Param<Tensor<B, 1>>> bias;  ///< [channels_out]
    Pair stride = {1, 1};
    Pair dilation = {1, 1};
    std::int64_t groups = 1;
    PaddingConfig2d padding;
    BURN_MODULE(Conv2d, weight, bias, stride, dilation, groups, padding)

    /// Errors    ShapeError when channels or sizes do not fit
    Tensor<B, 4> forward(Tensor<B, 4> input) const {
        return Tensor<B, 4>(detail::conv_forward(
            std::move(input).handle(), weight.value().handle(), bias ? bias->value().handle() : ops::Handle(),
            Window::of({weight.shape()[2], weight.shape()[3]}, stride, dilation, padding), groups));
    }
};

template <Backend B>
Conv1d<B> Conv1dConfig::init(const Device<B>& device) const {
    const Fans fans = detail::conv_fans("Conv1d", channels_in, channels_out, groups,
                                        Window::of(kernel_size, stride, dilation, padding));
    Conv1d<B> conv;
    conv.weight = initializer.init<B, 3>({*channels_out, channels_in / groups, *kernel_size}, device, fans);
    if (bias) conv.bias = initializer.init<B, 1>({*channels_out}, device, fans);
    conv.stride = stride;
    conv.dilation = dilation;
    conv.groups = groups;
    conv.padding = padding;
    return conv;
}

template <Backend B>
Conv2d<B> Conv2dConfig::init(const Device<B>& device) const {
    const auto& [channels_in, channels_out] = *channels;
    const auto& [height, width] = *kernel_size;
    const Fans fans = detail::conv_fans("Conv2d", channels_in, channels_out, groups,
                                        Window::of(kernel_size, stride, dilation, padding));
    Conv2d<B> conv;
    conv.weight = initializer.init<B, 4>({channels_out, channels_in / groups, height, width}, device, fans);
    if (bias) conv.bias = initializer.init<B, 1>({channels_out}, device, fans);
    conv.stride = stride;
    conv.dilation = dilation;
    conv.groups = groups;
    conv.padding = padding;
    return conv;
}

}  // namespace burn::nn
