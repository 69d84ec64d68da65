// Convolution for every element type: conv2d_* (f32, f64), conv2d_*_portable (integers), through f32 (half types).
#pragma once

#include <cstdint>
#include <type_traits>

#include <burn/backends/ndarray/convolution/conv_kernels.h>
#include <burn/backends/ndarray/convolution/conv_kernels_portable.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// f32 copies of two operands and room for an f32 result that `round` converts back: convolutions of types that are only
/// stored in 16 bits.
template <class T>
struct WidenedOperands {
    WidenedOperands(const T* a, int64_t a_size, const T* b, int64_t b_size, int64_t result_size)
        : left(a_size), right(b_size), result(result_size), size(result_size) {
        widen(a, a_size, left.data());
        widen(b, b_size, right.data());
    }

    void round(T* to) {
        parallel_for(size, 30'000, [&](int64_t first, int64_t last) {
            for (int64_t i = first; i < last; ++i) to[i] = static_cast<T>(result[i]);
        });
    }

    static void widen(const T* from, int64_t count, float* to) {
        parallel_for(count, 30'000, [&](int64_t first, int64_t last) {
            for (int64_t i = first; i < last; ++i) to[i] = static_cast<float>(from[i]);
        });
    }

    Scratch<float> left, right, result;
    int64_t size;
};

/// Elements of x, w and y.
inline int64_t conv_x_size(const Conv2dShape& s) { return s.batch * s.in_channels * s.h.in * s.w.in; }
inline int64_t conv_w_size(const Conv2dShape& s) { return s.out_channels * s.taps(); }
inline int64_t conv_y_size(const Conv2dShape& s) { return s.batch * s.out_channels * s.h.out() * s.w.out(); }

template <class T>
constexpr bool is_direct_conv_type = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// `conv2d_forward` for any element type.
///
/// DTypes    f32, f64; integers, which wrap; any other T that converts explicitly to and from float (f16, bf16): those are
///           summed in f32 and rounded once
template <class T>
void conv2d_forward_any(const Conv2dShape& s, const T* x, const T* w, T* y, const RowsFinished* finished = nullptr) {
    if constexpr (is_direct_conv_type<T>) {
        return conv2d_forward(s, x, w, y, finished);
    } else if constexpr (std::is_integral_v<T>) {
        conv2d_forward_portable<T>(s, x, w, y);
    } else {
        WidenedOperands<T> f(x, conv_x_size(s), w, conv_w_size(s), conv_y_size(s));
        conv2d_forward(s, f.left.data(), f.right.data(), f.result.data());
        f.round(y);
    }
    finish_rows(finished, 0, s.batch * s.out_channels, s.h.out() * s.w.out());
}

/// `conv2d_backward_input` for any element type; see conv2d_forward_any.
template <class T>
void conv2d_backward_input_any(const Conv2dShape& s, const T* dy, const T* w, T* dx) {
    if constexpr (is_direct_conv_type<T>) {
        conv2d_backward_input(s, dy, w, dx);
    } else if constexpr (std::is_integral_v<T>) {
        conv2d_backward_input_portable<T>(s, dy, w, dx);
    } else {
        WidenedOperands<T> f(dy, conv_y_size(s), w, conv_w_size(s), conv_x_size(s));
        conv2d_backward_input(s, f.left.data(), f.right.data(), f.result.data());
        f.round(dx);
    }
}

/// `conv2d_backward_weight` for any element type; see conv2d_forward_any.
template <class T>
void conv2d_backward_weight_any(const Conv2dShape& s, const T* x, const T* dy, T* dw) {
    if constexpr (is_direct_conv_type<T>) {
        conv2d_backward_weight(s, x, dy, dw);
    } else if constexpr (std::is_integral_v<T>) {
        conv2d_backward_weight_portable<T>(s, x, dy, dw);
    } else {
        WidenedOperands<T> f(x, conv_x_size(s), dy, conv_y_size(s), conv_w_size(s));
        conv2d_backward_weight(s, f.left.data(), f.right.data(), f.result.data());
        f.round(dw);
    }
}

}  // namespace burn::ndarray
