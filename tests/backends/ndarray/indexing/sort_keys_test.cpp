#include <burn/backends/ndarray/indexing/sort_keys.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace burn::ndarray::sort_keys_test {
namespace {

template <class T>
void expect_keys_rise(const std::vector<T>& rising) {
    for (std::size_t i = 1; i < rising.size(); ++i) {
        EXPECT_LT(sort_key(rising[i - 1], false), sort_key(rising[i], false)) << i;
        EXPECT_GT(sort_key(rising[i - 1], true), sort_key(rising[i], true)) << i;
    }
}

TEST(SortKey, RisesWithTheValue) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const std::vector<float> floats = {-kInf, -1e30f, -1, -1e-40f, 0, 1e-40f, 1, 1e30f, kInf};
    expect_keys_rise(floats);
    expect_keys_rise(std::vector<double>(floats.begin(), floats.end()));
    expect_keys_rise<f16>({f16(-kInf), f16(-2), f16(0), f16(6e-8f), f16(2), f16(kInf)});
    expect_keys_rise<std::int64_t>({INT64_MIN, -1, 0, 1, INT64_MAX});
    expect_keys_rise<std::int8_t>({-128, -1, 0, 1, 127});
    expect_keys_rise<std::uint64_t>({0, 1, ~0ull});
    expect_keys_rise<std::uint8_t>({0, 1, 255});
}

TEST(SortKey, OfNanIsLastBothWays) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    for (bool descending : {false, true}) {
        EXPECT_EQ(sort_key(nan, descending), sort_key(-nan, descending));
        EXPECT_GT(sort_key(nan, descending), sort_key(inf, descending));
        EXPECT_GT(sort_key(nan, descending), sort_key(-inf, descending));
        EXPECT_EQ(sort_key(0.0f, descending), sort_key(-0.0f, descending));
    }
}

template <class T>
void expect_elements(const std::vector<T>& elements, bool expected) {
    for (const T each : elements) {
        for (const bool descending : {false, true}) {
            T element{};
            ASSERT_EQ(element_of_key(sort_key(each, descending), descending, element), expected);
            if (expected) {
                EXPECT_EQ(sort_key(element, descending), sort_key(each, descending));
            }
        }
    }
}

TEST(SortKey, NamesItsElement) {
    constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> floats = {-kInf, -1e30f, -1, -1e-40f, 1e-40f, 1, 1e30f, kInf};
    expect_elements(floats, true);
    expect_elements(std::vector<double>(floats.begin(), floats.end()), true);
    expect_elements<bf16>({bf16(-kInf), bf16(-2), bf16(6e-8f), bf16(2), bf16(kInf)}, true);
    expect_elements<std::int64_t>({INT64_MIN, -1, 0, 1, INT64_MAX}, true);
    expect_elements<std::int8_t>({-128, -1, 0, 1, 127}, true);
    expect_elements<std::uint32_t>({0, 1, ~0u}, true);
    expect_elements<float>({0, -0.0f, kNan, -kNan}, false);
    expect_elements<f16>({f16(0), f16(-0.0f), f16(kNan)}, false);
}

/// Sorting by each way agrees with the standard library, for keys with many repeats.
template <class Entry, class Key>
void expect_sorts(std::int64_t count, Key range, bool falling = false) {
    std::mt19937_64 random(7);
    std::vector<Entry> entries;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto key = falling ? static_cast<Key>(count - i) : static_cast<Key>(random() % range);
        entries.push_back(Entry::make(key, i));
    }
    std::vector<Entry> expected = entries;
    std::sort(expected.begin(), expected.end());
    for (std::int64_t wanted : {count, count / 2, count / 5, std::int64_t{1}}) {
        if (wanted == 0) continue;
        const auto room = static_cast<std::size_t>(sort_room(count, wanted));
        std::vector<Entry> work(room);
        std::vector<Entry> spare(room);
        const auto entry_at = [&](std::int64_t i) { return entries[static_cast<std::size_t>(i)]; };
        const Entry* sorted = sort_entries(entry_at, work.data(), spare.data(), count, wanted);
        for (std::int64_t i = 0; i < wanted; ++i) {
            ASSERT_EQ(sorted[i].index(), expected[static_cast<std::size_t>(i)].index()) << count << ' ' << wanted;
        }
    }
}

TEST(SortEntries, AgreesWithTheStandardLibrary) {
    for (std::int64_t count : {1, 2, 31, 32, 33, 100, 256, 5000}) {
        expect_sorts<NarrowEntry, std::uint32_t>(count, 10);
        expect_sorts<NarrowEntry, std::uint32_t>(count, ~0u);
        expect_sorts<WideEntry, std::uint64_t>(count, 10);
        expect_sorts<WideEntry, std::uint64_t>(count, ~0ull);
        expect_sorts<NarrowEntry, std::uint32_t>(count, 1, true);  // every element is a candidate when its turn comes
    }
}

}  // namespace
}  // namespace burn::ndarray::sort_keys_test
