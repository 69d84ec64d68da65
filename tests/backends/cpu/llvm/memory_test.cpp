#include <sys/mman.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "../launch.h"
#include "samples.h"

namespace burn::cpu::memory_test {
namespace {

using kernel::Access;
using kernel::Builder;
using kernel::Place;
using kernel::Reduction;
using kernel::Value;

/// Elements whose last one is the last before memory that may not be touched.
template <class T>
class Guarded {
public:
    explicit Guarded(std::size_t count) {
        constexpr std::size_t kPage = 4096;
        bytes_ = (count * sizeof(T) + kPage - 1) / kPage * kPage + kPage;
        pages_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        std::byte* end = static_cast<std::byte*>(pages_) + bytes_ - kPage;
        EXPECT_EQ(::mprotect(end, kPage, PROT_NONE), 0);
        elements_ = reinterpret_cast<T*>(end) - count;
    }
    ~Guarded() { ::munmap(pages_, bytes_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    T* data() { return elements_; }
    T& operator[](std::size_t i) { return elements_[i]; }

private:
    void* pages_ = nullptr;
    std::size_t bytes_ = 0;
    T* elements_ = nullptr;
};

template <class T>
T element(std::size_t i) {
    if constexpr (std::is_same_v<T, bool>) {
        return i % 3 != 0;
    } else if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
        return T(static_cast<float>(i + 1));
    } else {
        return static_cast<T>(i + 1);
    }
}

template <class T>
class MemoryTest : public testing::Test {};

// What differs in registers or in memory.
using ElementTypes = testing::Types<double, float, f16, std::int64_t, std::int32_t, std::uint8_t, bool>;
TYPED_TEST_SUITE(MemoryTest, ElementTypes);

TYPED_TEST(MemoryTest, MasksOfATailTouchNothingBehindIt) {
    using T = TypeParam;
    on_every_isa([] {
        for (const std::uint16_t lanes : {1, 3, 8, 16}) {
            Builder k("tail");
            const Place x = k.buffer(dtype_of<T>, Access::Read), y = k.buffer(dtype_of<T>, Access::Write);
            const Value count = k.scalar(DType::I64), at = k.cube_index() * lanes;
            const Value mask = lower(k.iota(DType::I64, lanes) + at, count);
            y.store_masked(at, x.load_masked(at, mask), mask);
            const kernel::Kernel kernel = k.finish();
            for (std::size_t n = 0; n <= 19; ++n) {
                Guarded<T> in(n), out(n);
                for (std::size_t i = 0; i < n; ++i) in[i] = element<T>(i);
                Launch(kernel)
                    .buffer(in.data())
                    .buffer(out.data())
                    .scalar(DType::I64, static_cast<std::int64_t>(n))
                    .run(0, static_cast<std::int64_t>(n / lanes + 1));
                for (std::size_t i = 0; i < n; ++i) {
                    ASSERT_EQ(bits_of(out[i]), bits_of(element<T>(i)))
                        << lanes << " lanes, element " << i << " of " << n;
                }
            }
        }
    });
}

TYPED_TEST(MemoryTest, HintsTouchNothing) {
    using T = TypeParam;
    on_every_isa([] {
        Builder k("hints");
        const Place x = k.buffer(dtype_of<T>, Access::ReadWrite);
        const Value at = k.scalar(DType::I64);
        x.prefetch(at, Access::Read);
        x.prefetch(at, Access::Write);
        const kernel::Kernel kernel = k.finish();
        Guarded<T> elements(1);
        elements[0] = element<T>(7);
        for (const std::int64_t index : {0, 1, 4096})
            Launch(kernel).buffer(elements.data()).scalar(DType::I64, index).run(0, 1);
        EXPECT_EQ(bits_of(elements[0]), bits_of(element<T>(7)));
    });
}

TYPED_TEST(MemoryTest, MasksLeaveOutAnyLane) {
    using T = TypeParam;
    on_every_isa([] {
        constexpr std::uint16_t kLanes = 8;
        Builder k("masked");
        const Place x = k.buffer(dtype_of<T>, Access::Read), chosen = k.buffer(DType::Bool, Access::Read),
                    loaded = k.buffer(dtype_of<T>, Access::Write), stored = k.buffer(dtype_of<T>, Access::Write);
        const Value mask = chosen.load(0, kLanes);
        loaded.store(0, x.load_masked(0, mask));
        stored.store_masked(0, x.load(0, kLanes), mask);
        const kernel::Kernel kernel = k.finish();
        for (unsigned pattern = 0; pattern < 256; pattern += 5) {
            T in[kLanes], out[kLanes], kept[kLanes];
            std::uint8_t bits[kLanes];
            for (unsigned i = 0; i < kLanes; ++i) {
                in[i] = element<T>(i);
                kept[i] = element<T>(100 + i);
                bits[i] = pattern >> i & 1;
            }
            Launch(kernel).buffer(in).buffer(bits).buffer(out).buffer(kept).run(0, 1);
            for (unsigned i = 0; i < kLanes; ++i) {
                ASSERT_EQ(bits_of(out[i]), bits[i] ? bits_of(in[i]) : bits_of(T())) << pattern << " lane " << i;
                ASSERT_EQ(bits_of(kept[i]), bits_of(bits[i] ? in[i] : element<T>(100 + i))) << pattern << " lane " << i;
            }
        }
    });
}

TYPED_TEST(MemoryTest, AVectorOfIndicesGathersAndScatters) {
    using T = TypeParam;
    on_every_isa([] {
        for (const DType index_type : {DType::I64, DType::I32, DType::U8, DType::I16}) {
            constexpr std::uint16_t kLanes = 8;
            Builder k("gather");
            const Place x = k.buffer(dtype_of<T>, Access::Read), y = k.buffer(dtype_of<T>, Access::Write);
            const Place indices = k.buffer(index_type, Access::Read);
            const Value from = indices.load(k.cube_index() * kLanes, kLanes);
            const Value to = k.index(15) - k.iota(DType::I64, kLanes) - k.cube_index() * kLanes;
            y.store(to, x.load(from));
            const kernel::Kernel kernel = k.finish();
            Guarded<T> in(200), out(16);
            for (std::size_t i = 0; i < 200; ++i) in[i] = element<T>(i * 7 % 50);
            std::byte index_bytes[16 * 8];
            std::size_t places[16];
            for (std::size_t i = 0; i < 16; ++i) {
                places[i] = i == 3 ? 199 : i * 13 % (index_type == DType::U8 ? 200 : 120);
                const std::uint64_t bits = kernel::element_bits(index_type, static_cast<std::int64_t>(places[i]));
                std::memcpy(index_bytes + i * size_of(index_type), &bits, size_of(index_type));
            }
            Launch(kernel).buffer(in.data()).buffer(out.data()).buffer(index_bytes).run(0, 2);
            for (std::size_t i = 0; i < 16; ++i) {
                ASSERT_EQ(bits_of(out[15 - i]), bits_of(in[places[i]])) << name_of(index_type) << " lane " << i;
            }
        }
    });
}

TYPED_TEST(MemoryTest, MaskedGathersAndScattersTouchNothingElse) {
    using T = TypeParam;
    on_every_isa([] {
        constexpr std::uint16_t kLanes = 4;
        Builder k("masked_gather");
        const Place x = k.buffer(dtype_of<T>, Access::Read), y = k.buffer(dtype_of<T>, Access::Write);
        const Value lane = k.iota(DType::I64, kLanes), mask = lower(lane, 3);
        // The last lane is far outside of both.
        const Value at = where(mask, lane, k.index(std::int64_t{1} << 40));
        y.store_masked(at, x.load_masked(at, mask), mask);
        Guarded<T> in(3), out(3);
        for (std::size_t i = 0; i < 3; ++i) in[i] = element<T>(i);
        Launch(k.finish()).buffer(in.data()).buffer(out.data()).run(0, 1);
        for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(bits_of(out[i]), bits_of(element<T>(i)));
    });
}

TYPED_TEST(MemoryTest, ViewsNeedNoMoreThanAnElementsAlignment) {
    using T = TypeParam;
    std::vector<std::byte> memory(64 * sizeof(T) + 128), results(memory.size());
    Builder k("copy");
    const Place x = k.buffer(dtype_of<T>, Access::Read), y = k.buffer(dtype_of<T>, Access::Write);
    y.store(k.cube_index() * 16, x.load(k.cube_index() * 16, 16));
    const kernel::Kernel kernel = k.finish();
    for (std::size_t shift = 0; shift < 64; shift += sizeof(T)) {
        T* in = reinterpret_cast<T*>(memory.data() + shift);
        T* out = reinterpret_cast<T*>(results.data() + (64 - sizeof(T)) - shift);
        for (std::size_t i = 0; i < 32; ++i) in[i] = element<T>(i);
        Launch(kernel).buffer(in).buffer(out).run(0, 2);
        for (std::size_t i = 0; i < 32; ++i) ASSERT_EQ(bits_of(out[i]), bits_of(element<T>(i))) << shift;
    }
}

TEST(Memory, ScalarsOfEveryTypeArrive) {
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        Builder k("scalars");
        const Value first = k.scalar(dtype), second = k.scalar(dtype);
        const Place out = k.buffer(dtype, Access::Write);
        out.store(0, first);
        out.store(1, second);
        std::uint64_t results[2] = {};
        Launch(k.finish())
            .buffer(results)
            .scalar(dtype, 1.0)
            .scalar(dtype, dtype == DType::Bool ? 0.0 : 77.0)
            .run(0, 1);
        for (std::size_t lane = 0; lane < 2; ++lane) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, reinterpret_cast<std::byte*>(results) + lane * size_of(dtype), size_of(dtype));
            const double expected = lane == 0 ? 1.0 : dtype == DType::Bool ? 0.0 : 77.0;
            EXPECT_EQ(kernel::element_value(dtype, bits), expected) << name_of(dtype);
        }
    }
}

