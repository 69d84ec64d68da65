#include <burn/backends/ndarray/indexing/sort_keys.h>
#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/pool/pool_kernels.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/order.h>
#include <burn/base/parallel.h>

#include <limits>

namespace burn::ndarray {

namespace {

constexpr std::int64_t kParallelElements = 8 * 1024;

/// The windows of one spatial axis; where there is none, one of one element.
struct ReachList {
    ReachList(const ops::PoolOptions& options, const Shape& x, const Shape& y, std::size_t from_last)
        : present(from_last + 2 < x.rank()), size(present ? x[x.rank() - 1 - from_last] : 1),
          count(present ? y[y.rank() - 1 - from_last] : 1), list(count) {
        list[0] = {0, 1};
        if (!present) return;
        const std::size_t axis = x.rank() - 3 - from_last;
        kernel = options.kernel[axis];
        stride = options.stride[axis];
        padding = options.padding[axis];
        step = options.dilation[axis];
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t start = i * stride - options.padding[axis];
            const std::int64_t skipped = start < 0 ? (-start + step - 1) / step : 0;
            list[i] = {start + skipped * step, least(start + (kernel - 1) * step + 1, size)};
            const bool is_whole = skipped == 0 && start + (kernel - 1) * step < size;
            if (is_whole && whole_begin == whole_end) whole_begin = i;
            if (is_whole) whole_end = i + 1;
        }
    }

    bool present;
    std::int64_t size;
    std::int64_t count;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t padding = 0;
    std::int64_t step = 1;         ///< between the elements of a window
    std::int64_t whole_begin = 0;  ///< the windows that no padding cuts: whole_begin .. whole_end - 1
    std::int64_t whole_end = 0;
    Scratch<Reach> list;
};

/// The place of the largest element of one window. Its keys are compared, as processors do without a branch, which they would
/// often predict wrongly.
template <class T>
std::int64_t place_of_max(const T* x, std::int64_t width, const Reach& rows, std::int64_t row_step,
                          const Reach& columns, std::int64_t column_step) {
    std::int64_t place = rows.begin * width + columns.begin;
    auto best = sort_key(x[place], false);
    for (std::int64_t r = rows.begin; r < rows.end; r += row_step) {
        for (std::int64_t c = columns.begin; c < columns.end; c += column_step) {
            const auto key = sort_key(x[r * width + c], false);
            const bool takes_over = key > best;
            best = takes_over ? key : best;
            place = takes_over ? r * width + c : place;
        }
    }
    return place;
}

/// One plane of f32 or f64.
template <class T>
void pool_plane(const ReachList& down, const ReachList& across, const T* x, T* values, std::int64_t* indices) {
    constexpr std::int64_t kMostPlaces = 0x7fffffff;
    const bool in_vectors = across.whole_end - across.whole_begin >= kLeastWindows && across.stride <= kPoolStrides &&
                            down.size * across.size <= kMostPlaces;
    const std::int64_t begin = in_vectors ? across.whole_begin : 0;
    const std::int64_t end = in_vectors ? across.whole_end : 0;
    for (std::int64_t i = 0; i < down.count; ++i, values += across.count, indices += across.count) {
        const Reach& rows = down.list[i];
        const auto pool_window = [&](std::int64_t j) {
            indices[j] = place_of_max(x, across.size, rows, down.step, across.list[j], across.step);
            values[j] = x[indices[j]];
        };
        for (std::int64_t j = 0; j < begin; ++j) pool_window(j);
        for (std::int64_t j = end; j < across.count; ++j) pool_window(j);
        if (!in_vectors) continue;
        const std::int64_t place = rows.begin * across.size + across.list[begin].begin;
        const WindowRow<T> row{x + place,
                               (rows.end - rows.begin + down.step - 1) / down.step,
                               down.step * across.size,
                               across.kernel,
                               across.step,
                               end - begin};
        pool_kernels<T>().max[across.stride - 1](row, place, values + begin, indices + begin);
    }
}

/// What PoolKernels need for the values of windows without their places. Column c of the line, padding counted, is number c / phases
/// of phase c % phases.
template <class T>
class ValuesOfWindows {
public:
    ValuesOfWindows(const ReachList& down, const ReachList& across)
        : phases_(across.stride <= kPoolStrides ? across.stride : 1),
          phase_size_(((across.count - 1) * across.stride + (across.kernel - 1) * across.step) / phases_ + 1),
          line_size_(phase_size_ * phases_), lines_(kPoolLines * line_size_), taps_(across.kernel) {
        for (std::int64_t c = 0; c < kPoolLines * line_size_; ++c) lines_[c] = -std::numeric_limits<T>::infinity();
        for (std::int64_t t = 0; t < across.kernel; ++t) taps_[t] = place_of(t * across.step);
        const std::int64_t padding = least(across.padding, line_size_);
        windows_ = {.x = nullptr,
                    .width = across.size,
                    .columns = least(across.size, line_size_ - padding),
                    .rows = &down.list[0],
                    .row_step = down.step,
                    .count = down.count,
                    .lines = lines_.data(),
                    .line_size = line_size_,
                    .phases = {lines_.data() + place_of(padding), lines_.data() + place_of(padding + 1)},
                    .taps = taps_.data(),
                    .tap_count = across.kernel,
                    .stride = across.stride,
                    .padding = across.padding,
                    .is_dense = across.step == 1 && down.step == 1,
                    .windows = across.count,
                    .values = nullptr};
    }

