#include <burn/backends/ndarray/exp.h>
#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/reduce_folds.h>
#include <burn/backends/ndarray/rows.h>
#include <burn/base/order.h>
#include <burn/ops/num.h>

namespace burn::ndarray {

namespace {

/// Elements whose exponentials or products stay in cache until they are summed.
constexpr std::int64_t kPiece = 256;

/// Sums term(i) over a row, piece by piece.
template <class A, class Term>
A sum_terms(std::int64_t count, Term term) {
    A total = 0;
    A terms[kPiece];
    for (std::int64_t first = 0; first < count; first += kPiece) {
        const std::int64_t size = least(kPiece, count - first);
        for (std::int64_t i = 0; i < size; ++i) terms[i] = term(first + i);
        total += fold_packed<SumFold<A>>(terms, size);
    }
    return total;
}

template <class T>
struct SoftmaxRows {
    using A = typename AccumulatorOf<T>::type;

    static void softmax(const T* x, T* y, std::int64_t count, bool quiet) {
        A middle = fold_packed<ExtremumFold<T, true>>(x, count);
        if (quiet && middle < 0) middle = 0;
        A total = sum_terms<A>(count, [=](std::int64_t i) { return exp_lane(static_cast<A>(x[i]) - middle); });
        if (quiet) total += exp_lane(-middle);
        for (std::int64_t i = 0; i < count; ++i) y[i] = static_cast<T>(exp_lane(static_cast<A>(x[i]) - middle) / total);
    }

    static void log_softmax(const T* x, T* y, std::int64_t count) {
        const A middle = fold_packed<ExtremumFold<T, true>>(x, count);
        const A total = sum_terms<A>(count, [=](std::int64_t i) { return exp_lane(static_cast<A>(x[i]) - middle); });
        const A norm = ops::log(ops::Num<A>(total)).value;
        for (std::int64_t i = 0; i < count; ++i) y[i] = static_cast<T>((static_cast<A>(x[i]) - middle) - norm);
    }

    static void softmax_grad(const T* y, const T* dy, T* dx, std::int64_t count) {
        const A total = sum_terms<A>(count, [=](std::int64_t i) { return static_cast<A>(y[i]) * static_cast<A>(dy[i]); });
        for (std::int64_t i = 0; i < count; ++i) {
            dx[i] = static_cast<T>(static_cast<A>(y[i]) * (static_cast<A>(dy[i]) - total));
        }
    }

    static void log_softmax_grad(const T* y, const T* dy, T* dx, std::int64_t count) {
        const A total = fold_packed<SumFold<T>>(dy, count);
        for (std::int64_t i = 0; i < count; ++i) {
            dx[i] = static_cast<T>(static_cast<A>(dy[i]) - exp_lane(static_cast<A>(y[i])) * total);
        }
    }
};

/// Runs `body(T(), row of operand 0, row of operand 1 or null, row of the result, length)` on every row along `axis`.
template <class Body>
ops::Handle run_rows(const Args& args, std::int64_t axis, Body body) {
    const Rows first(args.input(0), {axis});
    const Rows second(args.input(args.count() - 1), {axis});
    const DType dtype = args.result_spec().dtype;
    const Ref<Block> block = first.make_block(dtype);
    visit_dtype(dtype, [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            T* to = reinterpret_cast<T*>(block->data());
            const std::int64_t length = first.length();
            for_rows(first.count(), length, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) body(T(), first.row<T>(i), second.row<T>(i), to + i * length, length);
            });
        }
    });
    return first.unpack(args.engine(), dtype, block);
}

}  // namespace

ops::Handle run(const ops::Softmax& op, Args& args) {
    return run_rows(args, op.axis, [&op]<class T>(T, const T* x, const T*, T* y, std::int64_t count) {
        SoftmaxRows<T>::softmax(x, y, count, op.quiet);
    });
}

ops::Handle run(const ops::SoftmaxGrad& op, Args& args) {
    return run_rows(args, op.axis, []<class T>(T, const T* y, const T* dy, T* dx, std::int64_t count) {
        SoftmaxRows<T>::softmax_grad(y, dy, dx, count);
    });
}

ops::Handle run(const ops::LogSoftmax& op, Args& args) {
    return run_rows(args, op.axis, []<class T>(T, const T* x, const T*, T* y, std::int64_t count) {
        SoftmaxRows<T>::log_softmax(x, y, count);
    });
}

ops::Handle run(const ops::LogSoftmaxGrad& op, Args& args) {
    return run_rows(args, op.axis, []<class T>(T, const T* y, const T* dy, T* dx, std::int64_t count) {
        SoftmaxRows<T>::log_softmax_grad(y, dy, dx, count);
    });
}

}  // namespace burn::ndarray
