#include <burn/backends/ndarray/strided.h>

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

void copy_strided(std::size_t element_size, std::byte* to, const Layout& to_layout, const std::byte* from,
                  const Layout& from_layout) {
    StridedLoop loop(to_layout.shape);
    loop.add(to, to_layout, element_size);
    loop.add(const_cast<std::byte*>(from), from_layout, element_size);
    loop.run([element_size](const StridedRun& run) { copy_run(element_size, run); });
}

}  // namespace burn::ndarray
