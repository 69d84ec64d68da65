// Two-dimensional convolution on raw memory: contiguous NCHW tensors. One-dimensional ones have height 1.
#pragma once

#include <burn/backends/ndarray/product/rows_finished.h>

#include <cstdint>

namespace burn::ndarray {

/// One spatial axis of a convolution.
struct ConvAxis {
    int64_t in = 1;          ///< size of x
    int64_t kernel = 1;      ///< size of w
    int64_t stride = 1;      ///< >= 1
    int64_t dilation = 1;    ///< >= 1
    int64_t pad_before = 0;  ///< zeros in front of x, >= 0
    int64_t pad_after = 0;   ///< and behind it

    /// Size of y; 0 when the kernel does not fit.
    int64_t out() const {
        const int64_t room = in + pad_before + pad_after - dilation * (kernel - 1) - 1;
        return room < 0 || kernel < 1 ? 0 : room / stride + 1;
    }
};

/// Sizes of a convolution. The caller has checked that groups divides both numbers of channels.
struct Conv2dShape {
    int64_t batch = 1;
    int64_t in_channels = 1;
    int64_t out_channels = 1;
    int64_t groups = 1;
    ConvAxis h;
    ConvAxis w;

    int64_t group_in() const { return in_channels / groups; }
    int64_t group_out() const { return out_channels / groups; }
    /// Products in one sum of y: elements of one filter.
    int64_t taps() const { return group_in() * h.kernel * w.kernel; }
};

/// Convolution (cross-correlation, as everywhere in deep learning), without bias.
///
///   y[b, o, i, j] = sum over c, p, q of w[o, c, p, q] * x[b, g * C/groups + c, i * stride + p * dilation - pad, ...]
///
/// g is the group of o; x is 0 outside. `finished` is told of y's planes: plane b * out_channels + o is its row of that number.
///
/// Shapes    x [batch, in_channels, h.in, w.in], w [out_channels, in_channels / groups, h.kernel, w.kernel]
///           -> y [batch, out_channels, h.out(), w.out()]; all contiguous, none overlapping another
/// Numerics  every element is summed in an order that depends on the shape only: the same bits for any number of threads;
///           products are fused into sums where the processor can (see gemm.h)
/// Memory    per thread a padded copy of one image's group, where it is padded, strided or last, or of the groups of those small images
///           that 512 outputs belong to; some 300 KB per thread; the weights once more
void conv2d_forward(const Conv2dShape& shape, const float* x, const float* w, float* y,
                    const RowsFinished* finished = nullptr);
void conv2d_forward(const Conv2dShape& shape, const double* x, const double* w, double* y,
                    const RowsFinished* finished = nullptr);

/// Gradient of conv2d_forward with respect to x.
///
/// Shapes    dy like y, w -> dx like x
/// Numerics  as conv2d_forward
void conv2d_backward_input(const Conv2dShape& shape, const float* dy, const float* w, float* dx);
void conv2d_backward_input(const Conv2dShape& shape, const double* dy, const double* w, double* dx);

/// Gradient of conv2d_forward with respect to w.
///
/// Shapes    x, dy like y -> dw like w
/// Numerics  sums over the batch are cut into chunks and vector lanes by rules that look at the shape only
void conv2d_backward_weight(const Conv2dShape& shape, const float* x, const float* dy, float* dw);
void conv2d_backward_weight(const Conv2dShape& shape, const double* x, const double* dy, double* dw);

}  // namespace burn::ndarray
