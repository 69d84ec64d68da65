// Depthwise convolutions of 3 x 3 taps, plane by plane: rows of outputs side by side share the rows of the image that they read.
#pragma once

#include <burn/backends/ndarray/conv_kernels_grid.h>
#include <burn/base/cpu_features.h>

namespace burn::ndarray {

/// Fewer planes than this are shared out in parts, which these kernels do not know; a number of its own, so that bits do not
/// depend on threads.
constexpr int64_t kLeastPlanes = 32;

/// Whether every output plane comes from one image plane, through 3 x 3 taps that neighbouring outputs share.
inline bool is_depthwise_3x3(const Conv2dShape& s) {
    const auto has_shared_taps = [](const ConvAxis& axis) {
        return axis.kernel == 3 && axis.stride == 1 && axis.dilation == 1;
    };
    return s.group_in() == 1 && s.group_out() == 1 && has_shared_taps(s.h) && has_shared_taps(s.w) &&
           s.batch * s.groups >= kLeastPlanes;
}

/// That of the active instruction set (cpu_features.h). Vectors of 64 bytes would straddle cache lines at most taps: with those
/// of AVX2 Zen 4 takes 0.7 of the time.
template <class T>
Rows3x3<T> rows_3x3() {
#if defined(__x86_64__)
    if (active_isa() != Isa::Baseline) return rows_3x3_avx2(T());
#endif
    return rows_3x3_baseline(T());
}

/// y [batch, groups, out_h, out_w]; `finished` is told of its planes.
template <class T>
void depthwise_3x3(const ConvKernels<T>& kernels, const Conv2dShape& s, const ImageBatch<T>& images, const T* w, T* y,
                   const RowsFinished* finished) {
    const int64_t rows = s.h.out(), columns = s.w.out(), plane = rows * columns;
    const int64_t pitch = images.planes.pitch();
    const int64_t reach = (rows + 1) * pitch + columns + 2 + kernels.lanes;
    const int64_t work = plane * 9 + images.copy_size();
    const Rows3x3<T> run = rows_3x3<T>();
    parallel_for(images.count, ceil_div(kThreadWork, work), [&](int64_t begin, int64_t end) {
        PlaneCopy<T> copy(kernels, images, reach);
        for (int64_t i = begin; i < end; ++i) {
            run(rows, columns, copy.of(i, 0, 1), pitch, w + i % images.groups * 9, y + i * plane);
            finish_rows(finished, i, i + 1, plane);
        }
    });
}

/// The convolution of dy that gives the gradient of x, where that is one of the above; its taps are w's in reverse.
inline std::optional<Conv2dShape> reversed_depthwise_3x3(const Conv2dShape& s) {
    if (!is_depthwise_3x3(s)) return std::nullopt;
    Conv2dShape reversed = s;
    for (ConvAxis Conv2dShape::* const axis : {&Conv2dShape::h, &Conv2dShape::w}) {
        const ConvAxis& of_x = s.*axis;
        if (of_x.pad_before > 2 || of_x.pad_after > 2) return std::nullopt;
        ConvAxis& of_dy = reversed.*axis;
        of_dy.in = of_x.out();
        of_dy.pad_before = 2 - of_x.pad_before;
        of_dy.pad_after = 2 - of_x.pad_after;
    }
    return reversed;
}

/// dx [batch, groups, in_h, in_w]; s: the reversed shape.
template <class T>
void depthwise_3x3_backward(const Conv2dShape& s, const T* dy, const T* w, T* dx) {
    Scratch<T> taps(s.groups * 9);
    for (int64_t c = 0; c < s.groups; ++c) {
        for (int64_t t = 0; t < 9; ++t) taps[c * 9 + t] = w[c * 9 + 8 - t];
    }
    const ImageBatch<T> images{dy, s.batch * s.groups, s.groups, 1, {forward_axis(s.h), forward_axis(s.w)}};
    depthwise_3x3<T>(conv_kernels<T>(), s, images, taps.data(), dx, nullptr);
}

}  // namespace burn::ndarray
