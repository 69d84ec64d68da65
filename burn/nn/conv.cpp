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
    check_window(layer, window);
    Fans fans{channels_in / groups, channels_out / groups};
    for (const std::int64_t size : window.kernel) {
        if (__builtin_mul_overflow(fans.in, size, &fans.in) || __builtin_mul_overflow(fans.out, size, &fans.out)) {
            raise(ErrorKind::Argument, Message() << layer << ": channels [" << channels_in << ", " << channels_out
                                                 << "] with kernel " << window.kernel << " make too large a weight");
        }
    }
    return fans;
}

}  // namespace burn::nn::detail
