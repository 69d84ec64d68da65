#include <burn/backends/ndarray/gemm_any.h>
#include <burn/backends/ndarray/ndarray_ops.h>

namespace burn::ndarray {

ops::Handle run(const ops::MatMul&, Args& args) {
    ops::Handle result = args.make_result();
    const NdTensor& lhs = args.input(0);
    const NdTensor& rhs = args.input(1);
    const NdTensor& out = NdTensor::of(result);
    const Shape& shape = out.spec().shape;
    const std::size_t row = shape.rank() - 2;
    const std::size_t column = shape.rank() - 1;
    const GemmShape sizes{shape[row], shape[column], lhs.spec().shape[column]};
    Shape lhs_shape = shape;
    Shape rhs_shape = shape;
    lhs_shape[column] = sizes.k;
    rhs_shape[row] = sizes.k;
    const Layout a = lhs.layout().expand(lhs_shape);
    const Layout b = rhs.layout().expand(rhs_shape);
    const Layout& c = out.layout();
    GemmBatch batch;
    batch.rank = static_cast<int>(row);
    for (std::size_t axis = 0; axis < row; ++axis) {
        batch.sizes[axis] = shape[axis];
        batch.a_strides[axis] = a.strides[axis];
        batch.b_strides[axis] = b.strides[axis];
        batch.c_strides[axis] = c.strides[axis];
    }
    visit_dtype(out.spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            gemm_batched_any<T>(batch, sizes, {lhs.data<const T>(), a.strides[row], a.strides[column]},
                                {rhs.data<const T>(), b.strides[row], b.strides[column]},
                                {out.data<T>(), c.strides[row], c.strides[column]});
        }
    });
    return result;
}

}  // namespace burn::ndarray
