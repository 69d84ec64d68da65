#pragma once

#include <burn/module/module.h>
#include <burn/nn/padding.h>

namespace burn::nn {

namespace detail {
ops::Handle avg_pool_forward(ops::Handle x, const Window& window, bool count_include_pad, bool ceil_mode);
ops::Handle adaptive_avg_pool_forward(ops::Handle x, const Dims& output);
}  // namespace detail

/// Average of windows over one axis.
///
/// Shapes    x [batch, channels, n] -> y [batch, channels, n']; for n' see ops::AvgPool
/// Errors    of init: ArgumentError for sizes that are not positive; of forward: ShapeError when sizes do not fit,
///           UnsupportedError for a padding that differs before and behind unless it is counted and ceil_mode off
struct AvgPool1d {
    std::int64_t kernel_size = 1;
    std::int64_t stride = kernel_size;
    PaddingConfig1d padding = {};
    bool count_include_pad = true;
    bool ceil_mode = false;
    BURN_MODULE(AvgPool1d, kernel_size, stride, padding, count_include_pad, ceil_mode)

    template <Backend B>
    Tensor<B, 3> forward(Tensor<B, 3> input) const {
        return Tensor<B, 3>(detail::avg_pool_forward(
            std::move(input).handle(), Window::of(kernel_size, stride, 1, padding), count_include_pad, ceil_mode));
    }
};
struct AvgPool1dConfig {
    Required<std::int64_t> kernel_size;
    std::int64_t stride = kernel_size;
    PaddingConfig1d padding = {};
    bool count_include_pad = true;
    bool ceil_mode = false;
    BURN_CONFIG(AvgPool1dConfig, kernel_size, stride, padding, count_include_pad, ceil_mode)
    AvgPool1d init() const;
};

/// Average of windows over two axes.
///
/// Shapes    x [batch, channels, h, w] -> y [batch, channels, h', w']
/// Errors    as AvgPool1d
struct AvgPool2d {
    Pair kernel_size = {1, 1};
    Pair stride = kernel_size;
    PaddingConfig2d padding = {};
    bool count_include_pad = true;
    bool ceil_mode = false;
    BURN_MODULE(AvgPool2d, kernel_size, stride, padding, count_include_pad, ceil_mode)

    template <Backend B>
    Tensor<B, 4> forward(Tensor<B, 4> input) const {
        return Tensor<B, 4>(detail::avg_pool_forward(
            std::move(input).handle(), Window::of(kernel_size, stride, {1, 1}, padding), count_include_pad, ceil_mode));
    }
};
struct AvgPool2dConfig {
    Required<Pair> kernel_size;
    Pair stride = kernel_size;
    PaddingConfig2d padding = {};
    bool count_include_pad = true;
    bool ceil_mode = false;
    BURN_CONFIG(AvgPool2dConfig, kernel_size, stride, padding, count_include_pad, ceil_mode)
    AvgPool2d init() const;
};

/// Averages over nearly equal windows, as many as the result shall have elements.
///
/// Shapes    x [batch, channels, n] -> y [batch, channels, output_size]
struct AdaptiveAvgPool1d {
    std::int64_t output_size = 1;
    BURN_MODULE(AdaptiveAvgPool1d, output_size)

    template <Backend B>
    Tensor<B, 3> forward(Tensor<B, 3> input) const {
        return Tensor<B, 3>(detail::adaptive_avg_pool_forward(std::move(input).handle(), {output_size}));
    }
};
struct AdaptiveAvgPool1dConfig {
    Required<std::int64_t> output_size;
    BURN_CONFIG(AdaptiveAvgPool1dConfig, output_size)
    /// Errors    ArgumentError unless the size is positive
    AdaptiveAvgPool1d init() const;
};

/// Averages over a grid of nearly equal windows.
///
/// Shapes    x [batch, channels, h, w] -> y [batch, channels, output_size[0], output_size[1]]
struct AdaptiveAvgPool2d {
    Pair output_size = {1, 1};
    BURN_MODULE(AdaptiveAvgPool2d, output_size)

    template <Backend B>
    Tensor<B, 4> forward(Tensor<B, 4> input) const {
        return Tensor<B, 4>(
            detail::adaptive_avg_pool_forward(std::move(input).handle(), {output_size[0], output_size[1]}));
    }
};
struct AdaptiveAvgPool2dConfig {
    Required<Pair> output_size;
    BURN_CONFIG(AdaptiveAvgPool2dConfig, output_size)
    /// Errors    ArgumentError unless the sizes are positive
    AdaptiveAvgPool2d init() const;
};

}  // namespace burn::nn
