#include <burn/backends/ndarray/indexing/places.h>
#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/strided.h>
#include <burn/base/parallel.h>

/// All of these walk three tensors together: the result (or x, where it is written), the indices, and the other side with
/// the indexed axis taken out of its way; an index then adds so many steps along that axis. Where rows are named whole, one
/// index serves a whole run, and the run is a plain copy.
///
/// Indices are checked in a pass of their own, before anything is written.

namespace burn::ndarray {

namespace {

constexpr auto kIndexSize = static_cast<std::int64_t>(sizeof(std::int64_t));

std::int64_t load_index(const std::byte* from) { return *reinterpret_cast<const std::int64_t*>(from); }

template <class Word>
void gather_run(const StridedRun& run, std::int64_t step) {
    for (std::int64_t i = 0; i < run.count; ++i) {
        const std::int64_t index = load_index(run.data[1] + i * run.strides[1]);
        *reinterpret_cast<Word*>(run.data[0] + i * run.strides[0]) =
            *reinterpret_cast<const Word*>(run.data[2] + i * run.strides[2] + index * step);
    }
}

/// Copies to each element of `target` the one that lies `index * step` bytes from the same place of `source`. All three
/// layouts have one shape.
void gather_elements(std::size_t size, const View& target, const View& at, const View& source, std::int64_t step) {
    StridedLoop loop(target.layout.shape);
    loop.add(target.data, target.layout, size);
    loop.add(at.data, at.layout, sizeof(std::int64_t));
    loop.add(source.data, source.layout, size);
    loop.run([size, step](const StridedRun& run) {
        if (run.strides[1] == 0) {
            return copy_run(size, {{run.data[0], run.data[2] + load_index(run.data[1]) * step},
                                   {run.strides[0], run.strides[2]},
                                   run.count});
        }
        switch (size) {
            case 1: return gather_run<std::uint8_t>(run, step);
            case 2: return gather_run<std::uint16_t>(run, step);
            case 4: return gather_run<std::uint32_t>(run, step);
            default: return gather_run<std::uint64_t>(run, step);
        }
    });
}

/// Blocks of memory that indices name: block i of the target is block at[i] of the source, in each of `outer` parts.
struct BlockCopy {
    std::byte* target;
    const std::byte* source;
    const std::byte* at;
    std::int64_t at_step;  ///< in bytes
    std::int64_t count;    ///< of indices
    std::int64_t bytes;    ///< of a block
    std::int64_t outer;
    std::int64_t outer_step;  ///< from part to part of the source, in bytes
};

constexpr std::int64_t kLeastBlock = 16;

/// A block of at least kLeastBlock bytes; calls of memcpy would take longer than short blocks do.
void copy_block(std::byte* to, const std::byte* from, std::int64_t bytes) {
    constexpr std::int64_t kPiece = kLeastBlock;
    constexpr std::int64_t kLong = 512;
    if (bytes > kLong) {
        __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
        return;
    }
    for (std::int64_t i = 0; i + kPiece <= bytes; i += kPiece) __builtin_memcpy(to + i, from + i, kPiece);
    __builtin_memcpy(to + bytes - kPiece, from + bytes - kPiece, kPiece);
}

void copy_blocks(const BlockCopy& copy) {
    constexpr std::int64_t kParallelBytes = std::int64_t{1} << 16;
    parallel_for(copy.outer * copy.count, 1 + kParallelBytes / copy.bytes, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t part = begin / copy.count;
        std::int64_t i = begin % copy.count;
        for (std::int64_t block = begin; block < end; ++block) {
            copy_block(copy.target + block * copy.bytes,
                       copy.source + part * copy.outer_step + load_index(copy.at + i * copy.at_step) * copy.bytes,
                       copy.bytes);
            if (++i == copy.count) i = 0, ++part;
        }
    });
}

/// How far neighbours along the indexed axis lie apart, in bytes, and how many places each run of others has there.
struct Steps {
    std::int64_t count;
    std::int64_t target;
    std::int64_t at;
    std::int64_t values;
};

template <class T>
struct Assign {
    static void apply(T& element, T value) { element = value; }
};

template <class T>
struct Add {
    static void apply(T& element, T value) {
        if constexpr (std::is_same_v<T, bool>) {
            element = element || value;
        } else if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
            element = T(static_cast<float>(element) + static_cast<float>(value));
        } else if constexpr (std::is_integral_v<T>) {
            element = static_cast<T>(static_cast<std::uint64_t>(element) + static_cast<std::uint64_t>(value));  // wraps
        } else {
            element += value;
        }
    }
};

