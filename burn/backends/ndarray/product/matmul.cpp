#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/product/gemm_any.h>
#include <burn/backends/ndarray/product/product.h>

namespace burn::ndarray {

void multiply(const Product& product) {
    visit_dtype(product.dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            gemm_batched_any<T>(product.batch, product.shape, product.a.view<const T>(), product.b.view<const T>(),
                                product.c.view<T>(), product.accumulate, product.finished);
        }
    });
}

ops::Handle run_matmul(Args& args, Multiply multiply) {
    ops::Handle result = args.make_result();
    const NdTensor& lhs = args.input(0);
    const NdTensor& rhs = args.input(1);
    const NdTensor& out = NdTensor::of(result);
    const Shape& shape = out.spec().shape;
    const std::size_t row = shape.rank() - 2;
    const std::size_t column = shape.rank() - 1;
    Product product;
    product.dtype = out.spec().dtype;
    product.shape = {shape[row], shape[column], lhs.spec().shape[column]};
    Shape lhs_shape = shape;
    Shape rhs_shape = shape;
    lhs_shape[column] = product.shape.k;
    rhs_shape[row] = product.shape.k;
    const Layout a = lhs.layout().expand(lhs_shape);
    const Layout b = rhs.layout().expand(rhs_shape);
    const Layout& c = out.layout();
    product.a = {lhs.bytes(), a.strides[row], a.strides[column]};
    product.b = {rhs.bytes(), b.strides[row], b.strides[column]};
    product.c = {out.bytes(), c.strides[row], c.strides[column]};
    GemmBatch& batch = product.batch;
    batch.rank = static_cast<int>(row);
    for (std::size_t axis = 0; axis < row; ++axis) {
        batch.sizes[axis] = shape[axis];
        batch.a_strides[axis] = a.strides[axis];
        batch.b_strides[axis] = b.strides[axis];
        batch.c_strides[axis] = c.strides[axis];
    }
    multiply(product);
    return result;
}

ops::Handle run(const ops::MatMul&, Args& args) { return run_matmul(args, multiply); }

}  // namespace burn::ndarray
