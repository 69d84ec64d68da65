// The convolution of an operation as a value, so that a backend made from NdArray can have something else run it.
#pragma once

#include <burn/backends/ndarray/args.h>
#include <burn/backends/ndarray/convolution/conv_kernels.h>
#include <burn/base/function_ref.h>
#include <burn/ops/conv.h>

namespace burn::ndarray {

enum class ConvolutionKind : std::uint8_t { Forward, InputGrad, WeightGrad };

/// One of conv2d_forward, conv2d_backward_input and conv2d_backward_weight, for any element type. All three tensors are
/// contiguous.
struct Convolution {
    ConvolutionKind kind = ConvolutionKind::Forward;
    DType dtype = DType::F32;
    Conv2dShape shape;
    const std::byte* left = nullptr;         ///< x, dy, x
    const std::byte* right = nullptr;        ///< w, w, dy
    std::byte* result = nullptr;             ///< y, dx, dw
    const RowsFinished* finished = nullptr;  ///< who is told of y's planes
};

/// Runs a convolution as NdArray does.
void convolve(const Convolution& convolution);

using Convolve = FunctionRef<void(const Convolution& convolution)>;

/// The three operations, run by `convolve`.
ops::Handle run_conv(const ops::Conv& op, Args& args, Convolve convolve);
ops::Handle run_conv(const ops::ConvInputGrad& op, Args& args, Convolve convolve);
ops::Handle run_conv(const ops::ConvWeightGrad& op, Args& args, Convolve convolve);

}  // namespace burn::ndarray
