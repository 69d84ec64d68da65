#include <burn/backends/ndarray/indexing/sort_keys.h>
#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/strided.h>
#include <burn/base/order.h>
#include <burn/base/parallel.h>

#include <array>
#include <span>
#include <utility>

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
    std::int64_t parts;  ///< that threads sort together; 1: each axis is sorted by one
};

/// Elements worth handing to another thread, where each costs a few cheap operations.
constexpr std::int64_t kParallelElements = 16 * 1024;

/// Counts of one digit, of the entries that one thread moves.
using DigitCounts = std::array<std::int64_t, 256>;

/// Sorts as radix_sort does. Each thread counts and moves the entries of one part, to places behind those of the parts before.
template <class Entry>
Entry* shared_radix_sort(Entry* entries, Entry* spare, std::int64_t count, std::int64_t parts) {
    const Ref<Block> memory = Block::make(static_cast<std::size_t>(parts) * sizeof(DigitCounts));
    const std::span<DigitCounts> counts(reinterpret_cast<DigitCounts*>(memory->data()),
                                        static_cast<std::size_t>(parts));
    const auto each_entry = [&](auto body) {
        parallel_for(parts, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t part = begin; part < end; ++part) {
                const std::int64_t last = (part + 1) * count / parts;
                for (std::int64_t i = part * count / parts; i < last; ++i)
                    body(counts[static_cast<std::size_t>(part)], entries[i]);
            }
        });
    };
    for (int place = 0; place < Entry::kDigits; ++place) {
        for (DigitCounts& each : counts) each.fill(0);
        each_entry([place](DigitCounts& to, const Entry& entry) { ++to[entry.digit(place)]; });
        std::int64_t start = 0;
        for (std::size_t digit = 0; digit < 256; ++digit) {
            for (DigitCounts& each : counts) {
                const std::int64_t size = each[digit];
                each[digit] = start;
                start += size;
            }
        }
        each_entry([place, spare](DigitCounts& to, const Entry& entry) { spare[to[entry.digit(place)]++] = entry; });
        std::swap(entries, spare);
    }
    return entries;
}

template <class T, class Entry>
void sort_run(const StridedRun& run, const Axis& axis) {
    const auto room = static_cast<std::size_t>(sort_room(axis.count, axis.wanted));
    const Ref<Block> memory = Block::make(2 * room * sizeof(Entry));
    auto* entries = reinterpret_cast<Entry*>(memory->data());
    for (std::int64_t i = 0; i < run.count; ++i) {
        const std::byte* from = run.data[2] + i * run.strides[2];
        const auto element_at = [&axis, from](std::int64_t j) {
            return *reinterpret_cast<const T*>(from + j * axis.from_step);
        };
        const auto entry_at = [&axis, element_at](std::int64_t j) {
            return Entry::make(sort_key(element_at(j), axis.descending), j);
        };
        const Entry* sorted = nullptr;
        if (axis.parts > 1) {
            parallel_for(axis.count, kParallelElements, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t j = begin; j < end; ++j) entries[j] = entry_at(j);
            });
            sorted = shared_radix_sort(entries, entries + room, axis.count, axis.parts);
        } else {
            sorted = sort_entries(entry_at, entries, entries + room, axis.count, axis.wanted);
        }
        std::byte* values = run.data[0] + i * run.strides[0];
        std::byte* indices = run.data[1] + i * run.strides[1];
        parallel_for(axis.wanted, kParallelElements, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t j = begin; j < end; ++j) {
                const std::int64_t index = sorted[j].index();
                T value{};
                // Not from memory, where that can be: sorted, the elements are all over it.
                if (!element_of_key(sorted[j].key_of_element(), axis.descending, value)) value = element_at(index);
                *reinterpret_cast<T*>(values + j * axis.value_step) = value;
                *reinterpret_cast<std::int64_t*>(indices + j * axis.index_step) = index;
            }
        });
    }
}

}  // namespace

ops::HandleList run(const ops::Sort& op, Args& args) {
    const auto along = static_cast<std::size_t>(op.axis);
    ops::HandleList results = ops::list_of(args.make_result(0), args.make_result(1));
    const NdTensor& x = args.input(0);
    if (op.count == 0) return results;
    Axis axis{x.spec().shape[along], op.count, 0, 0, 0, op.descending, 1};
    Shape beside = x.spec().shape;
    beside[along] = 1;
    if (beside.numel() == 1 && !selects(axis.count, op.count))
        axis.parts = greatest<std::int64_t>(1, least<std::int64_t>(num_threads(), axis.count / kParallelElements));
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
