#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/pointwise/exp.h>
#include <burn/backends/ndarray/reduction/reduce_folds.h>
#include <burn/backends/ndarray/reduction/rows.h>
#include <burn/base/order.h>
#include <burn/ops/num.h>

namespace burn::ndarray {

namespace {

/// Elements that are worked on at once, so that what is computed of them stays in cache.
constexpr std::int64_t kPiece = 256;

template <class T>
struct SoftmaxRows {
    using A = typename AccumulatorOf<T>::type;

    /// Calls body(powers, first, size) with the exponentials of x - middle, piece by piece, and gives their sum. Pieces are added
    /// in f64: those of a long row may all round the same way.
    template <class Body>
    static A exponentials(const T* x, A middle, std::int64_t count, Body body) {
        double total = 0;
        A powers[kPiece];
        for (std::int64_t first = 0; first < count; first += kPiece) {
            const std::int64_t size = least(kPiece, count - first);
            for (std::int64_t i = 0; i < size; ++i) powers[i] = static_cast<A>(x[first + i]) - middle;
            exp_row(powers, size);
            total += fold_packed<SumFold<A>>(powers, size);
            body(powers, first, size);
        }
        return static_cast<A>(total);
    }

    static void softmax(const T* x, T* y, std::int64_t count, bool quiet) {
        A middle = fold_packed<ExtremumFold<T, true>>(x, count);
        if (quiet && middle < 0) middle = 0;
        constexpr bool kKept = std::is_same_v<A, T>;  // half types would round twice: theirs are computed again
        A total = exponentials(x, middle, count, [y](const A* powers, std::int64_t first, std::int64_t size) {
            for (std::int64_t i = 0; kKept && i < size; ++i) y[first + i] = static_cast<T>(powers[i]);
        });
        if (quiet) {
            A rest = -middle;
            exp_row(&rest, 1);
            total += rest;
        }
        if constexpr (kKept) {
            for (std::int64_t i = 0; i < count; ++i) y[i] /= total;
        } else {
            exponentials(x, middle, count, [=](const A* powers, std::int64_t first, std::int64_t size) {
                for (std::int64_t i = 0; i < size; ++i) y[first + i] = static_cast<T>(powers[i] / total);
            });
        }
    }

    static void log_softmax(const T* x, T* y, std::int64_t count) {
        const A middle = fold_packed<ExtremumFold<T, true>>(x, count);
        const A total = exponentials(x, middle, count, [](const A*, std::int64_t, std::int64_t) {});
        const A norm = ops::log(ops::Num<A>(total)).value;
        for (std::int64_t i = 0; i < count; ++i) y[i] = static_cast<T>((static_cast<A>(x[i]) - middle) - norm);
    }

    static void softmax_grad(const T* y, const T* dy, T* dx, std::int64_t count) {
        double sum = 0;
        A products[kPiece];
        for (std::int64_t first = 0; first < count; first += kPiece) {
            const std::int64_t size = least(kPiece, count - first);
            for (std::int64_t i = 0; i < size; ++i)
                products[i] = static_cast<A>(y[first + i]) * static_cast<A>(dy[first + i]);
            sum += fold_packed<SumFold<A>>(products, size);
        }
        const A total = static_cast<A>(sum);
        for (std::int64_t i = 0; i < count; ++i) {
            dx[i] = static_cast<T>(static_cast<A>(y[i]) * (static_cast<A>(dy[i]) - total));
        }
    }

    static void log_softmax_grad(const T* y, const T* dy, T* dx, std::int64_t count) {
        const A total = fold_packed<SumFold<T>>(dy, count);
        exponentials(y, 0, count, [=](const A* powers, std::int64_t first, std::int64_t size) {
            for (std::int64_t i = 0; i < size; ++i) {
                dx[first + i] = static_cast<T>(static_cast<A>(dy[first + i]) - powers[i] * total);
            }
        });
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
                for (std::int64_t i = begin; i < end; ++i)
                    body(T(), first.row<T>(i), second.row<T>(i), to + i * length, length);
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
