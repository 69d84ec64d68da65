#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/reduction/reduce_kernel.h>
#include <burn/backends/ndarray/reduction/rows.h>

namespace burn::ndarray {

namespace {

/// Products of what lies before and behind each element of a row; `before` has room for a row.
template <class T>
void multiply_others(const T* x, T* y, typename AccumulatorOf<T>::type* before, std::int64_t count) {
    using A = typename AccumulatorOf<T>::type;
    A product = 1;
    for (std::int64_t i = 0; i < count; ++i) {
        before[i] = product;
        product *= static_cast<A>(x[i]);
    }
    product = 1;
    for (std::int64_t i = count; i-- > 0;) {
        y[i] = static_cast<T>(before[i] * product);
        product *= static_cast<A>(x[i]);
    }
}

}  // namespace

ops::Handle run(const ops::ProdOfOthers& op, Args& args) {
    const Rows rows(args.input(0), op.axes);
    const DType dtype = args.result_spec().dtype;
    const Ref<Block> block = rows.make_block(dtype);
    visit_dtype(dtype, [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            using A = typename AccumulatorOf<T>::type;
            T* to = reinterpret_cast<T*>(block->data());
            for_rows(rows.count(), rows.length(), [&](std::int64_t begin, std::int64_t end) {
                const Ref<Block> before = Block::make(static_cast<std::size_t>(rows.length()) * sizeof(A));
                for (std::int64_t i = begin; i < end; ++i) {
                    multiply_others(rows.row<T>(i), to + i * rows.length(), reinterpret_cast<A*>(before->data()),
                                    rows.length());
                }
            });
        }
    });
    return rows.unpack(args.engine(), dtype, block);
}

}  // namespace burn::ndarray
