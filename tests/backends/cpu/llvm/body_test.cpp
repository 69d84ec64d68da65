#include <burn/ops/num.h>

#include <numeric>

#include "../launch.h"
#include "samples.h"

namespace burn::cpu::body_test {
namespace {

using kernel::Access;
using kernel::Builder;
using kernel::Place;
using kernel::Reduction;
using kernel::Value;
using kernel::Variable;

TEST(Body, RunsTheCubesItIsToldTo) {
    Builder k("scale");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Value factor = k.scalar(DType::F32), i = k.cube_index() * 8;
    y.store(i, x.load(i, 8) * factor);
    std::vector<float> in(64), out(64, -1);
    std::iota(in.begin(), in.end(), 0.0f);
    Launch launch(k.finish());
    launch.buffer(in).buffer(out).scalar(DType::F32, 2.5);
    launch.run(3, 3);
    launch.run(5, 2);
    EXPECT_EQ(out, std::vector<float>(64, -1)) << "no cubes";
    launch.run(1, 7);
    for (std::size_t j = 0; j < 64; ++j) EXPECT_EQ(out[j], j >= 8 && j < 56 ? in[j] * 2.5f : -1.0f) << j;
}

TEST(Body, LoopsRunFromBeginToEndByStep) {
    Builder k("loop");
    const Place bounds = k.buffer(DType::I64, Access::Read), y = k.buffer(DType::I64, Access::Write);
    const Variable sum = k.variable({DType::I64, 1}, 0), rounds = k.variable({DType::I64, 1}, 0);
    k.for_loop(bounds.load(0), bounds.load(1), bounds.load(2), [&](Value i) {
        sum = sum.get() * 10 + i;
        rounds = rounds.get() + 1;
    });
    y.store(0, sum);
    y.store(1, rounds);
    const kernel::Kernel kernel = k.finish();
    const auto run = [&](std::int64_t begin, std::int64_t end, std::int64_t step) {
        std::vector<std::int64_t> in{begin, end, step}, out(2);
        Launch(kernel).buffer(in).buffer(out).run(0, 1);
        return out;
    };
    EXPECT_EQ(run(0, 4, 1), (std::vector<std::int64_t>{123, 4}));
    EXPECT_EQ(run(1, 8, 3), (std::vector<std::int64_t>{147, 3}));
    EXPECT_EQ(run(5, 5, 1), (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(run(6, 5, 1), (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(run(-3, -1, 1), (std::vector<std::int64_t>{-32, 2}));
    // Steps that a loop does not have end it.
    EXPECT_EQ(run(1, 5, 0), (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(run(1, 5, -1), (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(run(1, INT64_MAX, INT64_MAX - 1), (std::vector<std::int64_t>{1, 1}));
    // An index and a step that are more than the largest integer end it too.
    EXPECT_EQ(run(INT64_MAX - 5, INT64_MAX, 4)[1], 2);
    EXPECT_EQ(run(INT64_MAX - 5, INT64_MAX, INT64_MAX)[1], 1);
    EXPECT_EQ(run(INT64_MIN, INT64_MIN + 2, 5)[1], 1);
    EXPECT_EQ(run(INT64_MIN, INT64_MIN + 2, 1)[1], 2);
}

TEST(Body, ALoopOfConstantsEndsAtTheLargestInteger) {
    Builder k("loop");
    const Place y = k.buffer(DType::I64, Access::Write);
    const Variable rounds = k.variable({DType::I64, 1}, 0);
    k.for_loop(k.index(INT64_MAX - 5), k.index(INT64_MAX), k.index(4), [&](Value) { rounds = rounds.get() + 1; });
    y.store(0, rounds);
    std::vector<std::int64_t> out(1);
    Launch(k.finish()).buffer(out).run(0, 1);
    EXPECT_EQ(out[0], 2);
}

TEST(Body, NestedLoopsBranchesAndVariables) {
    // How many primes are below n, by trial division: loops in loops, branches with and without an else, a while.
    Builder k("primes");
    const Place out = k.buffer(DType::I64, Access::Write);
    const Value n = k.scalar(DType::I64);
    const Variable count = k.variable({DType::I64, 1}, 0), composite = k.variable({DType::I64, 1}, 0);
    k.for_loop(2, n, 1, [&](Value candidate) {
        const Variable divisor = k.variable({DType::I64, 1}, 2), divided = k.variable({DType::Bool, 1}, 0);
        k.while_loop(
            [&] { return bool_and(lower_equal(divisor.get() * divisor.get(), candidate), bool_not(divided.get())); },
            [&] {
                k.if_then(equal(rem(candidate, divisor.get()), 0), [&] { divided = Value(1); });
                divisor = divisor.get() + 1;
            });
        k.if_else(divided.get(), [&] { composite = composite.get() + 1; }, [&] { count = count.get() + 1; });
    });
    out.store(0, count);
    out.store(1, composite);
    const kernel::Kernel kernel = k.finish();
    for (const std::int64_t n : {0, 2, 3, 10, 100, 1000}) {
        std::int64_t primes = 0;
        for (std::int64_t i = 2; i < n; ++i) {
            bool prime = true;
            for (std::int64_t d = 2; d * d <= i; ++d) prime = prime && i % d != 0;
            primes += prime ? 1 : 0;
        }
        std::vector<std::int64_t> result(2, -1);
        Launch(kernel).buffer(result).scalar(DType::I64, n).run(0, 1);
        EXPECT_EQ(result, (std::vector<std::int64_t>{primes, std::max<std::int64_t>(n - 2, 0) - primes})) << n;
    }
}

TEST(Body, VariablesBeginAnewInEveryRound) {
    Builder k("anew");
    const Place out = k.buffer(DType::I32, Access::Write);
    k.for_loop(0, 4, 1, [&](Value i) {
        const Variable x = k.variable({DType::I32, 4}, 1);
        x = x.get() + 1;
        out.store(k.cube_index() * 16 + i * 4, x);
    });
    std::vector<std::int32_t> result(32);
    Launch(k.finish()).buffer(result).run(0, 2);
    EXPECT_EQ(result, std::vector<std::int32_t>(32, 2));
}

TEST(Body, ArraysKeepWhatIsStored) {
    Builder k("arrays");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Place shared = k.shared_array(DType::F32, 32), local = k.local_array(DType::Bool, 32);
    k.for_loop(0, 32, 8, [&](Value i) {
        shared.store(i, x.load(i, 8));
        local.store(i, greater(x.load(i, 8), 10));
    });
    k.for_loop(0, 32, 1, [&](Value i) {
        const Value from = k.index(31) - i;
        y.store(i, where(local.load(from), shared.load(from), -1));
    });
    std::vector<float> in(32), out(32), expected(32);
    std::iota(in.begin(), in.end(), 0.0f);
    for (std::size_t i = 0; i < 32; ++i) expected[i] = 31 - i > 10 ? static_cast<float>(31 - i) : -1;
    Launch(k.finish()).buffer(in).buffer(out).run(0, 1);
    EXPECT_EQ(out, expected);
}

/// Lane i with lane i + half: of an odd number the middle lane waits.
template <class T, class Combine>
T by_halves(std::vector<T> lanes, Combine combine) {
    while (lanes.size() > 1) {
        const std::size_t pairs = lanes.size() / 2, left = lanes.size() - pairs;
        for (std::size_t i = 0; i < pairs; ++i) lanes[i] = combine(lanes[i], lanes[i + left]);
        lanes.resize(left);
    }
    return lanes[0];
}

template <class T>
void check_lane_reductions(std::uint16_t lanes) {
    using ops::Num;
    constexpr bool kIsFloat = std::is_floating_point_v<T>;
    Builder k("lanes");
    const Place x = k.buffer(dtype_of<T>, Access::Read), y = k.buffer(dtype_of<T>, Access::Write);
    const Value value = x.load(k.cube_index() * lanes, lanes);
    const Value at = k.cube_index() * 6;
    y.store(at, reduce_lanes(value, Reduction::Sum));
    y.store(at + 1, reduce_lanes(value, Reduction::Prod));
    y.store(at + 2, reduce_lanes(value, Reduction::Min));
    y.store(at + 3, reduce_lanes(value, Reduction::Max));
    if (!kIsFloat) {
        y.store(at + 4, reduce_lanes(value, Reduction::And));
        y.store(at + 5, reduce_lanes(value, Reduction::Or));
    }
    const std::vector<T> all = samples<T>();
    std::vector<T> in;
    for (std::size_t i = 0; i < 40u * lanes; ++i) in.push_back(all[i * 5 % all.size()]);
    std::vector<T> out(40 * 6);
    Launch(k.finish()).buffer(in).buffer(out).run(0, 40);
    for (std::size_t cube = 0; cube < 40; ++cube) {
        const std::vector<T> row(in.begin() + static_cast<long>(cube * lanes),
                                 in.begin() + static_cast<long>((cube + 1) * lanes));
        const auto check = [&](std::size_t which, auto combine) {
            const T expected = by_halves(row, [&](T a, T b) { return combine(Num<T>(a), Num<T>(b)).value; });
            EXPECT_TRUE(same_element(out[cube * 6 + which], expected))
                << name_of(dtype_of<T>) << "x" << lanes << ", reduction " << which << ": " << +out[cube * 6 + which]
                << ", expected " << +expected;
        };
        check(0, [](auto a, auto b) { return a + b; });
        check(1, [](auto a, auto b) { return a * b; });
        check(2, [](auto a, auto b) { return min_pair(a, b); });
        check(3, [](auto a, auto b) { return max_pair(a, b); });
        if constexpr (!kIsFloat) {
            check(4, [](auto a, auto b) { return bitwise_and(a, b); });
            check(5, [](auto a, auto b) { return bitwise_or(a, b); });
        }
    }
}

TEST(Body, LanesAreReducedByHalves) {
    on_every_isa([] {
        for (const std::uint16_t lanes : {2, 3, 5, 8, 16}) {
            check_lane_reductions<float>(lanes);
            check_lane_reductions<std::int32_t>(lanes);
        }
        check_lane_reductions<double>(8);
        check_lane_reductions<std::uint8_t>(64);
    });
}

TEST(Body, LeavesAndLanes) {
    Builder k("leaves");
    const Place out = k.buffer(DType::F32, Access::Write), lanes = k.buffer(DType::I32, Access::Write),
                truths = k.buffer(DType::Bool, Access::Write), halves = k.buffer(DType::F16, Access::Write),
                turns = k.buffer(DType::I16, Access::Write);
    out.store(0, k.iota(DType::F32, 8));
    out.store(8, splat(extract(k.iota(DType::F32, 8), 5), 4));
    lanes.store(0, bitcast(k.constant(DType::F32, 1.0, 4), DType::I32));
    truths.store(0, k.constant(DType::Bool, 1, 4));
    truths.store(4, k.constant(DType::Bool, 0, 4));
    halves.store(0, k.iota(DType::F16, 8));
    turns.store(0, interleave(k.iota(DType::I16, 3), k.constant(DType::I16, 7, 3)));
    turns.store(6, interleave(k.constant(DType::I16, 8), k.constant(DType::I16, 9)));
    std::vector<float> numbers(12);
    std::vector<std::int32_t> bits(4);
    std::vector<std::uint8_t> bytes(8, 9);
    std::vector<f16> small(8);
    std::vector<std::int16_t> in_turn(8);
    Launch(k.finish()).buffer(numbers).buffer(bits).buffer(bytes).buffer(small).buffer(in_turn).run(0, 1);
    EXPECT_EQ(numbers, (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 5, 5, 5, 5}));
    EXPECT_EQ(bits, std::vector<std::int32_t>(4, 0x3f800000));
    EXPECT_EQ(bytes, (std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(in_turn, (std::vector<std::int16_t>{0, 7, 1, 7, 2, 7, 8, 9}));
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(static_cast<float>(small[i]), static_cast<float>(i));
}

TEST(Body, AProductAndASumAreRoundedTwiceUnlessWrittenAsFma) {
    on_every_isa([] {
        Builder k("rounding");
        const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
        const Value a = x.load(0, 8), c = x.load(8, 8);
        y.store(0, a * a + c);
        y.store(8, c - a * a);
        y.store(16, fma(a, a, c));
        std::vector<float> in(16), out(24);
        for (std::size_t i = 0; i < 8; ++i) {
            in[i] = 1 + static_cast<float>(i + 1) * 0x1p-13f;
            in[8 + i] = -in[i] * in[i];  // what the exact product and the rounded one differ by
        }
        Launch(k.finish()).buffer(in).buffer(out).run(0, 1);
        for (std::size_t i = 0; i < 8; ++i) {
            EXPECT_EQ(out[i], 0) << i;
            EXPECT_EQ(out[8 + i], -2 * in[i] * in[i]) << i;
            EXPECT_EQ(out[16 + i], std::fma(in[i], in[i], in[8 + i])) << i;
        }
        EXPECT_NE(out[16], 0) << "or the test shows nothing";
    });
}

TEST(Body, SelectsKeepEveryBit) {
    const std::vector<float> values = samples<float>();
    std::vector<float> in = values, out(values.size());
    Builder k("select");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Value value = x.load(k.cube_index());
    y.store(k.cube_index(), where(equal(rem(k.cube_index(), k.index(2)), 0), value, 0));
    Launch(k.finish()).buffer(in).buffer(out).run(0, static_cast<std::int64_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(bits_of(out[i]), i % 2 == 0 ? bits_of(values[i]) : 0u);
    }
}

TEST(Body, OneUnitWaitsForNobody) {
    Builder k("alone");
    const Place x = k.buffer(DType::F32, Access::ReadWrite);
    k.barrier();
    x.store(0, k.plane_reduce(x.load(0), Reduction::Sum) + k.plane_shuffle(x.load(1), 0) +
                   cast(k.unit_index(), DType::F32));
    std::vector<float> values{3, 4};
    Launch(k.finish()).buffer(values).run(0, 1);
    EXPECT_EQ(values[0], 7);
}

}  // namespace
}  // namespace burn::cpu::body_test
