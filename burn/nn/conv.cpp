#include <burn/nn/conv.h>

#include <burn/nn/layer_checks.h>
#include <burn/ops/conv.h>

namespace burn::nn::detail {

ops::Handle conv_forward(ops::Handle x, ops::Handle weight, ops::Handle bias, const Window& window,
                         std::int64_t groups) {
    const Padding padding = padding_for(window, x.shape());
    const ops::ConvOptions options{.stride = window.stride,
                                   .padding = padding.before,
                                   .padding_behind = padding.after,
                                   .dilation = window.dilation,
                                   .groups = groups};
    if (!bias) return ops::conv(std::move(x), std::move(weight), options);
    return ops::conv(std::move(x), std::move(weight), std::move(bias), options);
}

Fans conv_fans(const char* layer, std::int64_t channels_in, std::int64_t channels_out, std::int64_t groups,
               const Window& window) {
    require_at_least(layer, "the number of channels in", channels_in, 1);
    require_at_least(layer, "the number of channels out", channels_out, 1);
    require_at_least(layer, "groups", groups, 1);
    if (channels_in % groups != 0 || channels_out % groups != 0) {
        raise(ErrorKind::Argument, Message() << layer << ": " << groups << " groups do not divide the channels ["
                                             << channels_in << ", " << channels_out << "]");
    }
    std::int64_t kernel = 1;
    for (std::size_t axis = 0; axis < window.kernel.size(); ++axis) {
        require_at_least(layer, "the kernel size", window.kernel[axis], 1);
        require_at_least(layer, "stride", window.stride[axis], 1);
        require_at_least(layer, "dilation", window.dilation[axis], 1);
        kernel *= window.kernel[axis];
    }
    for (const std::int64_t amount : window.before) require_at_least(layer, "padding", amount, 0);
    for (const std::int64_t amount : window.after) require_at_least(layer, "padding", amount, 0);
    return {channels_in / groups * kernel, channels_out / groups * kernel};
}

}  // namespace burn::nn::detail
