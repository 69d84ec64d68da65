#pragma once

#include <burn/core/dtype.h>

#include <bit>
#include <type_traits>

namespace burn::ndarray {

/// The type of the keys of elements of type T.
template <class T>
using SortKey = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// An unsigned number that orders elements of type T: ascending keys sort them, NaN last both ascending and descending, and
/// elements that compare equal (also -0 and 0) have one key.
template <class T>
constexpr SortKey<T> sort_key(T value, bool descending) {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
        return sort_key(static_cast<float>(value), descending);
    } else {
        using Key = SortKey<T>;
        constexpr Key kSign = Key{1} << (8 * sizeof(Key) - 1);
        Key key;
        bool is_nan = false;
        if constexpr (std::is_floating_point_v<T>) {
            // Negative numbers order backwards. Without branches: no processor predicts the signs of what is to be sorted.
            const Key bits = std::bit_cast<Key>(value + T(0));  // -0 + 0 is 0
            const Key negative = static_cast<Key>(Key{0} - (bits >> (8 * sizeof(Key) - 1)));
            key = bits ^ (negative | kSign);
            is_nan = value != value;
        } else if constexpr (std::is_signed_v<T>) {
            key = static_cast<Key>(static_cast<std::make_signed_t<Key>>(value)) ^ kSign;
        } else {
            key = static_cast<Key>(value);
        }
        key = static_cast<Key>(descending ? ~key : key);
        return is_nan ? static_cast<Key>(~Key{0}) : key;
    }
}

/// The element of a key, where all elements that have it are the same: not of NaN, whose bits differ, nor of 0, which has a sign.
template <class T>
constexpr bool element_of_key(std::uint64_t wide_key, bool descending, T& value) {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
        float wide = 0;
        if (!element_of_key(wide_key, descending, wide)) return false;
        value = T(wide);
    } else {
        using Key = SortKey<T>;
        constexpr Key kSign = Key{1} << (8 * sizeof(Key) - 1);
        auto key = static_cast<Key>(wide_key);
        const bool is_nan = key == static_cast<Key>(~Key{0});
        key = static_cast<Key>(descending ? ~key : key);
        if constexpr (std::is_floating_point_v<T>) {
            if (is_nan || key == kSign) return false;
            const Key positive = static_cast<Key>(Key{0} - (key >> (8 * sizeof(Key) - 1)));
            value = std::bit_cast<T>(static_cast<Key>(key ^ (static_cast<Key>(~positive) | kSign)));
        } else if constexpr (std::is_signed_v<T>) {
            value = static_cast<T>(key ^ kSign);
        } else {
            value = static_cast<T>(key);
        }
    }
    return true;
}

/// A key of 32 bits with the index of its element, in one word; the order of words is stable by itself.
struct NarrowEntry {
    static constexpr int kDigits = 4;
    std::uint64_t word;

    static NarrowEntry make(std::uint32_t key, std::int64_t index) {
        return {std::uint64_t{key} << 32 | static_cast<std::uint32_t>(index)};
    }
    std::uint64_t key_of_element() const { return word >> 32; }
    std::int64_t index() const { return static_cast<std::uint32_t>(word); }
    unsigned digit(int place) const { return static_cast<unsigned>(word >> (32 + 8 * place)) & 255; }
    bool operator<(const NarrowEntry& other) const { return word < other.word; }
};

/// A key of 64 bits with the index of its element.
struct WideEntry {
    static constexpr int kDigits = 8;
    std::uint64_t key;
    std::int64_t place_in_axis;

    static WideEntry make(std::uint64_t key, std::int64_t index) { return {key, index}; }
    std::uint64_t key_of_element() const { return key; }
    std::int64_t index() const { return place_in_axis; }
    unsigned digit(int place) const { return static_cast<unsigned>(key >> (8 * place)) & 255; }
    bool operator<(const WideEntry& other) const {
        return key < other.key || (key == other.key && place_in_axis < other.place_in_axis);
    }
};

template <class Entry>
void insertion_sort(Entry* entries, std::int64_t count) {
    for (std::int64_t i = 1; i < count; ++i) {
        const Entry entry = entries[i];
        std::int64_t j = i;
        for (; j > 0 && entry < entries[j - 1]; --j) entries[j] = entries[j - 1];
        entries[j] = entry;
    }
}

