#include <burn/nn/max_pool.h>

#include <burn/ops/join.h>
#include <burn/ops/pool.h>

#include <limits>

namespace burn::nn {

namespace detail {

namespace {

ops::PoolOptions options_of(const Window& window, const Dims& padding, bool ceil_mode) {
    return {.kernel = window.kernel,
            .stride = window.stride,
            .padding = padding,
            .dilation = window.dilation,
            .ceil_mode = ceil_mode};
}

}  // namespace

ops::Handle max_pool_forward(ops::Handle x, const Window& window, bool ceil_mode) {
    const Padding padding = padding_for(window, x.shape());
    if (padding.is_symmetric()) return ops::max_pool(std::move(x), options_of(window, padding.before, ceil_mode));
    const Scalar lowest = -std::numeric_limits<double>::infinity();
    return ops::max_pool(ops::pad(std::move(x), padding.before, padding.after, ops::PadMode::Constant, lowest),
                         options_of(window, Dims::filled(window.kernel.size(), 0), ceil_mode));
}

}  // namespace detail

MaxPool1d MaxPool1dConfig::init() const {
    check_window("MaxPool1d", Window::of(kernel_size, stride, dilation, padding));
    return {kernel_size, stride, padding, dilation, ceil_mode};
}

MaxPool2d MaxPool2dConfig::init() const {
    check_window("MaxPool2d", Window::of(kernel_size, stride, dilation, padding));
    return {kernel_size, stride, padding, dilation, ceil_mode};
}

}  // namespace burn::nn
