// Weight gradients of depthwise convolutions, channel by channel: every filter has planes of its own.
#pragma once

#include <burn/backends/ndarray/convolution/conv_kernels_depthwise.h>
#include <burn/backends/ndarray/convolution/conv_kernels_images.h>
#include <burn/base/cpu_features.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// sums[3 * p + q][lane] += sum over i and the columns j = lane, lane + lanes, ... of dy[i, j] * x[i * pitch + p * pitch + j + q],
/// for p, q < 3 and dy [rows, columns]. Reads nothing else.
template <class T>
using DepthwiseWeight = void (*)(int64_t rows, int64_t columns, const T* dy, const T* x, int64_t pitch, T* sums);

// One source file per instruction set defines its pair; those of other processors do not exist.
DepthwiseWeight<float> depthwise_weight_baseline(float);
DepthwiseWeight<double> depthwise_weight_baseline(double);
DepthwiseWeight<float> depthwise_weight_avx2(float);
DepthwiseWeight<double> depthwise_weight_avx2(double);
DepthwiseWeight<float> depthwise_weight_avx512(float);
DepthwiseWeight<double> depthwise_weight_avx512(double);

/// That of the active instruction set (cpu_features.h).
template <class T>
DepthwiseWeight<T> depthwise_weight_kernel() {
    switch (active_isa()) {
#if defined(__x86_64__)
        case Isa::Avx512: return depthwise_weight_avx512(T());
        case Isa::Avx2: return depthwise_weight_avx2(T());
#endif
        default: return depthwise_weight_baseline(T());
    }
}

/// Whether the kernel knows the taps, and there are channels to share.
inline bool is_depthwise_weight(const Conv2dShape& s) {
    return is_depthwise(s) && s.w.kernel == 3 && s.groups >= kLeastPlanes;
}

/// dw [groups, 3, 3]: of each channel the images are added in order, then the lanes.
template <class T>
void depthwise_weight(const Conv2dShape& s, const T* x, const T* dy, T* dw) {
    static constexpr int64_t kTaps = 9, kMostLanes = 16;
    const ConvKernels<T>& kernels = conv_kernels<T>();
    const DepthwiseWeight<T> add = depthwise_weight_kernel<T>();
    const ImageBatch<T> images{x, s.batch * s.groups, s.groups, 1, {forward_axis(s.h), forward_axis(s.w)}};
    const int64_t rows = s.h.out(), columns = s.w.out(), lanes = kernels.lanes;
    const int64_t work = s.batch * (kTaps * rows * columns + images.copy_size());
    parallel_for(s.groups, ceil_div(kThreadWork, work), [&](int64_t begin, int64_t end) {
        PlaneCopy<T> copy(kernels, images, images.copy_size());
        for (int64_t channel = begin; channel < end; ++channel) {
            alignas(64) T sums[kTaps * kMostLanes] = {};
            for (int64_t i = channel; i < images.count; i += s.groups) {
                add(rows, columns, dy + i * rows * columns, copy.of(i, 0, 1), images.planes.pitch(), sums);
            }
            for (int64_t t = 0; t < kTaps; ++t) dw[channel * kTaps + t] = kernels.sum_lanes(1, sums + t * lanes, 0);
        }
    });
}

}  // namespace burn::ndarray