/// Sorts entries that come in the order of their indices; `spare` has room for as many. Returns which of the two holds the
/// result.
///
/// Source    least-significant-digit radix sort: Knuth, The Art of Computer Programming, volume 3, 5.2.5
template <class Entry>
Entry* radix_sort(Entry* entries, Entry* spare, std::int64_t count) {
    std::int64_t counts[Entry::kDigits][256] = {};
    for (std::int64_t i = 0; i < count; ++i) {
        for (int place = 0; place < Entry::kDigits; ++place) ++counts[place][entries[i].digit(place)];
    }
    for (int place = 0; place < Entry::kDigits; ++place) {
        std::int64_t* starts = counts[place];
        if (starts[entries[0].digit(place)] == count) continue;  // all have this digit
        std::int64_t start = 0;
        for (int digit = 0; digit < 256; ++digit) {
            const std::int64_t size = starts[digit];
            starts[digit] = start;
            start += size;
        }
        for (std::int64_t i = 0; i < count; ++i) spare[starts[entries[i].digit(place)]++] = entries[i];
        Entry* sorted = spare;
        spare = entries;
        entries = sorted;
    }
    return entries;
}

/// Below, the tables of a radix sort cost more than they save.
constexpr std::int64_t kLeastRadix = 32;
/// Above, a heap of the wanted costs more than sorting candidates.
constexpr std::int64_t kMostHeap = 64;

/// Sorts as radix_sort does.
template <class Entry>
Entry* sort_all(Entry* entries, Entry* spare, std::int64_t count) {
    if (count > kLeastRadix) return radix_sort(entries, spare, count);
    insertion_sort(entries, count);
    return entries;
}

/// The `wanted` smallest of entry_at(0) to entry_at(count - 1), in any order: a heap of them, the largest on top, meets all
/// others.
template <class Entry, class EntryAt>
void select_by_heap(EntryAt entry_at, Entry* heap, std::int64_t count, std::int64_t wanted) {
    const auto sink = [&](std::int64_t place) {
        const Entry entry = heap[place];
        for (std::int64_t child = 2 * place + 1; child < wanted; child = 2 * place + 1) {
            if (child + 1 < wanted && heap[child] < heap[child + 1]) ++child;
            if (!(entry < heap[child])) break;
            heap[place] = heap[child];
            place = child;
        }
        heap[place] = entry;
    };
    for (std::int64_t i = 0; i < wanted; ++i) heap[i] = entry_at(i);
    for (std::int64_t place = wanted / 2; place-- > 0;) sink(place);
    for (std::int64_t i = wanted; i < count; ++i) {
        const Entry entry = entry_at(i);
        if (!(entry < heap[0])) continue;
        heap[0] = entry;
        sink(0);
    }
}

/// The `wanted` smallest of them in order, then some others: candidates are gathered until there are twice as many as
/// wanted, then sorted and cut; what is not below the last of them is no candidate any more.
template <class Entry, class EntryAt>
Entry* select_by_limit(EntryAt entry_at, Entry* entries, Entry* spare, std::int64_t count, std::int64_t wanted) {
    std::int64_t held = 0;
    bool limited = false;
    Entry limit{};
    for (std::int64_t i = 0; i < count; ++i) {
        const Entry entry = entry_at(i);
        if (limited && !(entry < limit)) continue;
        entries[held++] = entry;
        if (held < 2 * wanted) continue;
        Entry* sorted = radix_sort(entries, spare, held);
        if (sorted != entries) {
            spare = entries;
            entries = sorted;
        }
        held = wanted;
        limit = entries[wanted - 1];
        limited = true;
    }
    return radix_sort(entries, spare, held);
}

/// Whether so few of the entries are wanted that selecting them is faster than sorting all.
constexpr bool selects(std::int64_t count, std::int64_t wanted) { return wanted * 4 < count; }

/// Entries that `sort_entries` needs room for, twice.
constexpr std::int64_t sort_room(std::int64_t count, std::int64_t wanted) {
    return selects(count, wanted) ? 2 * wanted : count;
}

/// The first `wanted` > 0 of entry_at(0) to entry_at(count - 1) in order. Returns where they stand, in `entries` or `spare`.
template <class Entry, class EntryAt>
Entry* sort_entries(EntryAt entry_at, Entry* entries, Entry* spare, std::int64_t count, std::int64_t wanted) {
    if (selects(count, wanted)) {
        if (wanted > kMostHeap) return select_by_limit(entry_at, entries, spare, count, wanted);
        select_by_heap(entry_at, entries, count, wanted);
        insertion_sort(entries, wanted);
        return entries;
    }
    for (std::int64_t i = 0; i < count; ++i) entries[i] = entry_at(i);
    return sort_all(entries, spare, count);
}

}  // namespace burn::ndarray
