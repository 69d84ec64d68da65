#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/pool/pool_kernels.h>
#include <burn/backends/ndarray/reduction/reduce_folds.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/order.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

namespace {

constexpr std::int64_t kParallelElements = 16 * 1024;

/// The windows of one spatial axis: elements begin .. end - 1 of the input, and what a sum over them is divided by.
struct Window {
    std::int64_t begin;
    std::int64_t end;
    double divisor;
};
using Windows = Scratch<Window>;

Windows pool_windows(const ops::PoolOptions& options, std::size_t axis, std::int64_t size, std::int64_t count) {
    Windows windows(count);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t begin = i * options.stride[axis] - options.padding[axis];
        const std::int64_t end = least(begin + options.kernel[axis], size + options.padding[axis]);
        const std::int64_t from = greatest<std::int64_t>(begin, 0);
        const std::int64_t to = least(end, size);
        windows[i] = {from, to, static_cast<double>(options.count_include_pad ? end - begin : to - from)};
    }
    return windows;
}

Windows adaptive_windows(std::int64_t size, std::int64_t count) {
    Windows windows(count);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t begin = i * size / count;
        const std::int64_t end = ((i + 1) * size + count - 1) / count;
        windows[i] = {begin, end, static_cast<double>(end - begin)};
    }
    return windows;
}

/// The windows that each element of an axis is in: neighbours, for both ends of windows only go forward. Where there is none, first
/// and last are window number `count`, which does not exist.
struct Holders {
    Holders(const Windows& windows, std::int64_t count, std::int64_t size) : first(size), last(size) {
        std::int64_t from = 0, to = 0;
        for (std::int64_t c = 0; c < size; ++c) {
            while (to < count && windows[to].begin <= c) ++to;
            while (from < to && windows[from].end <= c) ++from;
            first[c] = from < to ? from : count;
            last[c] = from < to ? to - 1 : count;
            most = greatest(most, to - from);
        }
    }

    std::int64_t most = 1;  ///< windows of an element
    Scratch<std::int64_t> first, last;
};

/// Windows of one width and divisor, evenly spaced, in the middle of a list of them: all but those that padding cuts.
struct EvenWindows {
    explicit EvenWindows(const Windows& windows, std::int64_t count) {
        const Window& middle = windows[count / 2];
        if (count < kLeastWindows || middle.begin == middle.end) return;
        stride = middle.begin - windows[count / 2 - 1].begin;
        if (stride < 1 || stride > kPoolStrides) return;
        const auto is_even = [&](std::int64_t j) {
            const Window& window = windows[j];
            return window.begin == middle.begin + (j - count / 2) * stride &&
                   window.end - window.begin == middle.end - middle.begin && window.divisor == middle.divisor;
        };
        begin = end = count / 2;
        while (begin > 0 && is_even(begin - 1)) --begin;
        while (end < count && is_even(end)) ++end;
        if (end - begin < kLeastWindows) begin = end = 0;
    }

    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t stride = 1;
};

/// Planes of one channel of one image, and the windows of their axes. Tensors of one spatial axis have one row.
struct Planes {
    std::int64_t count;
    std::int64_t width;  ///< of the larger side, x
    std::int64_t height;
    std::int64_t columns;  ///< windows per row, and rows of them: the size of y
    std::int64_t rows;
    Windows across;
    Windows down;
    EvenWindows even;          ///< of those across
    Scratch<double> divisors;  ///< of those across
};

template <class WindowsOf>
Planes planes_of(const Shape& x, const Shape& y, WindowsOf windows_of) {
    const std::size_t last = x.rank() - 1;
    const bool flat = x.rank() == 3;
    const std::int64_t height = flat ? 1 : x[2];
    const std::int64_t rows = flat ? 1 : y[2];
    Windows across = windows_of(last - 2, x[last], y[last]);
    const EvenWindows even(across, y[last]);
    Scratch<double> divisors(y[last]);
    for (std::int64_t j = 0; j < y[last]; ++j) divisors[j] = across[j].divisor;
    return {x[0] * x[1],
            x[last],
            height,
            y[last],
            rows,
            std::move(across),
            flat ? adaptive_windows(1, 1) : windows_of(0, height, rows),
            even,
            std::move(divisors)};
}

