#include <burn/backends/ndarray/indexing/places.h>

#include <burn/backends/ndarray/strided.h>
#include <burn/core/convert.h>

namespace burn::ndarray {

namespace {

std::int64_t load_index(const std::byte* from) { return *reinterpret_cast<const std::int64_t*>(from); }

/// The indices themselves, or an i64 copy.
Places widen(const Args& args, std::size_t i) {
    const NdTensor& at = args.input(i);
    if (at.spec().dtype == DType::I64) return {view_of(at), {}};
    ops::Handle wide = make_tensor(args.engine(), {at.spec().shape, DType::I64});
    const View target = view_of(NdTensor::of(wide));
    StridedLoop loop(at.spec().shape);
    loop.add(target.data, target.layout, sizeof(std::int64_t));
    loop.add(at.block()->data(), at.layout(), size_of(at.spec().dtype));
    visit_dtype(at.spec().dtype, [&]<class T>(T) {
        loop.run([](const StridedRun& run) {
            for (std::int64_t j = 0; j < run.count; ++j) {
                *reinterpret_cast<std::int64_t*>(run.data[0] + j * run.strides[0]) =
                    convert_element<std::int64_t>(*reinterpret_cast<const T*>(run.data[1] + j * run.strides[1]));
            }
        });
    });
    return {target, std::move(wide)};
}

/// Whether all indices of a run are in [0, size): none is negative, nor is its distance from the last.
bool all_inside(const StridedRun& run, std::int64_t size) {
    std::uint64_t signs = 0;
    const auto last = static_cast<std::uint64_t>(size) - 1;
    if (run.strides[0] ==
        static_cast<std::int64_t>(sizeof(std::int64_t))) {  // in this form compilers make vectors of it
        const auto* indices = reinterpret_cast<const std::uint64_t*>(run.data[0]);
        for (std::int64_t i = 0; i < run.count; ++i) signs |= indices[i] | (last - indices[i]);
    } else {
        for (std::int64_t i = 0; i < run.count; ++i) {
            const auto index = static_cast<std::uint64_t>(load_index(run.data[0] + i * run.strides[0]));
            signs |= index | (last - index);
        }
    }
    return static_cast<std::int64_t>(signs) >= 0;
}

void require_inside(const View& places, const Shape& shape, std::size_t axis, const char* op) {
    const auto size = static_cast<std::uint64_t>(shape[axis]);
    StridedLoop loop(places.layout.shape);
    loop.add(places.data, places.layout, sizeof(std::int64_t));
    loop.run([&](const StridedRun& run) {
        if (all_inside(run, shape[axis])) return;
        for (std::int64_t i = 0; i < run.count; ++i) {
            const std::int64_t index = load_index(run.data[0] + i * run.strides[0]);
            if (static_cast<std::uint64_t>(index) < size) continue;  // negative ones are huge
            raise(ErrorKind::Index, Message() << op << ": index " << index << " is out of range on axis " << axis
                                              << " of x " << shape << "; expected 0 to " << shape[axis] - 1);
        }
    });
}

}  // namespace

Places load_places(const Args& args, std::size_t i, std::size_t axis, const char* op) {
    Places places = widen(args, i);
    require_inside(places.view, args.input(0).spec().shape, axis, op);
    return places;
}

Places load_blocks(const Args& args, std::size_t i, const Dims& strides, const char* op) {
    const Places all = widen(args, i);
    Layout rows = all.view.layout;
    const std::size_t last = rows.shape.rank() - 1;
    const std::int64_t depth = rows.shape[last];
    const std::int64_t between = rows.strides[last] * static_cast<std::int64_t>(sizeof(std::int64_t));
    for (std::int64_t axis = 0; axis < depth; ++axis) {
        require_inside({all.view.data, rows.slice(last, axis, 1, 1)}, args.input(0).spec().shape,
                       static_cast<std::size_t>(axis), op);
    }
    rows.shape.erase(last);
    rows.strides.erase(last);
    ops::Handle numbers = make_tensor(args.engine(), {{rows.shape.numel()}, DType::I64});
    const View target = view_of(NdTensor::of(numbers));
    StridedLoop loop(rows.shape);
    loop.add(target.data, Layout::contiguous(rows.shape), sizeof(std::int64_t));
    loop.add(all.view.data, rows, sizeof(std::int64_t));
    loop.run([&](const StridedRun& run) {
        for (std::int64_t j = 0; j < run.count; ++j) {
            std::int64_t number = 0;
            for (std::int64_t axis = 0; axis < depth; ++axis) {
                number += load_index(run.data[1] + j * run.strides[1] + axis * between) *
                          strides[static_cast<std::size_t>(axis)];
            }
            *reinterpret_cast<std::int64_t*>(run.data[0] + j * run.strides[0]) = number;
        }
    });
    return {target, std::move(numbers)};
}

}  // namespace burn::ndarray
