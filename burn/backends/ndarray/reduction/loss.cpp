#include <burn/backends/ndarray/indexing/places.h>
#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/pointwise/exp.h>
#include <burn/backends/ndarray/reduction/reduce_folds.h>
#include <burn/backends/ndarray/reduction/rows.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/ops/num.h>

namespace burn::ndarray {

namespace {

/// The exponentials of a row's differences from its largest element, and their sum.
template <class T>
struct Exponentials {
    using A = typename AccumulatorOf<T>::type;
    A middle;
    A total;

    Exponentials(const T* x, A* powers, std::int64_t count) : middle(fold_packed<ExtremumFold<T, true>>(x, count)) {
        for (std::int64_t i = 0; i < count; ++i) powers[i] = static_cast<A>(x[i]) - middle;
        exp_row(powers, count);
        total = fold_packed<SumFold<A>>(powers, count);
    }
};

/// Calls `write(i, x, target, exponentials, powers, result)` for each row i of the logits, operand 0, with its class of the
/// targets, operand 1. `x` and `result` are of the logits' type, the rest is what a row is computed in.
template <class Write>
ops::Handle for_each_target(const char* op, Args& args, Write write) {
    const ops::Handle logits = args.contiguous(0);
    const std::int64_t classes = logits.shape()[1];
    const Places targets = load_places(args, 1, 1, op);
    const std::int64_t step = targets.view.layout.strides[0];
    const auto* first = reinterpret_cast<const std::int64_t*>(targets.view.data) + targets.view.layout.offset;
    ops::Handle result = args.make_result();
    visit_dtype(logits.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            using A = typename AccumulatorOf<T>::type;
            for_rows(logits.shape()[0], classes, [&](std::int64_t begin, std::int64_t end) {
                Scratch<A> powers(classes);
                for (std::int64_t row = begin; row < end; ++row) {
                    const T* x = NdTensor::of(logits).data<const T>() + row * classes;
                    const Exponentials<T> exponentials(x, powers.data(), classes);
                    write(row, x, first[row * step], exponentials, powers.data(), NdTensor::of(result).data<T>());
                }
            });
        }
    });
    return result;
}

}  // namespace

ops::Handle run(const ops::CrossEntropy& op, Args& args) {
    return for_each_target(op.info.name, args,
                           []<class T, class A>(std::int64_t row, const T* x, std::int64_t target,
                                                const Exponentials<T>& exponentials, const A*, T* losses) {
                               const A chosen = static_cast<A>(x[target]) - exponentials.middle;
                               losses[row] = static_cast<T>(ops::log(ops::Num<A>(exponentials.total)).value - chosen);
                           });
}

ops::Handle run(const ops::CrossEntropyGrad& op, Args& args) {
    const ops::Handle dy = args.contiguous(2);
    const std::int64_t classes = args.input(0).spec().shape[1];
    return for_each_target(op.info.name, args,
                           [&]<class T, class A>(std::int64_t row, const T*, std::int64_t target,
                                                 const Exponentials<T>& exponentials, const A* powers, T* dlogits) {
                               const A cotangent = static_cast<A>(NdTensor::of(dy).data<const T>()[row]);
                               T* dx = dlogits + row * classes;
                               for (std::int64_t i = 0; i < classes; ++i) {
                                   const A error = powers[i] / exponentials.total - (i == target ? A(1) : A(0));
                                   dx[i] = static_cast<T>(error * cotangent);
                               }
                           });
}

}  // namespace burn::ndarray
