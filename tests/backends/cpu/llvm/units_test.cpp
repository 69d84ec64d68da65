#include <gmock/gmock.h>

#include <numeric>

#include "../launch.h"
#include "samples.h"

namespace burn::cpu::units_test {
namespace {

using kernel::Access;
using kernel::Builder;
using kernel::Place;
using kernel::Reduction;
using kernel::Value;
using kernel::Variable;

std::vector<float> counting(std::size_t count) {
    std::vector<float> all(count);
    std::iota(all.begin(), all.end(), 0.0f);
    return all;
}

TEST(Units, ATreeOfSumsInSharedMemory) {
    for (const std::int64_t units : {2, 64, 256, 1024}) {
        Builder k("sum", static_cast<std::uint32_t>(units));
        const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
        const Place shared = k.shared_array(DType::F32, units);
        const Value unit = k.unit_index();
        shared.store(unit, x.load(k.cube_index() * units + unit));
        k.barrier();
        for (std::int64_t half = units / 2; half > 0; half /= 2) {
            k.if_then(lower(unit, half), [&] { shared.store(unit, shared.load(unit) + shared.load(unit + half)); });
            k.barrier();
        }
        k.if_then(equal(unit, 0), [&] { y.store(k.cube_index(), shared.load(0)); });
        std::vector<float> in = counting(static_cast<std::size_t>(3 * units)), out(3);
        Launch(k.finish()).buffer(in).buffer(out).run(0, 3);
        for (std::size_t cube = 0; cube < 3; ++cube) {
            float expected = 0;
            for (std::size_t i = 0; i < in.size() / 3; ++i) expected += in[cube * (in.size() / 3) + i];
            EXPECT_EQ(out[cube], expected) << units << " units, cube " << cube;
        }
    }
}

TEST(Units, ALoopWithBarriersIsTheSameTree) {
    Builder k("sum", 64);
    const Place x = k.buffer(DType::I32, Access::Read), y = k.buffer(DType::I32, Access::Write);
    const Place shared = k.shared_array(DType::I32, 64);
    const Value unit = k.unit_index();
    shared.store(unit, x.load(unit));
    k.barrier();
    k.for_loop(0, 6, 1, [&](Value level) {
        const Value half = bitwise_right_shift(k.index(32), level);
        const Value partner = where(lower(unit, half), unit + half, unit);
        const Value other = shared.load(partner);
        k.barrier();
        k.if_then(lower(unit, half), [&] { shared.store(unit, shared.load(unit) + other); });
        k.barrier();
    });
    y.store(unit, shared.load(0) + cast(unit, DType::I32));
    std::vector<std::int32_t> in(64), out(64);
    for (std::size_t i = 0; i < 64; ++i) in[i] = static_cast<std::int32_t>(i * i);
    const std::int32_t sum = std::accumulate(in.begin(), in.end(), 0);
    Launch(k.finish()).buffer(in).buffer(out).run(0, 1);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], sum + static_cast<std::int32_t>(i));
}

TEST(Units, ATileIsTransposedThroughSharedMemory) {
    constexpr std::int64_t kTile = 16, kSize = 64;
    Builder k("transpose", kTile * kTile);
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Place tile = k.shared_array(DType::F32, kTile * kTile);
    const Value unit = k.unit_index(), row = unit / kTile, column = rem(unit, kTile);
    const Value tile_row = k.cube_index() / (kSize / kTile), tile_column = rem(k.cube_index(), kSize / kTile);
    tile.store(unit, x.load((tile_row * kTile + row) * kSize + tile_column * kTile + column));
    k.barrier();
    y.store((tile_column * kTile + row) * kSize + tile_row * kTile + column, tile.load(column * kTile + row));
    std::vector<float> in = counting(kSize * kSize), out(in.size());
    Launch(k.finish()).buffer(in).buffer(out).run(0, 16);
    for (std::size_t i = 0; i < kSize; ++i) {
        for (std::size_t j = 0; j < kSize; ++j) ASSERT_EQ(out[j * kSize + i], in[i * kSize + j]);
    }
}

