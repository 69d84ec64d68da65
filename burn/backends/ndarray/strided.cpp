#include <burn/backends/ndarray/strided.h>

#include <burn/backends/ndarray/movement/transpose_kernels.h>
#include <burn/base/order.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

namespace {

/// Elements worth handing to another thread: some 20 microseconds of a cheap operation.
constexpr std::int64_t kParallelElements = 16 * 1024;

}  // namespace

void StridedLoop::add(std::byte* base, const Layout& layout, std::size_t element_size) {
    const auto size = static_cast<std::int64_t>(element_size);
    data_[tensors_] = base + layout.offset * size;
    strides_[tensors_] = layout.strides;
    for (std::int64_t& stride : strides_[tensors_]) stride *= size;
    ++tensors_;
}

void StridedLoop::add_broadcast(std::byte* base, const Layout& layout, std::size_t element_size) {
    add(base, layout.expand(shape_), element_size);
}

/// Drops axes of size 1 and joins neighbours that step evenly in every tensor.
void StridedLoop::collapse() {
    Shape shape;
    std::array<Dims, kMaxOperands> strides;
    for (std::size_t axis = 0; axis < shape_.rank(); ++axis) {
        if (shape_[axis] == 1) continue;
        bool joins = !shape.empty();
        for (std::size_t i = 0; i < tensors_ && joins; ++i) {
            joins = strides[i].back() == strides_[i][axis] * shape_[axis];
        }
        if (joins) {
            shape.back() *= shape_[axis];
            for (std::size_t i = 0; i < tensors_; ++i) strides[i].back() = strides_[i][axis];
        } else {
            shape.push_back(shape_[axis]);
            for (std::size_t i = 0; i < tensors_; ++i) strides[i].push_back(strides_[i][axis]);
        }
    }
    if (shape.empty()) {
        shape.push_back(1);
        for (std::size_t i = 0; i < tensors_; ++i) strides[i].push_back(0);
    }
    shape_ = shape;
    strides_ = strides;
}

void StridedLoop::run(FunctionRef<void(const StridedRun&)> body, std::int64_t cost) {
    const std::int64_t elements = shape_.numel();
    const std::int64_t grain = cost < kParallelElements ? kParallelElements / (cost > 1 ? cost : 1) : 1;
    if (elements < 2 * grain) return run_in_order(body);
    collapse();
    const std::int64_t inner = shape_.back();
    const std::int64_t outer = elements / inner;
    if (outer >= 2 * static_cast<std::int64_t>(num_threads())) {
        parallel_for(outer, 1 + grain / inner,
                     [&](std::int64_t begin, std::int64_t end) { run_range(body, begin, end); });
        return;
    }
    // Few long runs: cut each of them. A run of one row is the common case, a large contiguous tensor.
    run_range(
        [&](const StridedRun& whole) {
            parallel_for(whole.count, grain, [&](std::int64_t begin, std::int64_t end) {
                StridedRun part = whole;
                for (std::size_t i = 0; i < tensors_; ++i) part.data[i] += begin * part.strides[i];
                part.count = end - begin;
                body(part);
            });
        },
        0, outer);
}

void StridedLoop::run_in_order(FunctionRef<void(const StridedRun&)> body) {
    if (shape_.numel() == 0) return;
    collapse();
    run_range(body, 0, shape_.numel() / shape_.back());
}

void StridedLoop::run_range(FunctionRef<void(const StridedRun&)> body, std::int64_t begin, std::int64_t end) const {
    const std::size_t outer = shape_.rank() - 1;
    Dims index = Dims::filled(outer, 0);
    StridedRun run{data_, {}, shape_.back()};
    for (std::size_t i = 0; i < tensors_; ++i) run.strides[i] = strides_[i].back();
    std::int64_t left = begin;
    for (std::size_t axis = outer; axis-- > 0;) {
        index[axis] = left % shape_[axis];
        left /= shape_[axis];
        for (std::size_t i = 0; i < tensors_; ++i) run.data[i] += index[axis] * strides_[i][axis];
    }
    for (std::int64_t number = begin; number < end; ++number) {
        body(run);
        for (std::size_t axis = outer; axis-- > 0;) {
            for (std::size_t i = 0; i < tensors_; ++i) run.data[i] += strides_[i][axis];
            if (++index[axis] < shape_[axis]) break;
            for (std::size_t i = 0; i < tensors_; ++i) run.data[i] -= shape_[axis] * strides_[i][axis];
            index[axis] = 0;
        }
    }
}

namespace {

template <class Word>
void copy_words(const StridedRun& run) {
    if (run.strides[0] == sizeof(Word) && run.strides[1] == sizeof(Word)) {
        __builtin_memcpy(run.data[0], run.data[1], static_cast<std::size_t>(run.count) * sizeof(Word));
        return;
    }
    if (run.strides[0] == sizeof(Word) && run.strides[1] == -static_cast<std::int64_t>(sizeof(Word))) {
        Word* target = reinterpret_cast<Word*>(run.data[0]);
        const Word* source = reinterpret_cast<const Word*>(run.data[1]);
        for (std::int64_t i = 0; i < run.count; ++i) target[i] = source[-i];  // compilers make vectors of it
        return;
    }
    std::byte* to = run.data[0];
    const std::byte* from = run.data[1];
    for (std::int64_t i = 0; i < run.count; ++i) {
        *reinterpret_cast<Word*>(to + i * run.strides[0]) = *reinterpret_cast<const Word*>(from + i * run.strides[1]);
    }
}

}  // namespace

