#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/pointwise/exp.h>
#include <burn/backends/ndarray/reduction/reduce_folds.h>
#include <burn/backends/ndarray/reduction/rows.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/ops/num.h>

namespace burn::ndarray {

namespace {

/// The targets as I64, each of them a class.
Scratch<std::int64_t> read_targets(const Args& args, std::int64_t classes, const char* op) {
    const ops::Handle packed = args.contiguous(1);
    const std::int64_t count = packed.shape()[0];
    Scratch<std::int64_t> targets(count);
    visit_dtype(packed.dtype(), [&]<class T>(T) {
        if constexpr (is_int(dtype_of<T>)) {
            for (std::int64_t i = 0; i < count; ++i)
                targets[i] = static_cast<std::int64_t>(NdTensor::of(packed).data<const T>()[i]);
        }
    });
    for (std::int64_t i = 0; i < count; ++i) {
        if (targets[i] < 0 || targets[i] >= classes) {
            raise(ErrorKind::Index,
                  Message() << op << ": target " << i << " is " << targets[i] << "; expected 0 to " << classes - 1);
        }
    }
    return targets;
}

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

}  // namespace

ops::Handle run(const ops::CrossEntropy& op, Args& args) {
    const ops::Handle logits = args.contiguous(0);
    const std::int64_t classes = logits.shape()[1];
    const Scratch<std::int64_t> targets = read_targets(args, classes, op.info.name);
    ops::Handle result = args.make_result();
    visit_dtype(logits.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            using A = typename AccumulatorOf<T>::type;
            for_rows(logits.shape()[0], classes, [&](std::int64_t begin, std::int64_t end) {
                Scratch<A> powers(classes);
                for (std::int64_t row = begin; row < end; ++row) {
                    const T* x = NdTensor::of(logits).data<const T>() + row * classes;
                    const Exponentials<T> exponentials(x, powers.data(), classes);
                    const A chosen = static_cast<A>(x[targets[row]]) - exponentials.middle;
                    NdTensor::of(result).data<T>()[row] =
                        static_cast<T>(ops::log(ops::Num<A>(exponentials.total)).value - chosen);
                }
            });
        }
    });
    return result;
}

ops::Handle run(const ops::CrossEntropyGrad& op, Args& args) {
    const ops::Handle logits = args.contiguous(0);
    const ops::Handle dy = args.contiguous(2);
    const std::int64_t classes = logits.shape()[1];
    const Scratch<std::int64_t> targets = read_targets(args, classes, op.info.name);
    ops::Handle result = args.make_result();
    visit_dtype(logits.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            using A = typename AccumulatorOf<T>::type;
            for_rows(logits.shape()[0], classes, [&](std::int64_t begin, std::int64_t end) {
                Scratch<A> powers(classes);
                for (std::int64_t row = begin; row < end; ++row) {
                    const Exponentials<T> exponentials(NdTensor::of(logits).data<const T>() + row * classes,
                                                       powers.data(), classes);
                    const A cotangent = static_cast<A>(NdTensor::of(dy).data<const T>()[row]);
                    T* dx = NdTensor::of(result).data<T>() + row * classes;
                    for (std::int64_t i = 0; i < classes; ++i) {
                        const A error = powers[i] / exponentials.total - (i == targets[row] ? A(1) : A(0));
                        dx[i] = static_cast<T>(error * cotangent);
                    }
                }
            });
        }
    });
    return result;
}

}  // namespace burn::ndarray
