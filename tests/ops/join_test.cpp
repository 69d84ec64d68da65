#include <burn/ops/join.h>

#include "tests/support/tensors.h"

namespace burn::join_test {
namespace {

using testing::B;
using testing::count_up;
using testing::expect_gradient;
using testing::values;
using Values = std::vector<double>;
using Matrix = Tensor<B, 2>;

const Device<B> device;

TEST(Cat, JoinsAlongAnyAxis) {
    const auto a = Matrix::from({{1, 2}, {3, 4}}, device);
    const auto b = Matrix::from({{5, 6}}, device);
    EXPECT_EQ(values(Matrix::cat({a, b}, 0)), (Values{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(values(Matrix::cat({a, b.transpose()}, -1)), (Values{1, 2, 5, 3, 4, 6}));
    const std::vector<Matrix> list(3, b);
    EXPECT_EQ(values(Matrix::cat(list, 0)), (Values{5, 6, 5, 6, 5, 6}));
}

TEST(Cat, SkipsEmptyTensors) {
    const auto none = Matrix::zeros({2, 0}, device);
    const auto a = Matrix::from({{1, 2}, {3, 4}}, device).require_grad();
    const auto b = Matrix::from({{5}, {6}}, device).require_grad();
    const auto joined = Matrix::cat({none, a, none, b}, 1);
    EXPECT_EQ(values(joined), (Values{1, 2, 5, 3, 4, 6}));
    EXPECT_EQ(Matrix::cat({none, none}, 1).shape(), (Shape{2, 0}));
    const auto gradients = joined.sum().backward();
    EXPECT_EQ(values(*a.grad(gradients)), (Values{1, 1, 1, 1}));
    EXPECT_EQ(values(*b.grad(gradients)), (Values{1, 1}));
}

template <TensorKind K>
void cat_with_empty(DType dtype) {
    using Cube = Tensor<B, 3, K>;
    const auto x = count_up<3, Int>({2, 3, 2}).cast(DType::I8).float_().cast(DType::F32);
    const Cube part(ops::cast(x.handle(), dtype));
    const Cube turned = part.permute({2, 1, 0});
    for (std::int64_t axis = 0; axis < 3; ++axis) {
        Shape shape({2, 3, 2});
        shape[static_cast<std::size_t>(axis)] = 0;
        const Cube none(ops::cast(Tensor<B, 3>::zeros(Sizes<3>(shape[0], shape[1], shape[2]), device).handle(), dtype));
        EXPECT_EQ(Cube::cat({none, part, none}, axis).to_data(), part.to_data()) << name_of(dtype) << ", axis " << axis;
        EXPECT_EQ(Cube::cat({turned, none, none}, axis).to_data(), turned.to_data()) << name_of(dtype);
        EXPECT_EQ(Cube::cat({none, none}, axis).shape(), shape) << name_of(dtype);
    }
}

TEST(Cat, SkipsEmptyTensorsOnEveryAxisAndOfEveryType) {
    for (int code = 0; code < kDTypeCount; ++code) {
        const auto dtype = static_cast<DType>(code);
        if (is_float(dtype)) cat_with_empty<Float>(dtype);
        if (is_int(dtype)) cat_with_empty<Int>(dtype);
        if (dtype == DType::Bool) cat_with_empty<Bool>(dtype);
    }
}

TEST(Cat, RefusesWhatDoesNotFit) {
    const auto a = Matrix::zeros({2, 3}, device);
    EXPECT_THROW(Matrix::cat({a, Matrix::zeros({3, 3}, device)}, 1), ShapeError);
    EXPECT_THROW(Matrix::cat({a, a.cast(DType::F64)}, 1), DTypeError);
    EXPECT_THROW(Matrix::cat({a, a}, 2), IndexError);
    EXPECT_THROW(Matrix::cat(std::span<const Matrix>(), 0), ArgumentError);
}

TEST(Stack, MakesANewAxis) {
    const auto a = Tensor<B, 1>::from({1, 2}, device);
    const auto b = Tensor<B, 1>::from({3, 4}, device);
    EXPECT_EQ(values(Tensor<B, 1>::stack({a, b}, 0)), (Values{1, 2, 3, 4}));
    EXPECT_EQ(values(Tensor<B, 1>::stack({a, b}, -1)), (Values{1, 3, 2, 4}));
    EXPECT_THROW((Tensor<B, 1>::stack({a, count_up<1>({3})}, 0)), ShapeError);
    EXPECT_THROW((Tensor<B, 1>::stack(std::span<const Tensor<B, 1>>(), 0)), ArgumentError);
}

TEST(Repeat, TilesEveryAxis) {
    const auto x = count_up<2>({2, 2});
    EXPECT_EQ(values(x.repeat({2, 3})),
              (Values{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3}));
    EXPECT_EQ(values(x.transpose().repeat_dim(0, 2)), (Values{0, 2, 1, 3, 0, 2, 1, 3}));
    EXPECT_EQ(x.repeat_dim(1, 0).shape(), (Shape{2, 0}));
    EXPECT_THROW(x.repeat_dim(1, -1), ArgumentError);
    EXPECT_EQ((count_up<8>({1, 1, 1, 1, 1, 1, 1, 2}).repeat_dim(7, 2).shape()), (Shape{1, 1, 1, 1, 1, 1, 1, 4}));
    expect_gradient<2>({1, 2, 3, 4}, {2, 2}, [](auto y) { return y.square().repeat({3, 2}); });
}

TEST(Pad, FillsWithAValue) {
    const auto x = count_up<2>({2, 2});
    EXPECT_EQ(values(x.pad({{1, 0}, {0, 2}}, PadMode::Constant, 9)), (Values{9, 9, 9, 9, 0, 1, 9, 9, 2, 3, 9, 9}));
    EXPECT_EQ(values(x.pad({{1, 1}})), (Values{0, 0, 1, 0, 0, 2, 3, 0}));
    EXPECT_EQ(values(x.bool_().pad({{0, 1}}, PadMode::Constant, 1)), (Values{0, 1, 1, 1, 1, 1}));
}

TEST(Pad, ReflectsWithoutTheEdge) {
    const auto x = count_up<1>({4});
    EXPECT_EQ(values(x.pad({{3, 2}}, PadMode::Reflect)), (Values{3, 2, 1, 0, 1, 2, 3, 2, 1}));
    EXPECT_EQ(values(count_up<2>({2, 3}).pad({{1, 1}, {0, 2}}, PadMode::Reflect)),
              (Values{3, 4, 5, 4, 3, 0, 1, 2, 1, 0, 3, 4, 5, 4, 3, 0, 1, 2, 1, 0}));
    EXPECT_THROW(x.pad({{4, 0}}, PadMode::Reflect), ArgumentError);
}

TEST(Pad, RepeatsTheEdge) {
    EXPECT_EQ(values(count_up<1>({3}).pad({{2, 1}}, PadMode::Edge)), (Values{0, 0, 0, 1, 2, 2}));
    EXPECT_THROW((Tensor<B, 1>::zeros({0}, device).pad({{1, 0}}, PadMode::Edge)), ArgumentError);
}

TEST(Pad, RefusesWhatIsNoBorder) {
    const auto x = count_up<1>({3});
    EXPECT_THROW(x.pad({{-1, 0}}), ArgumentError);
    EXPECT_THROW(x.pad({{1, 0}, {1, 0}}), ShapeError);
    try {
        (void)x.int_().cast(DType::I8).pad({{1, 0}}, PadMode::Constant, 128);
        FAIL() << "128 in i8";
    } catch (const DTypeError& error) {
        EXPECT_STREQ(error.what(), "pad: the scalar 128 does not fit i8; expected a whole number from -128 to 127");
    }
}

TEST(Pad, GradientsReturnFromTheBorder) {
    const Values start = {1, 2, 3, 4, 5, 6};
    for (PadMode mode : {PadMode::Constant, PadMode::Reflect, PadMode::Edge}) {
        expect_gradient<2>(start, {2, 3}, [mode](auto x) { return x.square().pad({{1, 0}, {2, 1}}, mode); });
    }
}

TEST(Roll, TurnsAxes) {
    const auto x = count_up<1>({5});
    EXPECT_EQ(values(x.roll_dim(2, 0)), (Values{3, 4, 0, 1, 2}));
    EXPECT_EQ(values(x.roll_dim(-1, 0)), (Values{1, 2, 3, 4, 0}));
    EXPECT_EQ(values(x.roll_dim(12, 0)), (Values{3, 4, 0, 1, 2}));
    EXPECT_EQ(values(count_up<2>({2, 3}).roll({1, 1}, {0, 1})), (Values{5, 3, 4, 2, 0, 1}));
    EXPECT_EQ((Tensor<B, 1>::zeros({0}, device).roll_dim(3, 0).shape()), (Shape{0}));
    EXPECT_THROW(x.roll({1, 2}, {0}), ArgumentError);
    expect_gradient<2>({1, 2, 3, 4, 5, 6}, {2, 3}, [](auto y) { return y.square().roll({1, -1}, {0, 1}); });
}

template <class List>
std::vector<std::int64_t> lengths(const List& pieces, std::int64_t axis) {
    std::vector<std::int64_t> result;
    for (const auto& piece : pieces) result.push_back(piece.dim(axis));
    return result;
}

TEST(Split, CutsAnAxis) {
    const auto x = count_up<2>({2, 7});
    using Lengths = std::vector<std::int64_t>;
    EXPECT_EQ(lengths(x.chunk(3, 1), 1), (Lengths{3, 3, 1}));
    EXPECT_EQ(lengths(x.chunk(5, 0), 0), (Lengths{1, 1}));
    EXPECT_EQ(lengths(x.split(4, -1), 1), (Lengths{4, 3}));
    const std::int64_t sizes[] = {3, 0, 4};
    EXPECT_EQ(lengths(x.split_with_sizes(sizes, 1), 1), (Lengths{3, 0, 4}));
    EXPECT_EQ(values(x.split(4, 1)[1]), (Values{4, 5, 6, 11, 12, 13}));
    EXPECT_EQ(lengths(Matrix::zeros({2, 0}, device).split(4, 1), 1), (Lengths{0}));
    EXPECT_EQ(lengths(Matrix::zeros({2, 0}, device).chunk(4, 1), 1), (Lengths{0}));
}

TEST(Split, NamesTheBadArgument) {
    const auto x = count_up<1>({7});
    try {
        x.chunk(0, 0);
        FAIL() << "chunk into 0 pieces";
    } catch (const ArgumentError& error) {
        EXPECT_STREQ(error.what(), "chunk: 0 chunks; expected at least 1");
    }
    EXPECT_THROW(x.split(0, 0), ArgumentError);
    const std::int64_t sizes[] = {3, 5};
    EXPECT_THROW(x.split_with_sizes(sizes, 0), ShapeError);
    const std::int64_t negative[] = {8, -1};
    EXPECT_THROW(x.split_with_sizes(negative, 0), ShapeError);
    const std::int64_t huge[] = {INT64_MAX, INT64_MAX, 9};
    EXPECT_THROW(x.split_with_sizes(huge, 0), ShapeError);
}

TEST(Split, PiecesShareMemory) {
    const auto x = count_up<2>({64, 64});
    const std::uint64_t blocks = memory_report().live_blocks;
    const auto pieces = x.chunk(4, 1);
    EXPECT_EQ(memory_report().live_blocks, blocks);
    EXPECT_EQ(pieces.size(), 4u);
}

TEST(Join, RefusesResultsThatNoMemoryHolds) {
    constexpr std::int64_t kMany = std::int64_t{1} << 55;
    const auto x = Tensor<B, 1>::zeros({1}, device);
    const auto large = x.expand<1>({kMany});
    EXPECT_THROW((Tensor<B, 1>::cat({large, large, large}, 0)), ShapeError);
    EXPECT_THROW((Tensor<B, 1>::cat(std::vector(300, large), 0)), ShapeError);
    EXPECT_THROW(x.repeat_dim(0, INT64_MAX), ShapeError);
    EXPECT_THROW(x.pad({{INT64_MAX, INT64_MAX}}), ShapeError);
    EXPECT_THROW(x.pad({{kMany, kMany}}), ShapeError);
    EXPECT_THROW((large.reshape<2>({-1, 1}).matmul(large.reshape<2>({1, -1}))), ShapeError);
}

TEST(Split, GradientsOfPiecesMeet) {
    expect_gradient<2>({1, 2, 3, 4, 5, 6}, {2, 3}, [](auto x) {
        const auto pieces = x.split(2, 1);
        return Tensor<B, 2>::cat({pieces[1].square(), pieces[0], pieces[1]}, 1);
    });
}

}  // namespace
}  // namespace burn::join_test