/// The element's value after all units of work were combined into it by several threads.
template <class T>
double combined_by_threads(Reduction reduction, T first, T each) {
    Builder k("atomic");
    const Place x = k.buffer(dtype_of<T>, Access::ReadWrite), in = k.buffer(dtype_of<T>, Access::Read);
    x.atomic(reduction, 1, in.load(0));
    const kernel::Kernel kernel = k.finish();
    T elements[3] = {first, first, first}, value[1] = {each};
    Launch launch(kernel);
    launch.buffer(elements).buffer(value);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back([&] { launch.run(0, 500); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(bits_of(elements[0]), bits_of(first)) << "neighbours stay";
    EXPECT_EQ(bits_of(elements[2]), bits_of(first)) << "neighbours stay";
    return static_cast<double>(number_of(elements[1]));
}

TEST(Memory, AtomicsLoseNothingBetweenThreads) {
    EXPECT_EQ(combined_by_threads<std::int32_t>(Reduction::Sum, 5, 3), 5 + 2000 * 3);
    EXPECT_EQ(combined_by_threads<std::int64_t>(Reduction::Sum, 5, -3), 5 - 2000 * 3);
    EXPECT_EQ(combined_by_threads<std::uint16_t>(Reduction::Sum, 0, 3), 6000);
    EXPECT_EQ(combined_by_threads<std::uint8_t>(Reduction::Sum, 1, 1), (1 + 2000) % 256);
    EXPECT_EQ(combined_by_threads<float>(Reduction::Sum, 0.5f, 0.25f), 500.5);
    EXPECT_EQ(combined_by_threads<double>(Reduction::Sum, 0.5, 0.25), 500.5);
    EXPECT_EQ(combined_by_threads<f16>(Reduction::Sum, f16(0.0f), f16(0.5f)), 1000);
    EXPECT_EQ(combined_by_threads<std::uint32_t>(Reduction::Prod, 1, 3), [] {
        std::uint32_t product = 1;
        for (int i = 0; i < 2000; ++i) product *= 3;
        return product;
    }());
    EXPECT_EQ(combined_by_threads<float>(Reduction::Prod, 1.0f, -1.0f), 1);
}

TEST(Memory, AtomicsCombineAsNodesDo) {
    EXPECT_EQ(combined_by_threads<std::int8_t>(Reduction::Min, 5, -3), -3);
    EXPECT_EQ(combined_by_threads<std::uint8_t>(Reduction::Min, 5, 253), 5);
    EXPECT_EQ(combined_by_threads<std::uint8_t>(Reduction::Max, 5, 253), 253);
    EXPECT_EQ(combined_by_threads<std::int8_t>(Reduction::Max, 5, -3), 5);
    EXPECT_EQ(combined_by_threads<float>(Reduction::Max, 5, 7), 7);
    EXPECT_TRUE(std::isnan(combined_by_threads<float>(Reduction::Max, 5, std::nanf(""))));
    EXPECT_TRUE(std::isnan(combined_by_threads<double>(Reduction::Min, std::nan(""), 5)));
    EXPECT_EQ(combined_by_threads<bf16>(Reduction::Min, bf16(5.0f), bf16(-7.0f)), -7);
    EXPECT_EQ(combined_by_threads<std::int32_t>(Reduction::And, 12, 10), 8);
    EXPECT_EQ(combined_by_threads<std::int32_t>(Reduction::Or, 12, 10), 14);
    EXPECT_EQ(combined_by_threads<bool>(Reduction::And, true, false), 0);
    EXPECT_EQ(combined_by_threads<bool>(Reduction::Or, false, true), 1);
}

TEST(Memory, AnAtomicGivesWhatWasThereBefore) {
    Builder k("ticket");
    const Place next = k.buffer(DType::I32, Access::ReadWrite), out = k.buffer(DType::I32, Access::Write);
    out.store(k.cube_index(), next.atomic(Reduction::Sum, 0, 1));
    std::vector<std::int32_t> tickets(1000), next_ticket{0};
    Launch launch(k.finish());
    launch.buffer(next_ticket).buffer(tickets);
    std::thread other([&] { launch.run(0, 500); });
    launch.run(500, 1000);
    other.join();
    std::ranges::sort(tickets);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(tickets[static_cast<std::size_t>(i)], i) << "everyone has another one";
}

}  // namespace
}  // namespace burn::cpu::memory_test
