#pragma once

#include <burn/module/module.h>
#include <burn/nn/padding.h>

namespace burn::nn {

namespace detail {
ops::Handle max_pool_forward(ops::Handle x, const Window& window, bool ceil_mode);
}  // namespace detail

/// Largest element of windows over one axis; padding is never chosen.
///
/// Shapes    x [batch, channels, n] -> y [batch, channels, n']; for n' see ops::MaxPool
/// Errors    of init: ArgumentError for sizes that are not positive; of forward: ShapeError when sizes do not fit
struct MaxPool1d {
    std::int64_t kernel_size = 1;
    std::int64_t stride = kernel_size;
    PaddingConfig1d padding = {};
    std::int64_t dilation = 1;
    bool ceil_mode = false;
    BURN_MODULE(MaxPool1d, kernel_size, stride, padding, dilation, ceil_mode)

    template <Backend B>
    Tensor<B, 3> forward(Tensor<B, 3> input) const {
        return Tensor<B, 3>(detail::max_pool_forward(std::move(input).handle(),
                                                     Window::of(kernel_size, stride, dilation, padding), ceil_mode));
    }
};
struct MaxPool1dConfig {
    Required<std::int64_t> kernel_size;
    std::int64_t stride = kernel_size;
    PaddingConfig1d padding = {};
    std::int64_t dilation = 1;
    bool ceil_mode = false;
    BURN_CONFIG(MaxPool1dConfig, kernel_size, stride, padding, dilation, ceil_mode)
    MaxPool1d init() const;
};

/// Largest element of windows over two axes.
///
/// Shapes    x [batch, channels, h, w] -> y [batch, channels, h', w']
/// Errors    as MaxPool1d
struct MaxPool2d {
    Pair kernel_size = {1, 1};
    Pair stride = kernel_size;
    PaddingConfig2d padding = {};
    Pair dilation = {1, 1};
    bool ceil_mode = false;
    BURN_MODULE(MaxPool2d, kernel_size, stride, padding, dilation, ceil_mode)

    template <Backend B>
    Tensor<B, 4> forward(Tensor<B, 4> input) const {
        return Tensor<B, 4>(detail::max_pool_forward(std::move(input).handle(),
                                                     Window::of(kernel_size, stride, dilation, padding), ceil_mode));
    }
};
struct MaxPool2dConfig {
    Required<Pair> kernel_size;
    Pair stride = kernel_size;
    PaddingConfig2d padding = {};
    Pair dilation = {1, 1};
    bool ceil_mode = false;
    BURN_CONFIG(MaxPool2dConfig, kernel_size, stride, padding, dilation, ceil_mode)
    MaxPool2d init() const;
};

}  // namespace burn::nn
