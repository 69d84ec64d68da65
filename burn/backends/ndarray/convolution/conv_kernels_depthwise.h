// Depthwise convolutions, plane by plane: rows of outputs are computed side by side and stored whole (see DepthwiseKernels).
#pragma once

#include <burn/backends/ndarray/convolution/conv_kernels_images.h>
#include <burn/backends/ndarray/product/rows_finished.h>
#include <burn/base/cpu_features.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// Fewer planes than this are shared out in parts, which these kernels do not know; a number of its own, so that bits do not
/// depend on threads.
constexpr int64_t kLeastPlanes = 32;

/// Whether every output plane comes from one image plane through a square of taps that DepthwiseKernels know.
inline bool is_depthwise(const Conv2dShape& s) {
    const int64_t side = s.w.kernel;
    const auto has_side = [side](const ConvAxis& axis) {
        return axis.kernel == side && axis.stride == 1 && axis.dilation == 1;
    };
    return s.group_in() == 1 && s.group_out() == 1 && s.batch * s.groups >= kLeastPlanes && has_side(s.h) &&
           has_side(s.w) && (side == 3 || side == 5 || side == 7);
}

/// Those of the active instruction set (cpu_features.h). Vectors of 64 bytes would straddle cache lines at most taps: with those
/// of AVX2 Zen 4 takes 0.7 of the time.
template <class T>
const DepthwiseKernels<T>& depthwise_kernels() {
#if defined(__x86_64__)
    if (active_isa() != Isa::Baseline) return depthwise_kernels_avx2(T());
#endif
    return depthwise_kernels_baseline(T());
}

/// That of the active instruction set for taps of this size, or null.
template <class T>
PaddedDepthwise<T> padded_depthwise([[maybe_unused]] const Conv2dShape& s) {
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512 && s.w.kernel == 3) return padded_depthwise_avx512(T());
#endif
    return nullptr;
}

/// y [batch, groups, out_h, out_w]; `finished` is told of its planes.
template <class T>
void depthwise(const Conv2dShape& s, const ImageBatch<T>& images, const T* w, T* y, const RowsFinished* finished) {
    if (const PaddedDepthwise<T> run = padded_depthwise<T>(s)) {
        const PaddedPlane plane{s.h.in, s.w.in, s.h.out(), s.w.out(), s.h.pad_before, s.w.pad_before};
        const int64_t outputs = plane.rows * plane.columns, taps = s.taps();
        parallel_for(images.count, ceil_div(kThreadWork, outputs * taps), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                run(plane, w + i % images.groups * taps, images.image(i), y + i * outputs);
                finish_rows(finished, i, i + 1, outputs);
            }
        });
        return;
    }
    const ConvKernels<T>& kernels = conv_kernels<T>();
    const auto run = depthwise_kernels<T>().square[(s.w.kernel - 3) / 2];
    const int64_t rows = s.h.out(), columns = s.w.out(), plane = rows * columns, taps = s.taps();
    const int64_t pitch = images.planes.pitch();
    const int64_t reach = (rows + s.h.kernel - 2) * pitch + columns + s.w.kernel - 1 + kernels.lanes;
    const int64_t work = plane * taps + images.copy_size();
    parallel_for(images.count, ceil_div(kThreadWork, work), [&](int64_t begin, int64_t end) {
        PlaneCopy<T> copy(kernels, images, reach);
        for (int64_t i = begin; i < end; ++i) {
            run(rows, columns, w + i % images.groups * taps, copy.of(i, 0, 1), pitch, y + i * plane);
            finish_rows(finished, i, i + 1, plane);
        }
    });
}

/// The convolution of dy that gives the gradient of x, where that is one of the above; its taps are w's in reverse.
inline std::optional<Conv2dShape> reversed_depthwise(const Conv2dShape& s) {
    if (!is_depthwise(s)) return std::nullopt;
    Conv2dShape reversed = s;
    for (ConvAxis Conv2dShape::* const axis : {&Conv2dShape::h, &Conv2dShape::w}) {
        const ConvAxis& of_x = s.*axis;
        const int64_t most = of_x.kernel - 1;
        if (of_x.pad_before > most || of_x.pad_after > most) return std::nullopt;
        ConvAxis& of_dy = reversed.*axis;
        of_dy.in = of_x.out();
        of_dy.pad_before = most - of_x.pad_before;
        of_dy.pad_after = most - of_x.pad_after;
    }
    return reversed;
}

/// dx [batch, groups, in_h, in_w]; s: the reversed shape.
template <class T>
void depthwise_backward(const Conv2dShape& s, const T* dy, const T* w, T* dx) {
    const int64_t count = s.taps();
    Scratch<T> taps(s.groups * count);
    for (int64_t c = 0; c < s.groups; ++c) {
        for (int64_t t = 0; t < count; ++t) taps[c * count + t] = w[(c + 1) * count - 1 - t];
    }
    const ImageBatch<T> images{dy, s.batch * s.groups, s.groups, 1, {forward_axis(s.h), forward_axis(s.w)}};
    depthwise<T>(s, images, taps.data(), dx, nullptr);
}

}  // namespace burn::ndarray