    /// Returns the first row of windows from `row` on that sees a NaN, which has no values then, or the number of rows.
    std::int64_t fill(const T* x, T* values, std::int64_t row) {
        windows_.x = x;
        windows_.values = values;
        return pool_kernels<T>().max_values[phases_ - 1](windows_, row);
    }

private:
    std::int64_t place_of(std::int64_t column) const { return column % phases_ * phase_size_ + column / phases_; }

    std::int64_t phases_;
    std::int64_t phase_size_;
    std::int64_t line_size_;
    Scratch<T> lines_;
    Scratch<std::int64_t> taps_;
    WindowRows<T> windows_;
};

/// The largest of every window of one plane of f32 or f64: of its columns first, which neighbours share.
template <class T>
void pool_values(const ReachList& down, const ReachList& across, const T* x, T* values, ValuesOfWindows<T>& fast) {
    for (std::int64_t i = 0; (i = fast.fill(x, values, i)) < down.count; ++i) {
        for (std::int64_t j = 0; j < across.count; ++j)
            values[i * across.count + j] =
                x[place_of_max(x, across.size, down.list[i], down.step, across.list[j], across.step)];
    }
}

/// A plane of a half type, which is compared as f32.
template <class T>
void widen_plane(const T* plane, std::int64_t size, float* wide) {
    for (std::int64_t k = 0; k < size; ++k) wide[k] = static_cast<float>(plane[k]);
}

/// Planes `begin` to `end - 1`.
template <class T>
void pool_planes(const ReachList& down, const ReachList& across, const T* x, T* values, std::int64_t begin,
                 std::int64_t end) {
    using Compared = std::conditional_t<std::is_floating_point_v<T>, T, float>;
    const std::int64_t size = down.size * across.size;
    const std::int64_t windows = down.count * across.count;
    ValuesOfWindows<Compared> fast(down, across);
    if constexpr (std::is_same_v<T, Compared>) {
        for (std::int64_t p = begin; p < end; ++p) pool_values(down, across, x + p * size, values + p * windows, fast);
    } else {
        Scratch<float> wide(size);
        Scratch<float> wide_values(windows);
        for (std::int64_t p = begin; p < end; ++p) {
            widen_plane(x + p * size, size, wide.data());
            pool_values(down, across, wide.data(), wide_values.data(), fast);
            for (std::int64_t k = 0; k < windows; ++k) values[p * windows + k] = T(wide_values[k]);
        }
    }
}

/// The same, and the places of the largest.
template <class T>
void pool_planes(const ReachList& down, const ReachList& across, const T* x, T* values, std::int64_t* indices,
                 std::int64_t begin, std::int64_t end) {
    const std::int64_t size = down.size * across.size;
    const std::int64_t windows = down.count * across.count;
    if constexpr (std::is_floating_point_v<T>) {
        for (std::int64_t p = begin; p < end; ++p)
            pool_plane(down, across, x + p * size, values + p * windows, indices + p * windows);
    } else {
        Scratch<float> wide(size);
        Scratch<float> wide_values(windows);
        for (std::int64_t p = begin; p < end; ++p) {
            const T* plane = x + p * size;
            widen_plane(plane, size, wide.data());
            std::int64_t* places = indices + p * windows;
            pool_plane(down, across, wide.data(), wide_values.data(), places);
            for (std::int64_t k = 0; k < windows; ++k) values[p * windows + k] = plane[places[k]];
        }
    }
}

/// Calls body(begin, end) for stretches of planes, on several threads when there is enough to do.
template <class Body>
void for_planes(const Shape& x, const ReachList& down, const ReachList& across, Body body) {
    parallel_for(x[0] * x[1], 1 + kParallelElements / (down.size * across.size), body);
}

}  // namespace

ops::Handle run(const ops::MaxPool& op, Args& args) {
    const ops::Handle x = args.contiguous(0);
    ops::Handle y = args.make_result();
    const ReachList down(op.options, x.shape(), y.shape(), 1);
    const ReachList across(op.options, x.shape(), y.shape(), 0);
    visit_dtype(x.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            const T* from = NdTensor::of(x).data<const T>();
            T* to = NdTensor::of(y).data<T>();
            for_planes(x.shape(), down, across,
                       [&](std::int64_t begin, std::int64_t end) { pool_planes(down, across, from, to, begin, end); });
        }
    });
    return y;
}

ops::HandleList run(const ops::MaxPoolWithIndices& op, Args& args) {
    const ops::Handle x = args.contiguous(0);
    ops::HandleList results = ops::list_of(args.make_result(0), args.make_result(1));
    const ReachList down(op.options, x.shape(), args.result_spec().shape, 1);
    const ReachList across(op.options, x.shape(), args.result_spec().shape, 0);
    visit_dtype(x.dtype(), [&]<class T>(T) {
        if constexpr (is_float(dtype_of<T>)) {
            const T* from = NdTensor::of(x).data<const T>();
            T* values = NdTensor::of(results[0]).data<T>();
            std::int64_t* indices = NdTensor::of(results[1]).data<std::int64_t>();
            for_planes(x.shape(), down, across, [&](std::int64_t begin, std::int64_t end) {
                pool_planes(down, across, from, values, indices, begin, end);
            });
        }
    });
    return results;
}

}  // namespace burn::ndarray