TEST(Units, WhatAUnitKeepsSurvivesBarriers) {
    // A value of each kind made before a barrier and used after one: loaded, computed, Bool, vector, variable, array, uniform.
    constexpr int kUnits = 8;
    Builder k("keep", kUnits);
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Value scale = k.scalar(DType::F32), unit = k.unit_index(), cube = k.cube_index();
    const Value loaded = x.load(unit), doubled = loaded * 2, odd = equal(rem(unit, k.index(2)), 1);
    const Value pair = x.load(unit * 2, 2), uniform = cast(cube * 100, DType::F32) * scale;
    const Variable sum = k.variable({DType::F32, 1}, 0), wide = k.variable(pair);
    const Place local = k.local_array(DType::I16, 3);
    sum = sum.get() + loaded;
    local.store(1, cast(unit, DType::I16) * 3);
    k.barrier();
    sum = sum.get() + doubled;
    local.store(2, local.load(1) + 1);
    wide = wide.get() + pair;
    k.barrier();
    const Value from_local = cast(local.load(1) * 100 + local.load(2), DType::F32);
    y.store((cube * kUnits + unit) * 2, where(odd, sum.get() + uniform, from_local));
    y.store((cube * kUnits + unit) * 2 + 1, reduce_lanes(wide.get(), Reduction::Sum));
    std::vector<float> in = counting(16), out(std::size_t{2} * kUnits * 2);
    Launch(k.finish()).buffer(in).buffer(out).scalar(DType::F32, 0.5).run(0, 2);
    for (std::size_t cube_index = 0; cube_index < 2; ++cube_index) {
        for (std::size_t i = 0; i < kUnits; ++i) {
            const float value = static_cast<float>(i), local_part = value * 3 * 100 + value * 3 + 1;
            const float expected = i % 2 == 1 ? value * 3 + static_cast<float>(cube_index) * 50 : local_part;
            EXPECT_EQ(out[(cube_index * kUnits + i) * 2], expected) << "cube " << cube_index << " unit " << i;
            EXPECT_EQ(out[(cube_index * kUnits + i) * 2 + 1], 2 * (value * 4 + 1)) << i;
        }
    }
}

TEST(Units, ControlFlowWithinAPieceIsEachUnitsOwn) {
    Builder k("own", 16);
    const Place y = k.buffer(DType::I64, Access::Write);
    const Value unit = k.unit_index();
    const Variable total = k.variable({DType::I64, 1}, 0);
    k.barrier();
    k.for_loop(0, unit, 1, [&](Value i) {
        const Variable inner = k.variable(i);
        const Place scratch = k.local_array(DType::I64, 4);
        k.for_loop(0, 4, 1, [&](Value j) { scratch.store(j, i * j); });
        k.while_loop([&] { return greater(inner.get(), 0); },
                     [&] {
                         total = total.get() + scratch.load(rem(inner.get(), k.index(4)));
                         inner = inner.get() - 1;
                     });
    });
    k.barrier();
    k.if_else(greater(unit, 7), [&] { total = total.get() * 2; }, [&] { total = -total.get(); });
    y.store(unit, total);
    std::vector<std::int64_t> out(16);
    Launch(k.finish()).buffer(out).run(0, 1);
    for (std::int64_t unit_index = 0; unit_index < 16; ++unit_index) {
        std::int64_t expected = 0;
        for (std::int64_t i = 0; i < unit_index; ++i) {
            for (std::int64_t j = i; j > 0; --j) expected += i * (j % 4);
        }
        EXPECT_EQ(out[static_cast<std::size_t>(unit_index)], unit_index > 7 ? expected * 2 : -expected) << unit_index;
    }
}

TEST(Units, BarriersInBranchesThatAllUnitsTake) {
    Builder k("branch", 8);
    const Place y = k.buffer(DType::I64, Access::Write);
    const Place shared = k.shared_array(DType::I64, 8);
    const Value unit = k.unit_index(), cube = k.cube_index();
    shared.store(unit, unit);
    k.if_else(
        equal(rem(cube, k.index(2)), 0),
        [&] {
            k.barrier();
            const Value other = shared.load(k.index(7) - unit);
            k.barrier();
            shared.store(unit, other * 10);
            k.barrier();
        },
        [&] { shared.store(unit, unit * 1000); });
    y.store(cube * 8 + unit, shared.load(unit));
    std::vector<std::int64_t> out(24);
    Launch(k.finish()).buffer(out).run(0, 3);
    for (std::int64_t i = 0; i < 24; ++i) {
        EXPECT_EQ(out[static_cast<std::size_t>(i)], i / 8 % 2 == 0 ? (7 - i % 8) * 10 : i % 8 * 1000) << i;
    }
}