/// Writes the values of a run of rows that do not touch each other; along the indexed axis in order, so that the result does
/// not depend on threads.
template <class T, template <class> class Update>
void scatter_run(const StridedRun& run, const Steps& steps) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    if (run.strides[1] == 0 && run.strides[0] == kSize && run.strides[2] == kSize) {  // whole rows
        for (std::int64_t j = 0; j < steps.count; ++j) {
            T* target = reinterpret_cast<T*>(run.data[0] + load_index(run.data[1] + j * steps.at) * steps.target);
            const T* values = reinterpret_cast<const T*>(run.data[2] + j * steps.values);
            for (std::int64_t i = 0; i < run.count; ++i) Update<T>::apply(target[i], values[i]);
        }
        return;
    }
    const auto write = [&](std::int64_t i, std::int64_t j) {
        const std::int64_t index = load_index(run.data[1] + i * run.strides[1] + j * steps.at);
        Update<T>::apply(*reinterpret_cast<T*>(run.data[0] + i * run.strides[0] + index * steps.target),
                         *reinterpret_cast<const T*>(run.data[2] + i * run.strides[2] + j * steps.values));
    };
    if (steps.target == kSize && steps.values == kSize && steps.at == kIndexSize) {  // rows of elements
        for (std::int64_t i = 0; i < run.count; ++i) {
            T* target = reinterpret_cast<T*>(run.data[0] + i * run.strides[0]);
            const auto* at = reinterpret_cast<const std::int64_t*>(run.data[1] + i * run.strides[1]);
            const T* values = reinterpret_cast<const T*>(run.data[2] + i * run.strides[2]);
            for (std::int64_t j = 0; j < steps.count; ++j) Update<T>::apply(target[at[j]], values[j]);
        }
    } else if (steps.target == kSize) {  // the indexed axis is the innermost
        for (std::int64_t i = 0; i < run.count; ++i) {
            for (std::int64_t j = 0; j < steps.count; ++j) write(i, j);
        }
    } else {
        for (std::int64_t j = 0; j < steps.count; ++j) {
            for (std::int64_t i = 0; i < run.count; ++i) write(i, j);
        }
    }
}

/// Writes each value to the element that lies `index * steps.target` bytes from its place in `target`. The layouts have one
/// shape, of size 1 on the indexed axis.
void scatter_elements(DType dtype, const View& target, const View& at, const View& values, const Steps& steps,
                      ops::IndexingUpdate update) {
    const std::size_t size = size_of(dtype);
    StridedLoop loop(target.layout.shape);
    loop.add(target.data, target.layout, size);
    loop.add(at.data, at.layout, sizeof(std::int64_t));
    loop.add(values.data, values.layout, size);
    const auto run_with = [&](void (*body)(const StridedRun&, const Steps&)) {
        loop.run([&](const StridedRun& run) { body(run, steps); }, steps.count);
    };
    if (update == ops::IndexingUpdate::Add) {
        return visit_dtype(dtype, [&]<class T>(T) { run_with(scatter_run<T, Add>); });
    }
    switch (size) {
        case 1: return run_with(scatter_run<std::uint8_t, Assign>);
        case 2: return run_with(scatter_run<std::uint16_t, Assign>);
        case 4: return run_with(scatter_run<std::uint32_t, Assign>);
        default: return run_with(scatter_run<std::uint64_t, Assign>);
    }
}

/// The view with `size` places on an axis that leads nowhere: indices find the way along it.
View without_axis(View view, std::size_t axis, std::int64_t size) {
    view.layout.shape[axis] = size;
    view.layout.strides[axis] = 0;
    return view;
}

/// Indices [m] spread over `shape`, whose axis `axis` counts them.
View spread(View indices, const Shape& shape, std::size_t axis) {
    const std::int64_t stride = indices.layout.strides[0];
    indices.layout.shape = shape;
    indices.layout.strides = Dims::filled(shape.rank(), 0);
    indices.layout.strides[axis] = stride;
    return indices;
}

/// The axes of a view after the first `depth`, behind an axis of `rows` places that leads nowhere.
View blocks_of(const View& view, std::size_t depth, std::int64_t rows) {
    View blocks{view.data, {{rows}, {0}, view.layout.offset}};
    for (std::size_t axis = depth; axis < view.layout.shape.rank(); ++axis) {
        blocks.layout.shape.push_back(view.layout.shape[axis]);
        blocks.layout.strides.push_back(view.layout.strides[axis]);
    }
    return blocks;
}

std::int64_t byte_stride(const NdTensor& tensor, std::size_t axis) {
    return tensor.layout().strides[axis] * static_cast<std::int64_t>(size_of(tensor.spec().dtype));
}

}  // namespace