void copy_run(std::size_t element_size, const StridedRun& run) {
    switch (element_size) {
        case 1: return copy_words<std::uint8_t>(run);
        case 2: return copy_words<std::uint16_t>(run);
        case 4: return copy_words<std::uint32_t>(run);
        default: return copy_words<std::uint64_t>(run);
    }
}

namespace {

/// The two axes of a copy along which the target and the source lie packed, where these differ.
struct Transposition {
    std::size_t rows;     ///< the target's steps here are one element
    std::size_t columns;  ///< the source's
};

std::size_t packed_axis(const Layout& layout, std::int64_t least) {
    std::size_t axis = layout.shape.rank();
    while (axis-- > 0) {
        if (layout.strides[axis] == 1 && layout.shape[axis] >= least) return axis;
    }
    return layout.shape.rank();
}

bool is_transposition(const Layout& to, const Layout& from, Transposition& found) {
    found = {packed_axis(to, 2), packed_axis(from, kLeastTranspose)};
    const std::size_t rank = to.shape.rank();
    if (found.rows == rank || found.columns == rank) return false;
    const std::int64_t apart = from.strides[found.rows];
    return apart != 1 && apart != 0 && to.strides[found.columns] != 1;
}

/// Writes a few rows element by element in turn, such as the channels of pixels; kRows is their number, or 0.
template <class Word, int kRows>
void interleave(const Transpose& m) {
    const std::int64_t rows = kRows != 0 ? kRows : m.rows;
    for (std::int64_t column = 0; column < m.columns; ++column) {
        Word* to = reinterpret_cast<Word*>(m.to + column * m.to_step);
        const std::byte* from = m.from + column * static_cast<std::int64_t>(sizeof(Word));
        for (std::int64_t row = 0; row < rows; ++row)
            to[row] = *reinterpret_cast<const Word*>(from + row * m.from_step);
    }
}

template <class Word>
void interleave_words(const Transpose& matrix) {
    switch (matrix.rows) {
        case 2: return interleave<Word, 2>(matrix);
        case 3: return interleave<Word, 3>(matrix);
        case 4: return interleave<Word, 4>(matrix);
        default: return interleave<Word, 0>(matrix);
    }
}

void interleave_few(std::size_t element_size, const Transpose& matrix) {
    switch (element_size) {
        case 1: return interleave_words<std::uint8_t>(matrix);
        case 2: return interleave_words<std::uint16_t>(matrix);
        case 4: return interleave_words<std::uint32_t>(matrix);
        default: return interleave_words<std::uint64_t>(matrix);
    }
}

/// Copies a matrix, on several threads when it is large enough.
void copy_matrix(std::size_t element_size, const Transpose& matrix) {
    const auto size = static_cast<std::int64_t>(element_size);
    const bool fits = matrix.rows * matrix.columns * size < kStreamedBytes;
    const auto copy = matrix.rows < kLeastTranspose ? interleave_few
                      : fits                        ? transpose_kernels().copy
                                                    : transpose_kernels().stream;
    constexpr std::int64_t kStrip = 64;  // columns that one thread takes at least: rows of the target
    const std::int64_t strips = greatest<std::int64_t>(matrix.columns / kStrip, 1);
    parallel_for(strips, 1 + kParallelElements / (kStrip * matrix.rows), [&](std::int64_t begin, std::int64_t end) {
        Transpose part = matrix;
        part.to += begin * kStrip * matrix.to_step;
        part.from += begin * kStrip * size;
        part.columns = (end == strips ? matrix.columns : end * kStrip) - begin * kStrip;
        copy(element_size, part);
    });
}

/// Row by row, such a copy would touch a cache line of the source for every element; in tiles, lines are used up.
void copy_transposed(std::size_t element_size, std::byte* to, Layout to_layout, const std::byte* from,
                     Layout from_layout, const Transposition& axes) {
    const auto size = static_cast<std::int64_t>(element_size);
    const std::int64_t rows = to_layout.shape[axes.rows];
    const std::int64_t columns = to_layout.shape[axes.columns];
    const std::int64_t to_step = to_layout.strides[axes.columns] * size;
    const std::int64_t from_step = from_layout.strides[axes.rows] * size;
    for (Layout* layout : {&to_layout, &from_layout}) layout->shape[axes.rows] = layout->shape[axes.columns] = 1;
    StridedLoop loop(to_layout.shape);
    loop.add(to, to_layout, element_size);
    loop.add(const_cast<std::byte*>(from), from_layout, element_size);
    const auto copy_matrices = [&](const StridedRun& run) {
        for (std::int64_t i = 0; i < run.count; ++i) {
            copy_matrix(element_size, {run.data[0] + i * run.strides[0], to_step, run.data[1] + i * run.strides[1],
                                       from_step, rows, columns});
        }
    };
    loop.run(copy_matrices, rows * columns);
}

}  // namespace

void copy_strided(std::size_t element_size, std::byte* to, const Layout& to_layout, const std::byte* from,
                  const Layout& from_layout) {
    Transposition axes{};
    if (is_transposition(to_layout, from_layout, axes)) {
        return copy_transposed(element_size, to, to_layout, from, from_layout, axes);
    }
    StridedLoop loop(to_layout.shape);
    loop.add(to, to_layout, element_size);
    loop.add(const_cast<std::byte*>(from), from_layout, element_size);
    loop.run([element_size](const StridedRun& run) { copy_run(element_size, run); });
}

}  // namespace burn::ndarray
