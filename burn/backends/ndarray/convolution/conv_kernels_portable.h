// Convolution in plain C++, for any arithmetic type: integers everywhere, floats where there is no operating system.
//
// Written as gathers (each result sums its own terms), so that threads share results and no result depends on how many there are.
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/convolution/conv_kernels.h>
#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/product/gemm_portable.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// The part [begin, end) of a kernel's axis whose padded input index start + p * dilation is inside the input.
struct TapRange {
    TapRange(const ConvAxis& axis, int64_t start)
        : begin(start >= 0 ? 0 : min_of(axis.kernel, ceil_div(-start, axis.dilation))),
          end(start >= axis.in ? 0 : min_of(axis.kernel, ceil_div(axis.in - start, axis.dilation))) {}
    int64_t begin, end;
};

/// `conv2d_forward` for any arithmetic T. Integers wrap; see gemm_portable.
template <class T>
void conv2d_forward_portable(const Conv2dShape& s, const T* x, const T* w, T* y) {
    using Sum = typename GemmSum<T>::type;
    const int64_t out_h = s.h.out();
    const int64_t out_w = s.w.out();
    if (out_h <= 0 || out_w <= 0) return;
    parallel_for(
        s.batch * s.out_channels, 1 + kThreadWork / (s.taps() * out_h * out_w + 1), [&](int64_t first, int64_t last) {
            for (int64_t plane = first; plane < last; ++plane) {
                const int64_t o = plane % s.out_channels;
                const int64_t channel = plane / s.out_channels * s.in_channels + o / s.group_out() * s.group_in();
                const T* image = x + channel * s.h.in * s.w.in;
                const T* filter = w + o * s.taps();
                T* out = y + plane * out_h * out_w;
                for (int64_t i = 0; i < out_h; ++i) {
                    const int64_t top = i * s.h.stride - s.h.pad_before;
                    const TapRange rows(s.h, top);
                    for (int64_t j = 0; j < out_w; ++j) {
                        const int64_t left = j * s.w.stride - s.w.pad_before;
                        const TapRange columns(s.w, left);
                        Sum sum{};
                        for (int64_t c = 0; c < s.group_in(); ++c) {
                            for (int64_t p = rows.begin; p < rows.end; ++p) {
                                const T* from = image + (c * s.h.in + top + p * s.h.dilation) * s.w.in + left;
                                const T* taps = filter + (c * s.h.kernel + p) * s.w.kernel;
                                for (int64_t q = columns.begin; q < columns.end; ++q) {
                                    sum += static_cast<Sum>(taps[q]) * static_cast<Sum>(from[q * s.w.dilation]);
                                }
                            }
                        }
                        out[i * out_w + j] = static_cast<T>(sum);
                    }
                }
            }
        });
}

/// `conv2d_backward_input` for any arithmetic T.
template <class T>
void conv2d_backward_input_portable(const Conv2dShape& s, const T* dy, const T* w, T* dx) {
    using Sum = typename GemmSum<T>::type;
    const int64_t out_h = s.h.out();
    const int64_t out_w = s.w.out();
    // The output that input `index` reaches through tap p, or -1.
    const auto output = [](const ConvAxis& axis, int64_t out, int64_t index, int64_t p) {
        const int64_t at = index + axis.pad_before - p * axis.dilation;
        return at >= 0 && at % axis.stride == 0 && at / axis.stride < out ? at / axis.stride : -1;
    };
    const int64_t work = s.group_out() * s.h.kernel * s.w.kernel * s.h.in * s.w.in + 1;
    parallel_for(s.batch * s.in_channels, 1 + kThreadWork / work, [&](int64_t first, int64_t last) {
        for (int64_t plane = first; plane < last; ++plane) {
            const int64_t channel = plane % s.in_channels;
            const int64_t group = channel / s.group_in();
            const int64_t c = channel % s.group_in();
            const T* images = dy + (plane / s.in_channels * s.out_channels + group * s.group_out()) * out_h * out_w;
            for (int64_t y = 0; y < s.h.in; ++y) {
                for (int64_t z = 0; z < s.w.in; ++z) {
                    Sum sum{};
                    for (int64_t p = 0; p < s.h.kernel; ++p) {
                        const int64_t i = output(s.h, out_h, y, p);
                        for (int64_t q = 0; i >= 0 && q < s.w.kernel; ++q) {
                            const int64_t j = output(s.w, out_w, z, q);
                            if (j < 0) continue;
                            for (int64_t o = 0; o < s.group_out(); ++o) {
                                const int64_t filter =
                                    ((group * s.group_out() + o) * s.group_in() + c) * s.h.kernel + p;
                                sum += static_cast<Sum>(w[filter * s.w.kernel + q]) *
                                       static_cast<Sum>(images[(o * out_h + i) * out_w + j]);
                            }
                        }
                    }
                    dx[(plane * s.h.in + y) * s.w.in + z] = static_cast<T>(sum);
                }
            }
        }
    });
}

/// `conv2d_backward_weight` for any arithmetic T.
template <class T>
void conv2d_backward_weight_portable(const Conv2dShape& s, const T* x, const T* dy, T* dw) {
    using Sum = typename GemmSum<T>::type;
    const int64_t out_h = s.h.out();
    const int64_t out_w = s.w.out();
    parallel_for(
        s.out_channels * s.taps(), 1 + kThreadWork / (s.batch * out_h * out_w + 1), [&](int64_t first, int64_t last) {
            for (int64_t index = first; index < last; ++index) {
                const int64_t q = index % s.w.kernel;
                const int64_t p = index / s.w.kernel % s.h.kernel;
                const int64_t o = index / s.taps();
                const int64_t c = index / (s.w.kernel * s.h.kernel) % s.group_in() + o / s.group_out() * s.group_in();
                Sum sum{};
                for (int64_t b = 0; b < s.batch; ++b) {
                    const T* image = x + (b * s.in_channels + c) * s.h.in * s.w.in;
                    const T* out = dy + (b * s.out_channels + o) * out_h * out_w;
                    for (int64_t i = 0; i < out_h; ++i) {
                        const int64_t y = i * s.h.stride + p * s.h.dilation - s.h.pad_before;
                        if (y < 0 || y >= s.h.in) continue;
                        for (int64_t j = 0; j < out_w; ++j) {
                            const int64_t z = j * s.w.stride + q * s.w.dilation - s.w.pad_before;
                            if (z < 0 || z >= s.w.in) continue;
                            sum += static_cast<Sum>(image[y * s.w.in + z]) * static_cast<Sum>(out[i * out_w + j]);
                        }
                    }
                }
                dw[index] = static_cast<T>(sum);
            }
        });
}

}  // namespace burn::ndarray
