#include <burn/nn/padding.h>

#include <burn/ops/checks.h>

namespace burn::nn {

namespace {

Dims dims_of(const Pair& pair) { return {pair[0], pair[1]}; }

}  // namespace

Window Window::of(std::int64_t kernel, std::int64_t stride, std::int64_t dilation, const PaddingConfig1d& padding) {
    return {{kernel}, {stride}, {dilation}, padding.kind, {padding.before}, {padding.after}};
}

Window Window::of(const Pair& kernel, const Pair& stride, const Pair& dilation, const PaddingConfig2d& padding) {
    return {dims_of(kernel), dims_of(stride),         dims_of(dilation),
            padding.kind,    dims_of(padding.before), dims_of(padding.after)};
}

void check_window(const char* layer, const Window& window) {
    const Dims each = Dims::filled(window.kernel.size(), 1);
    const auto check = [&](Dims option, const char* name, std::int64_t lowest) {
        ops::complete_option(option, name, each, lowest, layer);
    };
    check(window.kernel, "the kernel size", 1);
    check(window.stride, "stride", 1);
    check(window.dilation, "dilation", 1);
    check(window.before, "padding", 0);
    check(window.after, "padding", 0);
}

Padding padding_for(const Window& window, const Shape& input) {
    const std::size_t axes = window.kernel.size();
    if (window.kind == PaddingKind::Explicit) return {window.before, window.after};
    Padding padding{Dims::filled(axes, 0), Dims::filled(axes, 0)};
    // An input of another rank is the operation's to refuse.
    if (window.kind == PaddingKind::Valid || input.rank() != axes + 2) return padding;
    check_window("same padding", window);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::int64_t size = input[axis + 2];
        const std::int64_t stride = window.stride[axis];
        const std::int64_t results = (size + stride - 1) / stride;
        const std::int64_t covered = (results - 1) * stride + window.dilation[axis] * (window.kernel[axis] - 1) + 1;
        const std::int64_t total = covered > size ? covered - size : 0;
        padding.before[axis] = total / 2;
        padding.after[axis] = total - total / 2;
    }
    return padding;
}

}  // namespace burn::nn
