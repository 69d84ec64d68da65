#include <burn/backends/ndarray/gemm_any.h>
#include <burn/backends/ndarray/ndarray_ops.h>

namespace burn::ndarray {

/// The result starts as rows of bias, and the product is added to it.
ops::Handle run(const ops::Linear&, Args& args) {
    const ops::Handle packed = args.contiguous(0);
    const NdTensor& x = NdTensor::of(packed);
    const NdTensor& weight = args.input(1);
    const ops::Handle bias = args.count() == 3 ? args.contiguous(2) : ops::Handle();
    ops::Handle result = args.make_result();
    const NdTensor& y = NdTensor::of(result);
    const std::int64_t in = weight.spec().shape[0];
    const std::int64_t out = weight.spec().shape[1];
    const std::int64_t rows = out == 0 ? 0 : y.spec().shape.numel() / out;
    visit_dtype(y.spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            if (bias) {
                for (std::int64_t row = 0; row < rows; ++row) {
                    __builtin_memcpy(y.data<T>() + row * out, NdTensor::of(bias).data<T>(),
                                     static_cast<std::size_t>(out) * sizeof(T));
                }
            }
            const Dims& strides = weight.layout().strides;
            gemm_any<T>({rows, out, in}, {x.data<const T>(), in, 1}, {weight.data<const T>(), strides[0], strides[1]},
                        {y.data<T>(), out, 1}, static_cast<bool>(bias));
        }
    });
    return result;
}

}  // namespace burn::ndarray
