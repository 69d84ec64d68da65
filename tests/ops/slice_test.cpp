#include <burn/ops/slice.h>

#include <string_view>

#include "tests/support/tensors.h"

namespace burn::slice_test {
namespace {

using testing::B;
using testing::count_up;
using testing::expect_gradient;
using testing::values;
using Values = std::vector<double>;

const Device<B> device;

TEST(Slice, TakesRangesInSteps) {
    const auto x = count_up<2>({3, 4});
    EXPECT_EQ(values(x.slice({{1, 3}, {0, 4, 2}})), (Values{4, 6, 8, 10}));
    EXPECT_EQ(values(x.slice({Slice::at(-1)})), (Values{8, 9, 10, 11}));
    EXPECT_EQ(values(x.slice({{-2, -1}, Slice::from(-2)})), (Values{6, 7}));
    EXPECT_EQ(values(x.slice({Slice(), {2, 100}})), (Values{2, 3, 6, 7, 10, 11}));  // bounds are clamped
}

TEST(Slice, WalksARangeBackwards) {
    const auto x = count_up<1>({9});
    EXPECT_EQ(values(x.slice({{1, 8, -2}})), (Values{7, 5, 3, 1}));
    EXPECT_EQ(values(x.slice({{0, Slice::kToEnd, -1}})), (Values{8, 7, 6, 5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(values(x.slice({{2, 7, -3}})), (Values{6, 3}));
    EXPECT_EQ(values(x.slice({{0, 9, INT64_MIN}})), (Values{8}));
}

TEST(Slice, OfNothingIsEmpty) {
    const auto x = count_up<2>({3, 4});
    EXPECT_EQ(x.slice({{2, 1}}).shape(), (Shape{0, 4}));
    EXPECT_EQ(x.slice({{5, 9}, {0, 1, -1}}).shape(), (Shape{0, 1}));
    EXPECT_EQ((Tensor<B, 1>::zeros({0}, device).slice({{0, 3, -1}}).shape()), (Shape{0}));
}

TEST(Slice, OfASliceCountsFromItsStart) {
    const auto x = count_up<1>({20}).slice({{2, 18, 3}});  // 2 5 8 11 14 17
    EXPECT_EQ(values(x.slice({{1, 6, -2}})), (Values{17, 11, 5}));
}

TEST(Slice, SharesMemory) {
    const auto x = count_up<2>({64, 64});
    const std::uint64_t blocks = memory_report().live_blocks;
    const auto view = x.slice({{1, 60, -2}, {3, 50}}).flip({1});
    EXPECT_EQ(memory_report().live_blocks, blocks);
}

// 0..23 reshaped, permuted, then sliced over everything: nothing moves.
TEST(Slice, OfWholeAxesAfterPermuteIsTheSame) {
    const auto x = count_up<1>({24}).reshape<3>({2, 2, 6}).permute({2, 0, 1}).slice({{0, 6}, {0, 2}, {0, 2}});
    EXPECT_EQ(x.shape(), (Shape{6, 2, 2}));
    const Values all = values(x);
    EXPECT_EQ(all[5 * 4 + 1 * 2 + 0], 17);
    EXPECT_EQ(all[0 * 4 + 1 * 2 + 1], 18);
}

TEST(Slice, OfTheFullMeanWorks) {
    const auto x = Tensor<B, 1>::from({2, 4, 9}, device).mean().slice({{0, 1}});
    EXPECT_EQ(x.shape(), (Shape{1}));
    EXPECT_EQ(values(x), (Values{5}));
}

TEST(Slice, SumsOverItsOwnElementsOnly) {
    const auto x = (count_up<1>({24}) + 1).reshape<3>({2, 3, 4});
    EXPECT_EQ(values(x.permute({2, 0, 1}).sum()), (Values{300}));
    EXPECT_EQ(values(x.slice({Slice(), Slice(), {1, 3}}).sum()), (Values{150}));
    EXPECT_EQ(values(x.slice({Slice(), Slice(), {1, 3}}).permute({2, 0, 1}).sum()), (Values{150}));
    EXPECT_EQ(values(x.permute({2, 0, 1}).slice({{1, 3}}).sum()), (Values{150}));
}

TEST(Slice, RefusesWhatIsNoRange) {
    const auto x = count_up<2>({3, 4});
    EXPECT_THROW(x.slice({Slice(), Slice(), Slice()}), IndexError);
    EXPECT_THROW(x.slice({{0, 2, 0}}), ArgumentError);
    EXPECT_THROW(x.slice_dim(2, {0, 1}), IndexError);
    EXPECT_THROW(x.narrow(1, 3, 2), IndexError);
    EXPECT_THROW(x.narrow(1, -1, 2), IndexError);
    EXPECT_THROW(x.narrow(1, 0, -1), IndexError);
    EXPECT_THROW(x.select_dim(0, 3), IndexError);
    EXPECT_THROW(ops::select_dim(count_up<1>({3}).handle(), 0, 0), ShapeError);
}

TEST(Slice, GradientIsZeroOutside) {
    const Values start = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    expect_gradient<2>(start, {3, 4}, [](auto x) { return x.slice({{0, 3, 2}, {1, 4, -1}}).square(); });
    expect_gradient<2>(start, {3, 4}, [](auto x) { return x.slice({{2, 1}}); });
    expect_gradient<2>(start, {3, 4}, [](auto x) { return x.flip({0, 1}) * x; });
    expect_gradient<2>(start, {3, 4}, [](auto x) { return x.select_dim(1, -2).square(); });
}

TEST(SliceAssign, WritesARegion) {
    const auto x = count_up<2>({3, 4});
    const auto v = Tensor<B, 2>::from({{-1, -2}, {-3, -4}}, device);
    EXPECT_EQ(values(x.slice_assign({{0, 3, 2}, {1, 4, -2}}, v)), (Values{0, -2, 2, -1, 4, 5, 6, 7, 8, -4, 10, -3}));
    EXPECT_EQ(values(x)[1], 1);  // x is as it was
}

TEST(SliceAssign, TakesNegativeEnds) {
    const auto x = count_up<2>({5, 5});
    EXPECT_EQ(x.slice({{1, -1}, {1, -1}}).shape(), (Shape{3, 3}));
    EXPECT_EQ(values(x.slice_fill({{1, -1}, {1, -1}}, 0).sum()), (Values{192}));
}

TEST(SliceAssign, WritesInPlaceWhatIsGivenAway) {
    auto x = Tensor<B, 1>::zeros({1 << 16}, device);
    const std::uint64_t before = memory_report().live_bytes;
    x = std::move(x).slice_fill({{0, 1000}}, 1);
    EXPECT_LT(memory_report().live_bytes, before + (1 << 16));
    const auto copy = x;
    const auto changed = std::move(x).slice_fill({{0, 2000}}, 2);
    EXPECT_EQ(values(copy.sum()), (Values{1000}));
    EXPECT_EQ(values(changed.sum()), (Values{4000}));
}

TEST(SliceAssign, FromItsOwnValues) {
    auto x = count_up<1>({6});
    auto tail = x.slice({{2, 6}});
    EXPECT_EQ(values(std::move(x).slice_assign({{0, 4}}, std::move(tail))), (Values{2, 3, 4, 5, 4, 5}));
}

TEST(SliceFill, RefusesAFractionOfAnInteger) {
    const auto x = count_up<2>({3, 2}).int_();
    try {
        (void)x.slice_fill({Slice::at(1)}, 0.5);
        FAIL() << "0.5 in i64";
    } catch (const DTypeError& error) {
        EXPECT_TRUE(std::string_view(error.what()).starts_with("slice_fill: the scalar 0.5 does not fit i64"))
            << error.what();
    }
}

TEST(SliceAssign, IntoABroadcastWritesACopy) {
    const auto x = Tensor<B, 2>::from({{1, 2}}, device).expand<2>({3, 2});
    EXPECT_EQ(values(x.slice_fill({Slice::at(1)}, 0)), (Values{1, 2, 0, 0, 1, 2}));
}

TEST(SliceAssign, RefusesValuesOfAnotherShapeOrType) {
    const auto x = count_up<2>({3, 4});
    EXPECT_THROW(x.slice_assign({{0, 2}}, Tensor<B, 2>::zeros({2, 3}, device)), ShapeError);
    EXPECT_THROW(x.slice_assign({{0, 2}}, Tensor<B, 2>::zeros({2, 4}, device).cast(DType::F64)), DTypeError);
}

TEST(SliceAssign, GradientsPart) {
    const Values start = {1, 2, 3, 4, 5, 6};
    expect_gradient<2>(start, {2, 3},
                       [](auto x) { return x.square().slice_assign({{0, 2}, {0, 2, -1}}, x.slice({{0, 2}, {1, 3}})); });
    expect_gradient<2>(start, {2, 3}, [](auto x) { return x.square().slice_fill({{0, 1}}, 3); });
}

TEST(Unfold, GivesWindows) {
    const auto x = count_up<2>({2, 5}).unfold(1, 3, 2);
    EXPECT_EQ(x.shape(), (Shape{2, 2, 3}));
    EXPECT_EQ(values(x), (Values{0, 1, 2, 2, 3, 4, 5, 6, 7, 7, 8, 9}));
    EXPECT_EQ(values(count_up<2>({3, 2}).unfold(0, 2, 1)), (Values{0, 2, 1, 3, 2, 4, 3, 5}));
    EXPECT_EQ((count_up<1>({2}).unfold(0, 3, 1).shape()), (Shape{0, 3}));
    EXPECT_THROW(count_up<1>({2}).unfold(0, 0, 1), ArgumentError);
    EXPECT_THROW(count_up<1>({2}).unfold(0, 1, 0), ArgumentError);
}

TEST(Unfold, SharesMemory) {
    const auto x = count_up<2>({64, 64});
    const std::uint64_t blocks = memory_report().live_blocks;
    const auto view = x.unfold(0, 8, 1);
    EXPECT_EQ(memory_report().live_blocks, blocks);
}

TEST(Unfold, GradientAddsOverWindows) {
    expect_gradient<2>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {5, 2}, [](auto x) { return x.unfold(0, 3, 1).square(); });
    expect_gradient<2>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {2, 5}, [](auto x) { return x.unfold(1, 2, 3).square(); });
}

// Second order: the gradient of a gradient, through the rules.
TEST(Slice, GivesSecondOrder) {
    using Twice = Autodiff<B>;
    auto inner = Tensor<B, 1>::from({1.0, 2.0, 3.0}, device).require_grad();
    auto x = Tensor<Twice, 1>::from_inner(inner).require_grad();
    auto part = x.slice({{0, 3, -2}});  // 3, 1
    auto first = *x.grad((part * part * part).sum().backward());
    EXPECT_EQ(values(first), (Values{3, 0, 27}));
    EXPECT_EQ(values(*inner.grad(first.sum().backward())), (Values{6, 0, 18}));
}

}  // namespace
}  // namespace burn::slice_test
