#include <burn/nn/pool.h>

#include <burn/nn/layer_checks.h>
#include <burn/ops/join.h>
#include <burn/ops/pool.h>

namespace burn::nn {

namespace detail {

namespace {

ops::PoolOptions options_of(const Window& window, const Dims& padding, bool ceil_mode) {
    return {.kernel = window.kernel, .stride = window.stride, .padding = padding, .ceil_mode = ceil_mode};
}

}  // namespace

ops::Handle avg_pool_forward(ops::Handle x, const Window& window, bool count_include_pad, bool ceil_mode) {
    const Padding padding = padding_for(window, x.shape());
    if (padding.is_symmetric()) {
        ops::PoolOptions options = options_of(window, padding.before, ceil_mode);
        options.count_include_pad = count_include_pad;
        return ops::avg_pool(std::move(x), options);
    }
    if (!count_include_pad || ceil_mode) {
        raise(ErrorKind::Unsupported,
              Message() << "AvgPool: padding " << padding.before << " before and " << padding.after
                        << " behind differ; expected equal ones, or count_include_pad without ceil_mode");
    }
    return ops::avg_pool(ops::pad(std::move(x), padding.before, padding.after, ops::PadMode::Constant, 0),
                         options_of(window, Dims::filled(window.kernel.size(), 0), false));
}

ops::Handle adaptive_avg_pool_forward(ops::Handle x, const Dims& output) {
    return ops::adaptive_avg_pool(std::move(x), output);
}

}  // namespace detail

AvgPool1d AvgPool1dConfig::init() const {
    check_window("AvgPool1d", Window::of(kernel_size, stride, 1, padding));
    return {kernel_size, stride, padding, count_include_pad, ceil_mode};
}

AvgPool2d AvgPool2dConfig::init() const {
    check_window("AvgPool2d", Window::of(kernel_size, stride, {1, 1}, padding));
    return {kernel_size, stride, padding, count_include_pad, ceil_mode};
}

AdaptiveAvgPool1d AdaptiveAvgPool1dConfig::init() const {
    require_at_least("AdaptiveAvgPool1d", "the output size", output_size, 1);
    return {output_size};
}

AdaptiveAvgPool2d AdaptiveAvgPool2dConfig::init() const {
    for (const std::int64_t size : *output_size) require_at_least("AdaptiveAvgPool2d", "the output size", size, 1);
    return {output_size};
}

}  // namespace burn::nn