/// y[j] = x[j] / what a sum over window j of this row of windows is divided by, for begin <= j < end.
template <class A, class X, class Y>
void divide_row(const Planes& planes, const Window& rows, std::int64_t begin, std::int64_t end, const X* x, Y* y) {
    const double down = rows.divisor;
    const double* across = &planes.divisors[0];
    for (std::int64_t j = begin; j < end; ++j)
        y[j] = static_cast<Y>(static_cast<A>(x[j]) / static_cast<A>(down * across[j]));
}

/// Averages one plane; `sums`: room for a row of it, `totals`: for a row of windows. Rows of a window are added up over the whole
/// width first, so that the larger part is vector code.
template <class T, class A>
void average_plane(const Planes& planes, const T* x, T* y, A* sums, A* totals) {
    for (std::int64_t i = 0; i < planes.rows; ++i) {
        const Window& rows = planes.down[i];
        const Window& across = planes.across[0];
        if (planes.columns == 1 && across.begin == 0 &&
            across.end == planes.width) {  // whole rows: one piece of memory
            const A total =
                fold_packed<SumFold<T>>(x + rows.begin * planes.width, (rows.end - rows.begin) * planes.width);
            y[i] = static_cast<T>(total / static_cast<A>(rows.divisor * across.divisor));
            continue;
        }
        for (std::int64_t c = 0; c < planes.width; ++c) sums[c] = 0;
        for (std::int64_t r = rows.begin; r < rows.end; ++r) {
            const T* line = x + r * planes.width;
            for (std::int64_t c = 0; c < planes.width; ++c) sums[c] += static_cast<A>(line[c]);
        }
        T* averages = y + i * planes.columns;
        const auto average_windows = [&](std::int64_t begin, std::int64_t end) {
            const Window* windows = &planes.across[0];
            for (std::int64_t j = begin; j < end; ++j) {
                A total = 0;
                for (std::int64_t c = windows[j].begin; c < windows[j].end; ++c) total += sums[c];
                totals[j] = total;
            }
            divide_row<A>(planes, rows, begin, end, totals, averages);
        };
        std::int64_t left = 0;
        if constexpr (std::is_same_v<T, A>) {
            const EvenWindows& even = planes.even;
            if (even.begin < even.end) {
                average_windows(0, even.begin);
                const Window& first = planes.across[even.begin];
                pool_kernels<T>().average[even.stride - 1](
                    {sums + first.begin, 1, 0, first.end - first.begin, 1, even.end - even.begin},
                    static_cast<A>(rows.divisor * first.divisor), averages + even.begin);
                left = even.end;
            }
        }
        average_windows(left, planes.columns);
    }
}

/// What `spread_plane` works with: the cotangents of a row of windows, spread over the width for every row of them, and after each
/// a 0 or a row of zeros, of the window that does not exist.
template <class A>
struct Spreading {
    explicit Spreading(const Planes& planes) : parts(planes.columns + 1), lines((planes.rows + 1) * planes.width) {
        parts[planes.columns] = 0;
        for (std::int64_t c = 0; c < planes.width; ++c) lines[planes.rows * planes.width + c] = 0;
    }

    Scratch<A> parts, lines;
};

/// Spreads the cotangents of one plane: over the width first, then the same lines to every row of their windows.
template <class T, class A>
void spread_plane(const Planes& planes, const Holders& across, const Holders& down, const T* dy, A* dx,
                  Spreading<A>& room) {
    A* parts = room.parts.data();
    for (std::int64_t i = 0; i < planes.rows; ++i) {
        divide_row<A>(planes, planes.down[i], 0, planes.columns, dy + i * planes.columns, parts);
        A* line = room.lines.data() + i * planes.width;
        const std::int64_t *first = &across.first[0], *last = &across.last[0];
        for (std::int64_t c = 0; c < planes.width; ++c) line[c] = parts[first[c]];
        for (std::int64_t k = 1; k < across.most; ++k) {
            for (std::int64_t c = 0; c < planes.width; ++c)
                line[c] += parts[first[c] + k <= last[c] ? first[c] + k : planes.columns];
        }
    }
    for (std::int64_t r = 0; r < planes.height; ++r) {
        A* to = dx + r * planes.width;
        for (std::int64_t k = 0; k < down.most; ++k) {
            const std::int64_t i = k == 0 || down.first[r] + k <= down.last[r] ? down.first[r] + k : planes.rows;
            const A* line = room.lines.data() + i * planes.width;
            for (std::int64_t c = 0; c < planes.width; ++c) to[c] = k == 0 ? line[c] : to[c] + line[c];
        }
    }
}