template <class T>
void check_plane_reductions(std::uint32_t units, std::uint32_t plane) {
    SCOPED_TRACE(testing::Message() << name_of(dtype_of<T>) << ", planes of " << plane);
    Builder k("planes", units, plane);
    const Place x = k.buffer(dtype_of<T>, Access::Read), y = k.buffer(dtype_of<T>, Access::Write);
    const Value unit = k.unit_index(), value = x.load(unit);
    // The operand is used again after the cut, and a result is an operand.
    const Value sum = k.plane_reduce(value, Reduction::Sum), largest = k.plane_reduce(sum + value, Reduction::Max);
    y.store(unit * 2, sum);
    y.store(unit * 2 + 1, largest - value);
    std::vector<T> in(units), out(2 * units);
    for (std::size_t i = 0; i < units; ++i) in[i] = static_cast<T>(i * 7 % 31);
    Launch(k.finish()).buffer(in).buffer(out).run(0, 1);
    for (std::size_t i = 0; i < units; ++i) {
        const auto first = in.begin() + static_cast<long>(i / plane * plane);
        T expected{}, most = *first;
        for (auto it = first; it != first + plane; ++it) {
            expected += *it;
            most = std::max(most, *it);
        }
        EXPECT_EQ(out[2 * i], expected) << i;
        EXPECT_EQ(out[2 * i + 1], expected + most - in[i]) << i;
    }
}

TEST(Units, PlanesReduce) {
    check_plane_reductions<float>(32, 32);
    check_plane_reductions<float>(64, 16);
    check_plane_reductions<std::int32_t>(12, 4);
    check_plane_reductions<std::int64_t>(6, 3);
    check_plane_reductions<std::int64_t>(4, 1);
}

TEST(Units, PlaneReductionsGoByHalves) {
    // In this order 1e8 + -1e8 meet first, whatever else would round.
    Builder k("order", 4, 4);
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    y.store(k.unit_index(), k.plane_reduce(x.load(k.unit_index()), Reduction::Sum));
    std::vector<float> in{1e8f, 1, -1e8f, 2}, out(4);
    Launch(k.finish()).buffer(in).buffer(out).run(0, 1);
    EXPECT_EQ(out, std::vector<float>(4, 3));
}

TEST(Units, PlanesReduceTruthsAndVectors) {
    Builder k("truths", 8, 4);
    const Place x = k.buffer(DType::F32, Access::Read), any = k.buffer(DType::Bool, Access::Write),
                all = k.buffer(DType::Bool, Access::Write), wide = k.buffer(DType::F32, Access::Write);
    const Value unit = k.unit_index(), holds = greater(x.load(unit), 2.5);
    any.store(unit, k.plane_reduce(holds, Reduction::Or));
    all.store(unit, k.plane_reduce(holds, Reduction::And));
    wide.store(unit * 3, k.plane_reduce(x.load(unit, 3), Reduction::Sum));
    std::vector<float> in = counting(10), sums(24);
    std::vector<std::uint8_t> any_result(8, 9), all_result(8, 9);
    Launch(k.finish()).buffer(in).buffer(any_result).buffer(all_result).buffer(sums).run(0, 1);
    EXPECT_EQ(any_result, std::vector<std::uint8_t>(8, 1));
    EXPECT_EQ(all_result, (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 1, 1, 1}));
    for (std::size_t i = 0; i < 8; ++i) {
        const float first = static_cast<float>(i / 4 * 4);
        for (std::size_t lane = 0; lane < 3; ++lane) {
            EXPECT_EQ(sums[i * 3 + lane], 4 * (first + static_cast<float>(lane)) + 6) << i;
        }
    }
}

