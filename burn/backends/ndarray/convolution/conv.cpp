#include <burn/backends/ndarray/convolution/conv_kernels_any.h>
#include <burn/backends/ndarray/convolution/convolution.h>
#include <burn/backends/ndarray/ndarray_ops.h>

namespace burn::ndarray {

namespace {

/// One spatial axis, counted from the last; where there is none, one of size 1.
ConvAxis axis_of(const ops::ConvOptions& options, const Shape& x, const Shape& weight, std::size_t from_last) {
    if (from_last + 2 >= x.rank()) return {};
    const std::size_t i = x.rank() - 3 - from_last;
    return {
        x[i + 2], weight[i + 2], options.stride[i], options.dilation[i], options.padding[i], options.padding_behind[i]};
}

Conv2dShape shape_of(const ops::ConvOptions& options, const Shape& x, const Shape& weight) {
    return {x[0], x[1], weight[0], options.groups, axis_of(options, x, weight, 1), axis_of(options, x, weight, 0)};
}

/// Runs a convolution of the operands, both made contiguous.
ops::Handle run_on(const Args& args, ConvolutionKind kind, const Conv2dShape& shape, Convolve convolve) {
    const ops::Handle left = args.contiguous(0);
    const ops::Handle right = args.contiguous(1);
    ops::Handle result = args.make_result();
    convolve({kind, args.result_spec().dtype, shape, NdTensor::of(left).bytes(), NdTensor::of(right).bytes(),
              NdTensor::of(result).bytes(), nullptr});
    return result;
}

}  // namespace

void convolve(const Convolution& convolution) {
    visit_dtype(convolution.dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            const auto* left = reinterpret_cast<const T*>(convolution.left);
            const auto* right = reinterpret_cast<const T*>(convolution.right);
            auto* result = reinterpret_cast<T*>(convolution.result);
            switch (convolution.kind) {
                case ConvolutionKind::Forward:
                    return conv2d_forward_any<T>(convolution.shape, left, right, result, convolution.finished);
                case ConvolutionKind::InputGrad:
                    return conv2d_backward_input_any<T>(convolution.shape, left, right, result);
                case ConvolutionKind::WeightGrad:
                    return conv2d_backward_weight_any<T>(convolution.shape, left, right, result);
            }
        }
    });
}

ops::Handle run_conv(const ops::Conv& op, Args& args, Convolve convolve) {
    const Shape &x = args.input(0).spec().shape, &weight = args.input(1).spec().shape;
    return run_on(args, ConvolutionKind::Forward, shape_of(op.options, x, weight), convolve);
}

ops::Handle run_conv(const ops::ConvInputGrad& op, Args& args, Convolve convolve) {
    const Shape &x = args.result_spec().shape, &weight = args.input(1).spec().shape;
    return run_on(args, ConvolutionKind::InputGrad, shape_of(op.options, x, weight), convolve);
}

ops::Handle run_conv(const ops::ConvWeightGrad& op, Args& args, Convolve convolve) {
    const Shape &x = args.input(0).spec().shape, &weight = args.result_spec().shape;
    return run_on(args, ConvolutionKind::WeightGrad, shape_of(op.options, x, weight), convolve);
}

ops::Handle run(const ops::Conv& op, Args& args) { return run_conv(op, args, convolve); }
ops::Handle run(const ops::ConvInputGrad& op, Args& args) { return run_conv(op, args, convolve); }
ops::Handle run(const ops::ConvWeightGrad& op, Args& args) { return run_conv(op, args, convolve); }

}  // namespace burn::ndarray