ops::Handle average(const Args& args, const Planes& planes) {
    const ops::Handle x = args.contiguous(0);
    ops::Handle y = args.make_result();
    const std::int64_t size = planes.width * planes.height;
    visit_dtype(args.result_spec().dtype, [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            const T* from = NdTensor::of(x).data<const T>();
            T* to = NdTensor::of(y).data<T>();
            parallel_for(planes.count, 1 + kParallelElements / size, [&](std::int64_t begin, std::int64_t end) {
                Scratch<typename AccumulatorOf<T>::type> sums(planes.width), totals(planes.columns);
                for (std::int64_t p = begin; p < end; ++p) {
                    average_plane(planes, from + p * size, to + p * planes.rows * planes.columns, sums.data(),
                                  totals.data());
                }
            });
        }
    });
    return y;
}

ops::Handle spread(const Args& args, const Planes& planes) {
    const ops::Handle dy = args.contiguous(0);
    ops::Handle dx = args.make_result();
    const std::int64_t size = planes.width * planes.height;
    const Holders across(planes.across, planes.columns, planes.width), down(planes.down, planes.rows, planes.height);
    visit_dtype(args.result_spec().dtype, [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            using A = typename AccumulatorOf<T>::type;
            const T* from = NdTensor::of(dy).data<const T>();
            T* to = NdTensor::of(dx).data<T>();
            parallel_for(planes.count, 1 + kParallelElements / size, [&](std::int64_t begin, std::int64_t end) {
                Spreading<A> room(planes);
                Scratch<A> plane(std::is_same_v<A, T> ? 0 : size);
                for (std::int64_t p = begin; p < end; ++p) {
                    const T* cotangents = from + p * planes.rows * planes.columns;
                    if constexpr (std::is_same_v<A, T>) {
                        spread_plane(planes, across, down, cotangents, to + p * size, room);
                    } else {
                        spread_plane(planes, across, down, cotangents, plane.data(), room);
                        for (std::int64_t k = 0; k < size; ++k) to[p * size + k] = static_cast<T>(plane[k]);
                    }
                }
            });
        }
    });
    return dx;
}

}  // namespace

ops::Handle run(const ops::AvgPool& op, Args& args) {
    const auto windows = [&op](std::size_t axis, std::int64_t size, std::int64_t count) {
        return pool_windows(op.options, axis, size, count);
    };
    return average(args, planes_of(args.input(0).spec().shape, args.result_spec().shape, windows));
}

ops::Handle run(const ops::AvgPoolGrad& op, Args& args) {
    const auto windows = [&op](std::size_t axis, std::int64_t size, std::int64_t count) {
        return pool_windows(op.options, axis, size, count);
    };
    return spread(args, planes_of(args.result_spec().shape, args.input(0).spec().shape, windows));
}

ops::Handle run(const ops::AdaptiveAvgPool&, Args& args) {
    const auto windows = [](std::size_t, std::int64_t size, std::int64_t count) {
        return adaptive_windows(size, count);
    };
    return average(args, planes_of(args.input(0).spec().shape, args.result_spec().shape, windows));
}

ops::Handle run(const ops::AdaptiveAvgPoolGrad&, Args& args) {
    const auto windows = [](std::size_t, std::int64_t size, std::int64_t count) {
        return adaptive_windows(size, count);
    };
    return spread(args, planes_of(args.result_spec().shape, args.input(0).spec().shape, windows));
}

}  // namespace burn::ndarray
