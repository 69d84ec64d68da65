#include <burn/backends/ndarray/ndarray_ops.h>

namespace burn::ndarray {

ops::Handle run(const ops::MatMul&, Args& args) {
    ops::Handle result = args.make_result();
    const NdTensor& lhs = args.input(0);
    const NdTensor& rhs = args.input(1);
    const NdTensor& out = NdTensor::of(result);
    const std::size_t rank = out.spec().rank();
    Shape lhs_shape = out.spec().shape;
    Shape rhs_shape = out.spec().shape;
    const std::int64_t inner = lhs.spec().shape[rank - 1];
    lhs_shape[rank - 1] = inner;
    rhs_shape[rank - 2] = inner;
    const Layout lhs_layout = lhs.layout().expand(lhs_shape);
    const Layout rhs_layout = rhs.layout().expand(rhs_shape);
    const std::int64_t rows = out.spec().shape[rank - 2];
    const std::int64_t columns = out.spec().shape[rank - 1];
    const std::int64_t batches = rows * columns == 0 ? 0 : out.spec().shape.numel() / (rows * columns);
    visit_dtype(out.spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            using Sum = std::conditional_t<std::is_same_v<T, f16> || std::is_same_v<T, bf16>, float, T>;
            T* y = out.data<T>();
            for (std::int64_t batch = 0; batch < batches; ++batch) {
                std::int64_t left = batch;
                const T* a = lhs.data<T>();
                const T* b = rhs.data<T>();
                for (std::size_t axis = rank - 2; axis-- > 0;) {
                    const std::int64_t index = left % out.spec().shape[axis];
                    left /= out.spec().shape[axis];
                    a += index * lhs_layout.strides[axis];
                    b += index * rhs_layout.strides[axis];
                }
                for (std::int64_t i = 0; i < rows; ++i) {
                    for (std::int64_t j = 0; j < columns; ++j) {
                        Sum total{};
                        for (std::int64_t k = 0; k < inner; ++k) {
                            total += static_cast<Sum>(a[i * lhs_layout.strides[rank - 2] + k * lhs_layout.strides[rank - 1]]) *
                                     static_cast<Sum>(b[k * rhs_layout.strides[rank - 2] + j * rhs_layout.strides[rank - 1]]);
                        }
                        *y++ = T(total);
                    }
                }
            }
        }
    });
    return result;
}

}  // namespace burn::ndarray