TEST(Units, PlanesShuffle) {
    Builder k("shuffle", 16, 8);
    const Place x = k.buffer(DType::I32, Access::Read), y = k.buffer(DType::I32, Access::Write);
    const Value unit = k.unit_index(), within = rem(unit, k.index(8));
    const Value value = x.load(unit);
    const Value reversed = k.plane_shuffle(value, k.index(7) - within);
    // Of what was shuffled, and in a loop: a butterfly that sums the plane.
    const Variable sum = k.variable(reversed);
    for (const std::int64_t bit : {1, 2, 4}) {
        sum = sum.get() + k.plane_shuffle(sum.get(), bitwise_xor(within, k.index(bit)));
    }
    const Value uniform = k.plane_shuffle(cast(k.cube_index(), DType::I32), 3);
    y.store(unit * 2, reversed + uniform);
    y.store(unit * 2 + 1, sum);
    std::vector<std::int32_t> in(16), out(32);
    for (std::size_t i = 0; i < 16; ++i) in[i] = static_cast<std::int32_t>(i * i);
    Launch(k.finish()).buffer(in).buffer(out).run(0, 1);
    for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t first = i / 8 * 8;
        EXPECT_EQ(out[2 * i], in[first + 7 - i % 8]) << i;
        EXPECT_EQ(out[2 * i + 1],
                  std::accumulate(in.begin() + static_cast<long>(first), in.begin() + static_cast<long>(first + 8), 0));
    }
}

TEST(Units, ShufflesInALoopReadWhatTheRoundBeforeWrote) {
    Builder k("rotate", 8, 8);
    const Place y = k.buffer(DType::I64, Access::Write);
    const Value unit = k.unit_index();
    const Variable value = k.variable(unit);
    k.for_loop(0, 5, 1, [&](Value round) { value = k.plane_shuffle(value.get(), rem(unit + 1, k.index(8))) + round; });
    y.store(unit, value);
    std::vector<std::int64_t> out(8);
    Launch(k.finish()).buffer(out).run(0, 1);
    for (std::int64_t i = 0; i < 8; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], (i + 5) % 8 + 10);
}

TEST(Units, UnitsAddToOneElementInSharedMemory) {
    Builder k("histogram", 128);
    const Place x = k.buffer(DType::I32, Access::Read), y = k.buffer(DType::I32, Access::Write);
    const Place bins = k.shared_array(DType::I32, 10);
    const Value unit = k.unit_index();
    k.if_then(lower(unit, 10), [&] { bins.store(unit, 0); });
    k.barrier();
    bins.atomic(Reduction::Sum, x.load(unit), 1);
    k.barrier();
    k.if_then(lower(unit, 10), [&] { y.store(unit, bins.load(unit)); });
    std::vector<std::int32_t> in(128), out(10), expected(10);
    for (std::size_t i = 0; i < 128; ++i)
        ++expected[static_cast<std::size_t>(in[i] = static_cast<std::int32_t>(i * i % 10))];
    Launch(k.finish()).buffer(in).buffer(out).run(0, 1);
    EXPECT_EQ(out, expected);
}

TEST(Units, LargeArraysDoNotLieOnTheStack) {
    // 8 MiB shared and 4 KiB for each of 1024 units.
    constexpr std::int64_t kCount = 1 << 20;
    Builder k("large", 1024);
    const Place y = k.buffer(DType::F64, Access::Write);
    const Place shared = k.shared_array(DType::F64, kCount), local = k.local_array(DType::F32, 1024);
    const Value unit = k.unit_index();
    shared.store(unit * 1024 + 1023, cast(unit, DType::F64));
    local.store(1023, cast(unit, DType::F32));
    k.barrier();
    y.store(unit, shared.load((k.index(1023) - unit) * 1024 + 1023) + cast(local.load(1023), DType::F64));
    std::vector<double> out(1024);
    Launch(k.finish()).buffer(out).run(0, 1);
    EXPECT_EQ(out, std::vector<double>(1024, 1023));
}

TEST(Units, MoreMemoryThanThereIsIsRefused) {
    Builder k("too_large", 1024);
    const Place y = k.buffer(DType::F64, Access::Write), local = k.local_array(DType::F64, 1 << 20);
    local.store(0, 1);
    y.store(k.unit_index(), local.load(0));
    try {
        Launch launch(k.finish());
        FAIL();
    } catch (const UnsupportedError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("kernel too_large: cannot be compiled: its arrays take 8589934592 "
                                                     "bytes in all units; at most 67108864 are possible"));
    }
}

}  // namespace
}  // namespace burn::cpu::units_test
