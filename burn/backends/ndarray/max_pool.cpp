#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/reduce_kernel.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/order.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

namespace {

constexpr std::int64_t kParallelElements = 8 * 1024;

/// The elements of one axis that a window sees: begin, begin + dilation, .. before end.
struct Reach {
    std::int64_t begin;
    std::int64_t end;
};

/// The windows of one spatial axis; where there is none, one of one element.
struct ReachList {
    ReachList(const ops::PoolOptions& options, const Shape& x, const Shape& y, std::size_t from_last)
        : present(from_last + 2 < x.rank()), size(present ? x[x.rank() - 1 - from_last] : 1),
          count(present ? y[y.rank() - 1 - from_last] : 1),
          step(present ? options.dilation[x.rank() - 3 - from_last] : 1), list(count) {
        list[0] = {0, 1};
        for (std::int64_t i = 0; present && i < count; ++i) {
            const std::size_t axis = x.rank() - 3 - from_last;
            const std::int64_t start = i * options.stride[axis] - options.padding[axis];
            const std::int64_t skipped = start < 0 ? (-start + step - 1) / step : 0;
            list[i] = {start + skipped * step, least(start + (options.kernel[axis] - 1) * step + 1, size)};
        }
    }

    bool present;
    std::int64_t size;
    std::int64_t count;
    std::int64_t step;
    Scratch<Reach> list;
};

template <class T>
void pool_plane(const ReachList& down, const ReachList& across, const T* x, T* values, std::int64_t* indices) {
    using A = typename AccumulatorOf<T>::type;
    for (std::int64_t i = 0; i < down.count; ++i) {
        const Reach& rows = down.list[i];
        for (std::int64_t j = 0; j < across.count; ++j) {
            const Reach& columns = across.list[j];
            std::int64_t place = rows.begin * across.size + columns.begin;
            A best = static_cast<A>(x[place]);
            for (std::int64_t r = rows.begin; r < rows.end; r += down.step) {
                for (std::int64_t c = columns.begin; c < columns.end; c += across.step) {
                    const A value = static_cast<A>(x[r * across.size + c]);
                    if (value > best || (value != value && best == best)) {
                        best = value;
                        place = r * across.size + c;
                    }
                }
            }
            values[i * across.count + j] = x[place];
            indices[i * across.count + j] = place;
        }
    }
}

}  // namespace

ops::HandleList run(const ops::MaxPool& op, Args& args) {
    const ops::Handle x = args.contiguous(0);
    ops::HandleList results = ops::list_of(args.make_result(0), args.make_result(1));
    const ReachList down(op.options, x.shape(), args.result_spec().shape, 1);
    const ReachList across(op.options, x.shape(), args.result_spec().shape, 0);
    const std::int64_t size = down.size * across.size;
    const std::int64_t windows = down.count * across.count;
    visit_dtype(x.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            const T* from = NdTensor::of(x).data<const T>();
            T* values = NdTensor::of(results[0]).data<T>();
            std::int64_t* indices = NdTensor::of(results[1]).data<std::int64_t>();
            parallel_for(x.shape()[0] * x.shape()[1], 1 + kParallelElements / size,
                         [&](std::int64_t begin, std::int64_t end) {
                             for (std::int64_t p = begin; p < end; ++p) {
                                 pool_plane(down, across, from + p * size, values + p * windows, indices + p * windows);
                             }
                         });
        }
    });
    return results;
}

}  // namespace burn::ndarray
