#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <burn/kernel/evaluate.h>
#include <burn/kernel/interpret.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace burn::kernel::interpret_test {
namespace {

using testing::ElementsAre;

template <class T>
BufferElements elements(std::vector<T>& values) {
    return {reinterpret_cast<std::byte*>(values.data()), static_cast<std::int64_t>(values.size())};
}

/// The message of the error that running one cube raises.
template <class... Buffers>
std::string fault(const Kernel& kernel, Buffers&... buffers) {
    try {
        const std::vector<BufferElements> views{elements(buffers)...};
        interpret(kernel, views, {}, 0, 1);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Interpret, ScalesABuffer) {
    Builder k("scale");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Value factor = k.scalar(DType::F32), i = k.cube_index() * 4;
    y.store(i, x.load(i, 4) * factor);
    std::vector<float> in(12), out(12);
    std::iota(in.begin(), in.end(), 0.0f);
    const BufferElements buffers[] = {elements(in), elements(out)};
    const std::uint64_t scalars[] = {element_bits(DType::F32, 0.5)};
    interpret(k.finish(), buffers, scalars, 1, 3);
    EXPECT_THAT(out, ElementsAre(0, 0, 0, 0, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5)) << "cube 0 is not among them";
}

TEST(Interpret, MasksGathersAndScatters) {
    Builder k("mask");
    const Place x = k.buffer(DType::I32, Access::Read), y = k.buffer(DType::I32, Access::Write);
    const Value lane = k.iota(kIndex, 4);
    y.store_masked(0, x.load_masked(3, lower(lane, 2)) + 1, not_equal(lane, 3));  // lanes 2, 3 lie outside x
    y.store(where(lower(lane, 2), 4, lane + 3), x.load(4 - lane, 4));             // two lanes store to element 4
    std::vector<std::int32_t> in{10, 11, 12, 13, 14}, out(7, -1);
    EXPECT_EQ(fault(k.finish(), in, out), "none");
    EXPECT_THAT(out, ElementsAre(14, 15, 1, -1, 13, 12, 11)) << "the later lane stays";
}

TEST(Interpret, ReadsAndWritesEveryElementType) {
    for (int d = 0; d < kDTypeCount; ++d) {
        const auto dtype = static_cast<DType>(d);
        const std::size_t size = size_of(dtype);
        Builder k("copy");
        const Place x = k.buffer(dtype, Access::Read), y = k.buffer(dtype, Access::Write);
        y.store(1, x.load(0, 2));
        std::vector<std::uint8_t> in(2 * size, 0x85), out(3 * size);
        std::fill_n(in.begin(), size, 0x01);
        const BufferElements buffers[] = {{reinterpret_cast<std::byte*>(in.data()), 2},
                                          {reinterpret_cast<std::byte*>(out.data()), 3}};
        interpret(k.finish(), buffers, {}, 0, 1);
        if (dtype == DType::Bool) in[1] = 1;  // any byte but 0 is true, and written as 1
        EXPECT_TRUE(std::equal(in.begin(), in.end(), out.begin() + static_cast<std::ptrdiff_t>(size)))
            << name_of(dtype);
    }
}

TEST(Interpret, LoopsAndBranches) {
    Builder k("gcd");
    const Place x = k.buffer(DType::I64, Access::ReadWrite);
    k.for_loop(0, 3, 1, [&](Value i) {
        const Variable a = k.variable(x.load(i * 2)), b = k.variable(x.load(i * 2 + 1));
        k.while_loop([&] { return not_equal(b, 0); },
                     [&] {
                         const Value left = rem(a, b);
                         a = b.get();
                         b = left;
                     });
        k.if_else(
            equal(a, 1), [&] { x.store(i * 2, -1); }, [&] { k.if_then(greater(a, 4), [&] { x.store(i * 2, a); }); });
    });
    std::vector<std::int64_t> values{12, 18, 35, 18, 8, 12};
    EXPECT_EQ(fault(k.finish(), values), "none");
    EXPECT_THAT(values, ElementsAre(6, 18, -1, 18, 8, 12));
}

TEST(Interpret, LoopsStepAndMayBeEmpty) {
    Builder k("steps");
    const Place x = k.buffer(DType::I64, Access::ReadWrite);
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto count = [&](const Value& begin, const Value& end, const Value& step, int place) {
        k.for_loop(begin, end, step, [&](Value i) { x.store(place, x.load(place) + i); });
    };
    count(1, 10, 4, 0);           // 1 + 5 + 9
    count(3, 3, 1, 1);            // never
    count(4, 3, 1, 2);            // never
    count(most - 5, most, 4, 3);  // most - 5 and most - 1, whose sum wraps; the next would
    std::vector<std::int64_t> sums(4);
    EXPECT_EQ(fault(k.finish(), sums), "none");
    EXPECT_THAT(sums, ElementsAre(15, 0, 0, -8));
}

TEST(Interpret, HalfTypesAreRoundedAfterEachNode) {
    Builder k("half");
    const Place x = k.buffer(DType::F16, Access::ReadWrite);
    const Value a = x.load(0), b = x.load(1);
    x.store(2, a + b + b);
    x.store(3, fma(a, b, b));
    std::vector<f16> values{f16(2048.0f), f16(1.0f), f16(0.0f), f16(0.0f)};
    EXPECT_EQ(fault(k.finish(), values), "none");
    EXPECT_EQ(static_cast<float>(values[2]), 2048.0f) << "2049 is halfway and goes to even, twice";
    EXPECT_EQ(static_cast<float>(values[3]), 2048.0f);
}

TEST(Interpret, IntegersWrapAndDivideAsNumDoes) {
    Builder k("integers");
    const Place x = k.buffer(DType::I8, Access::ReadWrite);
    const Value a = x.load(0), b = x.load(1), zero = x.load(2);
    int i = 0;
    for (const Value& y : {a + a, a * b, a / b, a / zero, rem(a, zero), rem(a, b), abs(a), -a,
                           k.emit(NodeKind::Rem, {k.constant(DType::I8, -7), k.constant(DType::I8, 4)})}) {
        x.store(i++, y);
    }
    std::vector<std::int8_t> values{-128, -1, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(fault(k.finish(), values), "none");
    EXPECT_THAT(values, ElementsAre(0, -128, -128, 0, 0, 0, -128, -128, -3));
}

TEST(Interpret, LanesAreReducedHalfToHalf) {
    // 1 + 2^24 is lost, so the sum tells the order: (x0 + x3) + (x1 + x4) ..., five lanes folded as 3 + 2, 2 + 1, 1 + 1.
    Builder k("fold");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Value lanes = x.load(0, 5);
    y.store(0, reduce_lanes(lanes, Reduction::Sum));
    y.store(1, reduce_lanes(lanes, Reduction::Max));
    y.store(2, reduce_lanes(lanes, Reduction::Min));
    y.store(3, reduce_lanes(lanes, Reduction::Prod));
    std::vector<float> in{0x1p24f, 1, 3, -0x1p24f, 1}, out(4);
    EXPECT_EQ(fault(k.finish(), in, out), "none");
    EXPECT_THAT(out, ElementsAre(5, 0x1p24f, -0x1p24f, -3 * 0x1p48f));

    std::uint64_t bits[] = {6, 3, 5};
    EXPECT_EQ(fold_bits(DType::U8, Reduction::Or, bits, 3), 7u);
    std::uint64_t truths[] = {1, 0};
    EXPECT_EQ(fold_bits(DType::Bool, Reduction::And, truths, 2), 0u);
}

TEST(Interpret, LanesComeInTurn) {
    Builder k("turns");
    const Place x = k.buffer(DType::I32, Access::Read), y = k.buffer(DType::I32, Access::Write);
    y.store(0, interleave(x.load(0, 3), x.load(3, 3)));
    y.store(6, interleave(x.load(4), x.load(1)));
    std::vector<std::int32_t> in{1, 2, 3, 4, 5, 6}, out(8);
    EXPECT_EQ(fault(k.finish(), in, out), "none");
    EXPECT_THAT(out, ElementsAre(1, 4, 2, 5, 3, 6, 5, 2));
}

/// Sums 8 numbers in shared memory; without its barriers the units would read what is not there yet.
Kernel tree_sum(bool with_barriers) {
    Builder k("tree", 8, 8);
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const Place shared = k.shared_array(DType::F32, 8);
    const Value unit = k.unit_index();
    shared.store(unit, x.load(k.cube_index() * 8 + unit));
    for (std::int64_t half = 4; half > 0; half /= 2) {
        if (with_barriers) k.barrier();
        k.if_then(lower(unit, half), [&] { shared.store(unit, shared.load(unit) + shared.load(unit + half)); });
    }
    k.if_then(equal(unit, 0), [&] { y.store(k.cube_index(), shared.load(0)); });
    return k.finish();
}

TEST(Interpret, UnitsShareMemoryAcrossBarriers) {
    std::vector<float> in(16), out(2);
    std::iota(in.begin(), in.end(), 1.0f);
    const BufferElements buffers[] = {elements(in), elements(out)};
    interpret(tree_sum(true), buffers, {}, 0, 2);
    EXPECT_THAT(out, ElementsAre(36, 100));
}

TEST(Interpret, AMissingBarrierIsAnError) {
    std::vector<float> in(8), out(1);
    EXPECT_THAT(fault(tree_sum(false), in, out),
                testing::AllOf(testing::StartsWith("kernel tree: %"),
                               testing::HasSubstr("with no barrier in between (cube 0, unit 1)")));
    Builder k("clash", 2, 2);
    const Place shared = k.shared_array(DType::I32, 1);
    shared.store(0, 1);
    EXPECT_THAT(fault(k.finish()), testing::HasSubstr("store: another unit wrote element 0"));
    Builder late("late", 2, 2);
    const Place array = late.shared_array(DType::I32, 2);
    const Value unit = late.unit_index();
    array.store(unit, 1);
    late.barrier();
    late.if_then(equal(unit, 0), [&] { (void)array.load(1); });
    array.store(unit, 2);
    EXPECT_THAT(fault(late.finish()), testing::HasSubstr("store: another unit read element 1"));
}

TEST(Interpret, AtomicsOfManyUnitsAreNoClash) {
    Builder k("count", 4, 4);
    const Place x = k.buffer(DType::I32, Access::ReadWrite);
    const Place total = k.shared_array(DType::I32, 1);
    const Value unit = k.unit_index();
    k.if_then(equal(unit, 0), [&] { total.store(0, 10); });
    k.barrier();
    const Value before = total.atomic(Reduction::Sum, 0, cast(unit, DType::I32) + 1);
    k.barrier();
    x.store(unit, before);
    x.atomic(Reduction::Max, 4, total.load(0) + cast(unit, DType::I32));
    std::vector<std::int32_t> values(5);
    EXPECT_EQ(fault(k.finish(), values), "none");
    EXPECT_THAT(values, ElementsAre(10, 11, 13, 16, 23));
}

TEST(Interpret, PlanesReduceAndShuffle) {
    Builder k("plane", 8, 4);
    const Place x = k.buffer(DType::I32, Access::ReadWrite);
    const Value unit = k.unit_index(), lane = rem(unit, 4), number = x.load(unit);
    const Value sum = k.plane_reduce(number, Reduction::Sum);
    k.for_loop(0, 2, 1, [&](Value i) {  // the same nodes again: units meet in each round
        const Value next = k.plane_shuffle(number, rem(lane + i + 1, 4));
        x.store((i + 1) * 8 + unit, next);
    });
    x.store(unit, sum);
    std::vector<std::int32_t> values(24);
    std::iota(values.begin(), values.begin() + 8, 1);
    EXPECT_EQ(fault(k.finish(), values), "none");
    EXPECT_THAT(values, ElementsAre(10, 10, 10, 10, 26, 26, 26, 26,  //
                                    2, 3, 4, 1, 6, 7, 8, 5,          //
                                    3, 4, 1, 2, 7, 8, 5, 6));
    Builder wrong("beyond", 2, 2);
    (void)wrong.plane_shuffle(wrong.unit_index(), 2);
    EXPECT_EQ(fault(wrong.finish()), "kernel beyond: %2: plane_shuffle: unit 2 of a plane of 2 (cube 0, unit 0)");
}

TEST(Interpret, LocalArraysAreOfOneUnit) {
    Builder k("local", 2, 2);
    const Place y = k.buffer(DType::I16, Access::Write), local = k.local_array(DType::I16, 4);
    const Value unit = k.unit_index();
    y.store(unit * 2, local.load(1));  // undefined: all bits set here, also in the second cube
    local.store(unit, cast(unit, DType::I16) + 5);
    y.store(unit * 2 + 1, local.load(unit));
    std::vector<std::int16_t> values(4);
    const BufferElements buffers[] = {elements(values)};
    interpret(k.finish(), buffers, {}, 0, 2);
    EXPECT_THAT(values, ElementsAre(-1, 5, -1, 6));
}

TEST(Interpret, AHintIsNoAccess) {
    std::vector<float> x(8);
    Builder k("hints");
    const Place place = k.buffer(DType::F32, Access::ReadWrite);
    for (const int index : {0, 8, -1}) place.prefetch(index, Access::Read);
    EXPECT_EQ(fault(k.finish(), x), "none");
}

TEST(Interpret, FaultsNameTheNode) {
    std::vector<float> x(8);
    const auto run = [&](FunctionRef<void(Builder&, const Place&)> write) {
        Builder k("fault");
        const Place place = k.buffer(DType::F32, Access::ReadWrite);
        write(k, place);
        return fault(k.finish(), x);
    };
    EXPECT_EQ(run([](Builder&, const Place& place) { (void)place.load(5, 4); }),
              "kernel fault: %2: load: index 8 is outside the 8 elements of %0 (cube 0, unit 0)");
    EXPECT_EQ(run([](Builder&, const Place& place) { place.store(-1, 0); }),
              "kernel fault: %3: store: index -1 is outside the 8 elements of %0 (cube 0, unit 0)");
    EXPECT_EQ(run([](Builder& k, const Place& place) { place.store(k.iota(kIndex, 4) * 3, 0); }),
              "kernel fault: %5: store: index 9 is outside the 8 elements of %0 (cube 0, unit 0)");
    EXPECT_EQ(run([](Builder&, const Place& place) { (void)place.atomic(Reduction::Sum, 8, 1); }),
              "kernel fault: %3: atomic: index 8 is outside the 8 elements of %0 (cube 0, unit 0)");
    EXPECT_EQ(run([](Builder& k, const Place&) { (void)k.shared_array(DType::I32, 2).load(2); }),
              "kernel fault: %3: load: index 2 is outside the 2 elements of %1 (cube 0, unit 0)");
    EXPECT_EQ(run([](Builder& k, const Place&) { k.for_loop(0, 1, k.cube_index(), [](Value) {}); }),
              "kernel fault: %4: for: step 0; expected one above 0 (cube 0, unit 0)");
    EXPECT_EQ(run([](Builder& k, const Place&) {
                  (void)k.emit(NodeKind::Shl, {k.constant(DType::I16, 1), k.constant(DType::I16, 16)});
              }),
              "kernel fault: %3: shl: amount 16; expected 0 to 15");
    EXPECT_EQ(run([](Builder& k, const Place&) {
                  (void)k.emit(NodeKind::Shr, {k.constant(DType::I64, 1), k.constant(DType::I64, -1)});
              }),
              "kernel fault: %3: shr: amount -1; expected 0 to 63");
    const Kernel empty = Builder("empty").finish();
    EXPECT_EQ(fault(empty, x), "kernel empty: 1 buffers and 0 scalars do not fit its parameters");
    EXPECT_THROW(interpret(Builder("e").finish(), {}, std::vector<std::uint64_t>{1}, 0, 1), ArgumentError);
    EXPECT_EQ(run([](Builder& k, const Place&) { k.scalar(DType::F32); }),
              "kernel fault: 1 buffers and 0 scalars do not fit its parameters");
}

}  // namespace
}  // namespace burn::kernel::interpret_test
