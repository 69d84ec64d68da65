#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/product/product.h>

namespace burn::ndarray {

/// The result starts as rows of bias, and the product is added to it.
ops::Handle run_linear(Args& args, Multiply multiply) {
    const ops::Handle packed = args.contiguous(0);
    const NdTensor& x = NdTensor::of(packed);
    const NdTensor& weight = args.input(1);
    const ops::Handle bias = args.count() == 3 ? args.contiguous(2) : ops::Handle();
    ops::Handle result = args.make_result();
    const NdTensor& y = NdTensor::of(result);
    const std::int64_t in = weight.spec().shape[0];
    const std::int64_t out = weight.spec().shape[1];
    const std::int64_t rows = out == 0 ? 0 : y.spec().shape.numel() / out;
    if (bias) {
        const std::size_t row_bytes = static_cast<std::size_t>(out) * size_of(y.spec().dtype);
        std::byte* to = y.bytes();
        for (std::int64_t row = 0; row < rows; ++row, to += row_bytes) {
            __builtin_memcpy(to, NdTensor::of(bias).bytes(), row_bytes);
        }
    }
    const Dims& strides = weight.layout().strides;
    Product product;
    product.dtype = y.spec().dtype;
    product.shape = {rows, out, in};
    product.a = {x.bytes(), in, 1};
    product.b = {weight.bytes(), strides[0], strides[1]};
    product.c = {y.bytes(), out, 1};
    product.accumulate = static_cast<bool>(bias);
    multiply(product);
    return result;
}

ops::Handle run(const ops::Linear&, Args& args) { return run_linear(args, multiply); }

}  // namespace burn::ndarray