ops::Handle run(const ops::Gather& op, Args& args) {
    const auto axis = static_cast<std::size_t>(op.axis);
    const NdTensor& x = args.input(0);
    const Places places = load_places(args, 1, axis, op.called);
    ops::Handle result = args.make_result();
    View source = view_of(x);
    source.layout.shape = args.result_spec().shape;  // no larger than x's but on the axis
    source = without_axis(source, axis, source.layout.shape[axis]);
    gather_elements(size_of(x.spec().dtype), view_of(NdTensor::of(result)), places.view, source, byte_stride(x, axis));
    return result;
}

ops::Handle run(const ops::Select& op, Args& args) {
    const auto axis = static_cast<std::size_t>(op.axis);
    const NdTensor& x = args.input(0);
    const Places places = load_places(args, 1, axis, op.called);
    ops::Handle result = args.make_result();
    const Shape& shape = args.result_spec().shape;
    std::int64_t block = static_cast<std::int64_t>(size_of(x.spec().dtype));
    for (std::size_t i = axis + 1; i < shape.rank(); ++i) block *= shape[i];
    if (x.is_contiguous() && block >= kLeastBlock && shape.numel() > 0) {
        std::int64_t outer = 1;
        for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
        copy_blocks({NdTensor::of(result).bytes(), x.bytes(), places.view.data + places.view.layout.offset * kIndexSize,
                     places.view.layout.strides[0] * kIndexSize, shape[axis], block, outer,
                     block * x.spec().shape[axis]});
        return result;
    }
    gather_elements(size_of(x.spec().dtype), view_of(NdTensor::of(result)), spread(places.view, shape, axis),
                    without_axis(view_of(x), axis, shape[axis]), byte_stride(x, axis));
    return result;
}

ops::Handle run(const ops::GatherNd& op, Args& args) {
    const NdTensor& x = args.input(0);
    const auto depth = static_cast<std::size_t>(args.input(1).spec().shape.back());
    const Places places = load_blocks(args, 1, x.layout().strides, op.info.name);
    ops::Handle result = args.make_result();
    const View source = blocks_of(view_of(x), depth, places.view.layout.shape[0]);
    const Shape& shape = source.layout.shape;
    const View target{NdTensor::of(result).block()->data(), Layout::contiguous(shape)};
    const std::size_t size = size_of(x.spec().dtype);
    gather_elements(size, target, spread(places.view, shape, 0), source, static_cast<std::int64_t>(size));
    return result;
}

ops::Handle run(const ops::Scatter& op, Args& args) {
    const auto axis = static_cast<std::size_t>(op.axis);
    const NdTensor& values = args.input(2);
    const Places places = load_places(args, 1, axis, op.called);
    ops::Handle result = args.take_writable(0);
    const NdTensor& y = NdTensor::of(result);
    View target = view_of(y);
    target.layout.shape = values.spec().shape;
    const Steps steps{values.spec().shape[axis], byte_stride(y, axis), places.view.layout.strides[axis] * kIndexSize,
                      byte_stride(values, axis)};
    scatter_elements(y.spec().dtype, without_axis(target, axis, 1), without_axis(places.view, axis, 1),
                     without_axis(view_of(values), axis, 1), steps, op.update);
    return result;
}

ops::Handle run(const ops::SelectAssign& op, Args& args) {
    const auto axis = static_cast<std::size_t>(op.axis);
    const NdTensor& values = args.input(2);
    const Places places = load_places(args, 1, axis, op.called);
    ops::Handle result = args.take_writable(0);
    const NdTensor& y = NdTensor::of(result);
    const View target = without_axis(view_of(y), axis, 1);
    const Steps steps{values.spec().shape[axis], byte_stride(y, axis), places.view.layout.strides[0] * kIndexSize,
                      byte_stride(values, axis)};
    scatter_elements(y.spec().dtype, target, without_axis(spread(places.view, target.layout.shape, axis), axis, 1),
                     without_axis(view_of(values), axis, 1), steps, op.update);
    return result;
}

ops::Handle run(const ops::ScatterNd& op, Args& args) {
    const auto depth = static_cast<std::size_t>(args.input(1).spec().shape.back());
    const ops::Handle values = args.contiguous(2);
    const Places places = load_blocks(args, 1, Layout::contiguous(args.input(0).spec().shape).strides, op.info.name);
    ops::Handle result = args.take_writable(0);
    const NdTensor& y = NdTensor::of(result);
    const View target = blocks_of(view_of(y), depth, 1);
    const Shape& shape = target.layout.shape;
    View from{NdTensor::of(values).block()->data(), Layout::contiguous(shape)};
    from.layout.offset = NdTensor::of(values).layout().offset;
    const auto size = static_cast<std::int64_t>(size_of(y.spec().dtype));
    const Steps steps{places.view.layout.shape[0], size, kIndexSize, shape.numel() * size};
    scatter_elements(y.spec().dtype, target, without_axis(spread(places.view, shape, 0), 0, 1), from, steps, op.update);
    return result;
}

}  // namespace burn::ndarray
