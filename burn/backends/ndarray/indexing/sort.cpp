#include <burn/backends/ndarray/indexing/sort_keys.h>
#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/strided.h>

namespace burn::ndarray {

namespace {

/// One axis to sort: its length, how much of the order is wanted, and the steps along it in bytes.
struct Axis {
    std::int64_t count;
    std::int64_t wanted;
    std::int64_t value_step;
    std::int64_t index_step;
    std::int64_t from_step;
    bool descending;
};

template <class T, class Entry>
void sort_run(const StridedRun& run, const Axis& axis) {
    const auto room = static_cast<std::size_t>(sort_room(axis.count, axis.wanted));
    const Ref<Block> memory = Block::make(2 * room * sizeof(Entry));
    auto* entries = reinterpret_cast<Entry*>(memory->data());
    for (std::int64_t i = 0; i < run.count; ++i) {
        const std::byte* from = run.data[2] + i * run.strides[2];
        const auto entry_at = [&axis, from](std::int64_t j) {
            return Entry::make(sort_key(*reinterpret_cast<const T*>(from + j * axis.from_step), axis.descending), j);
        };
        const Entry* sorted = sort_entries(entry_at, entries, entries + room, axis.count, axis.wanted);
        std::byte* values = run.data[0] + i * run.strides[0];
        std::byte* indices = run.data[1] + i * run.strides[1];
        for (std::int64_t j = 0; j < axis.wanted; ++j) {
            const std::int64_t index = sorted[j].index();
            *reinterpret_cast<T*>(values + j * axis.value_step) =
                *reinterpret_cast<const T*>(from + index * axis.from_step);
            *reinterpret_cast<std::int64_t*>(indices + j * axis.index_step) = index;
        }
    }
}

}  // namespace

ops::HandleList run(const ops::Sort& op, Args& args) {
    const auto along = static_cast<std::size_t>(op.axis);
    ops::HandleList results = ops::list_of(args.make_result(0), args.make_result(1));
    const NdTensor& x = args.input(0);
    if (op.count == 0) return results;
    Axis axis{x.spec().shape[along], op.count, 0, 0, 0, op.descending};
    Shape beside = x.spec().shape;
    beside[along] = 1;
    StridedLoop loop(beside);
    const auto add = [&](const NdTensor& tensor) {
        Layout layout = tensor.layout();
        layout.shape[along] = 1;
        const std::size_t size = size_of(tensor.spec().dtype);
        loop.add(tensor.block()->data(), layout, size);
        return layout.strides[along] * static_cast<std::int64_t>(size);
    };
    axis.value_step = add(NdTensor::of(results[0]));
    axis.index_step = add(NdTensor::of(results[1]));
    axis.from_step = add(x);
    constexpr std::int64_t kCost = 16;  // of an element, in cheap operations
    visit_dtype(x.spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            const bool narrow = sizeof(T) < 8 && axis.count <= std::int64_t{1} << 32;
            auto* body = sort_run<T, WideEntry>;
            if constexpr (sizeof(T) < 8) body = narrow ? sort_run<T, NarrowEntry> : body;
            loop.run([&](const StridedRun& run) { body(run, axis); }, axis.count * kCost);
        }
    });
    return results;
}

}  // namespace burn::ndarray
