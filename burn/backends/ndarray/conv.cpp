#include <burn/backends/ndarray/conv_kernels_any.h>
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

/// Runs `kernel` on the element type with both operands and the result contiguous.
template <class Kernel>
ops::Handle run_kernel(const Args& args, Kernel kernel) {
    const ops::Handle a = args.contiguous(0);
    const ops::Handle b = args.contiguous(1);
    ops::Handle result = args.make_result();
    visit_dtype(args.result_spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            kernel(NdTensor::of(a).data<const T>(), NdTensor::of(b).data<const T>(), NdTensor::of(result).data<T>());
        }
    });
    return result;
}

}  // namespace

ops::Handle run(const ops::Conv& op, Args& args) {
    const Conv2dShape shape = shape_of(op.options, args.input(0).spec().shape, args.input(1).spec().shape);
    return run_kernel(
        args, [&shape]<class T>(const T* x, const T* weight, T* y) { conv2d_forward_any<T>(shape, x, weight, y); });
}

ops::Handle run(const ops::ConvInputGrad& op, Args& args) {
    const Conv2dShape shape = shape_of(op.options, args.result_spec().shape, args.input(1).spec().shape);
    return run_kernel(args, [&shape]<class T>(const T* dy, const T* weight, T* dx) {
        conv2d_backward_input_any<T>(shape, dy, weight, dx);
    });
}

ops::Handle run(const ops::ConvWeightGrad& op, Args& args) {
    const Conv2dShape shape = shape_of(op.options, args.input(0).spec().shape, args.result_spec().shape);
    return run_kernel(
        args, [&shape]<class T>(const T* x, const T* dy, T* dw) { conv2d_backward_weight_any<T>(shape, x, dy, dw); });
}

}  // namespace burn::ndarray
