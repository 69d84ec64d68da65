#include <burn/ops/indexing.h>

#include <burn/ops/engine.h>

#include <cstring>
#include <string>

#include "tests/support/tensors.h"

namespace burn::indexing_test {
namespace {

using testing::B;
using testing::count_up;
using testing::expect_gradient;
using testing::values;
using Values = std::vector<double>;
using Matrix = Tensor<B, 2>;
using IntMatrix = Tensor<B, 2, Int>;
using IntVector = Tensor<B, 1, Int>;

const Device<B> device;

TEST(Gather, TakesAnElementForEveryIndex) {
    const auto x = count_up<2>({2, 3});
    EXPECT_EQ(values(x.gather(1, IntMatrix::from({{2, 0, 0, 1}, {0, 1, 2, 2}}, device))),
              (Values{2, 0, 0, 1, 3, 4, 5, 5}));
    EXPECT_EQ(values(x.gather(0, IntMatrix::from({{1, 0, 1}}, device))), (Values{3, 1, 5}));
    EXPECT_EQ(values(x.gather(0, IntMatrix::from({{1, 0}}, device))), (Values{3, 1}));  // fewer columns than x
    EXPECT_EQ(values(x.transpose().gather(-1, IntMatrix::from({{1}, {0}, {1}}, device))), (Values{3, 1, 5}));
    EXPECT_EQ(values(x.bool_().gather(1, IntMatrix::from({{0, 1}, {0, 1}}, device))), (Values{0, 1, 1, 1}));
    EXPECT_EQ(x.gather(1, IntMatrix::zeros({2, 0}, device)).shape(), (Shape{2, 0}));
}

TEST(Gather, TakesIndicesOfEveryIntType) {
    const auto x = count_up<1>({5});
    for (DType dtype : {DType::I64, DType::I32, DType::I16, DType::I8, DType::U64, DType::U32, DType::U16, DType::U8}) {
        const auto at = IntVector::from({4, 0, 2}, device).cast(dtype);
        EXPECT_EQ(values(x.gather(0, at)), (Values{4, 0, 2}));
        EXPECT_EQ(values(x.select(0, at.flip({0}))), (Values{2, 0, 4}));
    }
    EXPECT_THROW(ops::gather(x.handle(), 0, x.handle()), DTypeError);
}

TEST(Gather, RefusesWhatDoesNotFit) {
    const auto x = count_up<2>({2, 3});
    EXPECT_THROW(x.gather(1, IntMatrix::zeros({3, 1}, device)), ShapeError);
    EXPECT_THROW(x.gather(2, IntMatrix::zeros({2, 1}, device)), IndexError);
    EXPECT_THROW(ops::gather(x.handle(), 0, IntVector::zeros({2}, device).handle()), ShapeError);
}

TEST(Indexing, NamesAnIndexOutOfRange) {
    const auto x = count_up<2>({2, 3});
    try {
        x.gather(1, IntMatrix::from({{0}, {3}}, device));
        FAIL() << "an index beyond the axis";
    } catch (const IndexError& error) {
        EXPECT_STREQ(error.what(), "gather: index 3 is out of range on axis 1 of x [2, 3]; expected 0 to 2");
    }
    const auto expect_name = [](const char* name, auto call) {
        try {
            call();
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).substr(0, std::strlen(name) + 2), std::string(name) + ": ");
        }
    };
    const IntMatrix beyond = IntMatrix::from({{0, 3}}, device);
    expect_name("take", [&] { (void)x.take(0, beyond); });
    expect_name("take", [&] { (void)ops::take(x.handle(), 0, x.handle()); });
    expect_name("embedding", [&] { (void)ops::embedding(x.handle(), beyond.handle()); });
    expect_name("embedding", [&] { (void)ops::embedding(x.handle(), x.handle()); });
    expect_name("select", [&] { (void)x.select(0, IntVector::from({0, 2}, device)); });
    EXPECT_THROW(x.gather(1, IntMatrix::from({{0}, {-1}}, device)), IndexError);
    EXPECT_THROW(x.select(0, IntVector::from({0, 2}, device)), IndexError);
    EXPECT_THROW(x.take(0, IntMatrix::from({{0, -1}}, device)), IndexError);
    EXPECT_THROW((x.gather_nd<1>(IntMatrix::from({{0, 3}}, device))), IndexError);
    EXPECT_THROW((Tensor<B, 1>::zeros({0}, device).select(0, IntVector::from({0}, device))), IndexError);
}

TEST(Indexing, WritesNothingWhenAnIndexIsOutOfRange) {
    auto x = Tensor<NdArray, 1>::zeros({4}, Device<NdArray>());
    const auto at = Tensor<NdArray, 1, Int>::from({0, 1, 9}, Device<NdArray>());
    const auto v = Tensor<NdArray, 1>::ones({3}, Device<NdArray>());
    EXPECT_THROW(x.scatter(0, at, v, IndexingUpdate::Add), IndexError);
    EXPECT_THROW(x.select_assign(0, at, v, IndexingUpdate::Assign), IndexError);
    EXPECT_EQ(values(x), (Values{0, 0, 0, 0}));
}

TEST(Scatter, AddsToItsPlaces) {
    const auto x = Tensor<B, 3>::zeros({1, 2, 4}, device);
    const auto at = Tensor<B, 3, Int>::from({{{3, 1}, {3, 1}}}, device);
    const auto v = Tensor<B, 3>::from({{{1, 2}, {3, 4}}}, device);
    EXPECT_EQ(values(x.scatter(2, at, v, IndexingUpdate::Add)), (Values{0, 2, 0, 1, 0, 4, 0, 3}));
    EXPECT_EQ(values(x.select_assign(2, IntVector::from({3, 1}, device), v, IndexingUpdate::Add)),
              (Values{0, 2, 0, 1, 0, 4, 0, 3}));
}

TEST(Scatter, AddsOncePerIndex) {
    const auto x = Tensor<B, 1>::from({10, 20}, device);
    const auto at = IntVector::from({1, 1, 0, 1}, device);
    const auto v = Tensor<B, 1>::from({1, 2, 3, 4}, device);
    EXPECT_EQ(values(x.scatter(0, at, v, IndexingUpdate::Add)), (Values{13, 27}));
    EXPECT_EQ(values(x.int_().scatter(0, at, v.int_(), IndexingUpdate::Add)), (Values{13, 27}));
    EXPECT_EQ(values(x.cast(DType::F16).scatter(0, at, v.cast(DType::F16), IndexingUpdate::Add)), (Values{13, 27}));
    EXPECT_EQ(values(x.int_().cast(DType::U8).scatter(0, at, v.int_().cast(DType::U8) * 100, IndexingUpdate::Add)),
              (Values{310 - 256, (20 + 700) % 256}));  // wraps
}

TEST(Scatter, OnBoolAddIsOr) {
    const auto x = Tensor<B, 1, Bool>::from_data(TensorData::from({true, false, false}), device);
    const auto v = Tensor<B, 1, Bool>::from_data(TensorData::from({false, true, true}), device);
    const auto at = IntVector::from({0, 1, 1}, device);
    EXPECT_EQ(values(x.scatter(0, at, v, IndexingUpdate::Add)), (Values{1, 1, 0}));
    EXPECT_EQ(values(x.select_assign(0, at, v, IndexingUpdate::Add)), (Values{1, 1, 0}));
}

TEST(Scatter, AssignsOnEveryAxis) {
    const auto x = count_up<2>({2, 3});
    const auto v = Matrix::from({{-1, -2}, {-3, -4}}, device);
    EXPECT_EQ(values(x.scatter(1, IntMatrix::from({{2, 0}, {0, 1}}, device), v, IndexingUpdate::Assign)),
              (Values{-2, 1, -1, -3, -4, 5}));
    EXPECT_EQ(values(x.scatter(0, IntMatrix::from({{1, 0}}, device), v.slice({{0, 1}}), IndexingUpdate::Assign)),
              (Values{0, -2, 2, -1, 4, 5}));
    EXPECT_EQ(values(x.select_assign(1, IntVector::from({2, 0}, device), v, IndexingUpdate::Assign)),
              (Values{-2, 1, -1, -4, 4, -3}));
}

TEST(Scatter, RefusesWhatDoesNotFit) {
    const auto x = count_up<2>({2, 3});
    const auto at = IntMatrix::zeros({2, 1}, device);
    EXPECT_THROW(x.scatter(1, at, Matrix::zeros({1, 2}, device), IndexingUpdate::Add), ShapeError);
    EXPECT_THROW(x.scatter(1, at, Matrix::zeros({2, 1}, device).cast(DType::F64), IndexingUpdate::Add), DTypeError);
    EXPECT_THROW(x.scatter(1, at, Matrix::zeros({2, 1}, device), IndexingUpdate::Mul), ArgumentError);
    EXPECT_THROW(x.select_assign(1, IntVector::zeros({2}, device), Matrix::zeros({2, 1}, device), IndexingUpdate::Add),
                 ShapeError);
    EXPECT_THROW(x.select_assign(1, IntVector::zeros({1}, device), Matrix::zeros({2, 1}, device), IndexingUpdate::Max),
                 ArgumentError);
}

// Adding to fewer places than x has: every gradient has the shape of its own operand.
TEST(Scatter, GradientsHaveTheirOperandsShapes) {
    const auto x = Matrix::zeros({1, 5}, device).require_grad();
    const auto v = Matrix::from({{10, 20}}, device).require_grad();
    const auto w = Matrix::from({{1, 2, 3, 4, 5}}, device);
    const auto out = x.scatter(1, IntMatrix::from({{4, 1}}, device), v, IndexingUpdate::Add);
    EXPECT_EQ(values(out), (Values{0, 20, 0, 0, 10}));
    const auto gradients = (w * out).sum().backward();
    EXPECT_EQ(values(*x.grad(gradients)), (Values{1, 2, 3, 4, 5}));
    EXPECT_EQ(values(*v.grad(gradients)), (Values{5, 2}));
}

TEST(Select, TakesRows) {
    const auto x = count_up<2>({3, 2});
    EXPECT_EQ(values(x.select(0, IntVector::from({2, 0, 2}, device))), (Values{4, 5, 0, 1, 4, 5}));
    EXPECT_EQ(values(x.select(1, IntVector::from({1}, device))), (Values{1, 3, 5}));
    EXPECT_EQ(values(x.transpose().select(1, IntVector::from({1, 0}, device))), (Values{2, 0, 3, 1}));
    EXPECT_EQ(x.select(0, IntVector::zeros({0}, device)).shape(), (Shape{0, 2}));
    EXPECT_THROW(ops::select(x.handle(), 0, IntMatrix::zeros({1, 1}, device).handle()), ShapeError);
}

TEST(Select, TwiceInARow) {
    const auto x = count_up<4>({1, 1, 4, 4});
    const auto rows = x.select(2, IntVector::from({1, 3}, device));
    EXPECT_EQ(values(rows.select(3, IntVector::from({0, 2}, device))), (Values{4, 6, 12, 14}));
}

TEST(Select, OfManyRowsUsesThreads) {
    const std::int64_t rows = 3000;
    const auto x = count_up<2>({rows, 40});
    const auto at = IntVector::arange(0, rows, device).flip({0});
    const auto y = x.select(0, at);
    EXPECT_TRUE(y.to_data() == x.flip({0}).to_data());
    const auto back = Matrix::zeros({rows, 40}, device).select_assign(0, at, y, IndexingUpdate::Add);
    EXPECT_TRUE(back.to_data() == x.to_data());
}

TEST(Take, PutsTheAxesOfTheIndicesInPlace) {
    const auto x = count_up<2>({2, 3});
    const auto y = x.take(1, IntMatrix::from({{2, 0}, {1, 1}}, device));
    EXPECT_EQ(y.shape(), (Shape{2, 2, 2}));
    EXPECT_EQ(values(y), (Values{2, 0, 1, 1, 5, 3, 4, 4}));
}

TEST(Embedding, LooksRowsUp) {
    const auto table = count_up<2>({4, 3});
    const ops::Handle y = ops::embedding(table.handle(), IntMatrix::from({{3, 0}}, device).handle());
    EXPECT_EQ(values(Tensor<B, 3>(y)), (Values{9, 10, 11, 0, 1, 2}));
    EXPECT_THROW(ops::embedding(count_up<1>({4}).handle(), IntVector::zeros({1}, device).handle()), ShapeError);
}

TEST(GatherNd, TakesElementsRowsAndBlocks) {
    const auto x = count_up<3>({2, 3, 2});
    EXPECT_EQ(values(x.gather_nd<1>(IntMatrix::from({{1, 2, 0}, {0, 0, 1}}, device))), (Values{10, 1}));
    EXPECT_EQ(values(x.gather_nd<2>(IntMatrix::from({{1, 2}, {0, 1}}, device))), (Values{10, 11, 2, 3}));
    EXPECT_EQ(values(x.gather_nd<3>(IntMatrix::from({{1}}, device))), (Values{6, 7, 8, 9, 10, 11}));
    EXPECT_EQ(values(x.permute({2, 1, 0}).gather_nd<2>(IntMatrix::from({{1, 2}, {0, 1}}, device))),
              (Values{5, 11, 2, 8}));
    EXPECT_EQ(values(x.gather_nd<1>(IntVector::from({1, 2, 0}, device))), (Values{10}));
    EXPECT_THROW((x.gather_nd<1>(IntMatrix::zeros({1, 4}, device))), ShapeError);
    EXPECT_THROW((x.gather_nd<1>(IntMatrix::zeros({1, 0}, device))), ShapeError);
}

TEST(ScatterNd, UpdatesInFiveWays) {
    const auto x = Matrix::from({{1, 2, 3}, {4, 5, 6}}, device);
    const auto at = IntMatrix::from({{1, 0}, {0, 2}}, device);
    const auto v = Tensor<B, 1>::from({10, 2}, device);
    EXPECT_EQ(values(x.scatter_nd(at, v, IndexingUpdate::Assign)), (Values{1, 2, 2, 10, 5, 6}));
    EXPECT_EQ(values(x.scatter_nd(at, v, IndexingUpdate::Add)), (Values{1, 2, 5, 14, 5, 6}));
    EXPECT_EQ(values(x.scatter_nd(at, v, IndexingUpdate::Mul)), (Values{1, 2, 6, 40, 5, 6}));
    EXPECT_EQ(values(x.scatter_nd(at, v, IndexingUpdate::Min)), (Values{1, 2, 2, 4, 5, 6}));
    EXPECT_EQ(values(x.scatter_nd(at, v, IndexingUpdate::Max)), (Values{1, 2, 3, 10, 5, 6}));
    const auto rows = Matrix::from({{1, 1, 1}, {2, 2, 2}}, device);
    EXPECT_EQ(values(x.scatter_nd(IntMatrix::from({{1}, {1}}, device), rows, IndexingUpdate::Add)),
              (Values{1, 2, 3, 7, 8, 9}));
    EXPECT_EQ(values(x.scatter_nd(IntMatrix::from({{1}, {0}}, device), rows.transpose().transpose().flip({1}),
                                  IndexingUpdate::Assign)),
              (Values{2, 2, 2, 1, 1, 1}));
    EXPECT_THROW(x.scatter_nd(IntMatrix::from({{2, 0}}, device), Tensor<B, 1>::ones({1}, device), IndexingUpdate::Add),
                 IndexError);
    EXPECT_THROW(x.scatter_nd(at, Tensor<B, 1>::ones({3}, device), IndexingUpdate::Add), ShapeError);
}

/// What a backend without an operation of its own for it does gives the same, errors included.
TEST(GatherNd, DecomposesIntoTheSame) {
    const auto x = count_up<3>({2, 3, 2}).permute({2, 1, 0});
    for (const auto& at : {IntMatrix::from({{1, 2, 0}, {0, 0, 1}}, device), IntMatrix::from({{1, 2}, {0, 1}}, device),
                           IntMatrix::from({{1}, {0}}, device)}) {
        ops::HandleList operands = ops::list_of(x.handle(), at.cast(DType::I8).handle());
        const ops::Handle whole = ops::gather_nd(operands[0], operands[1]);
        const ops::Handle parts = ops::GatherNd{}.decompose(operands)[0];
        EXPECT_TRUE(whole.engine().read(whole).wait() == parts.engine().read(parts).wait());
        operands.push_back(whole);
        for (IndexingUpdate update : {IndexingUpdate::Assign, IndexingUpdate::Add}) {
            const ops::Handle written = ops::scatter_nd(operands[0], operands[1], whole, update);
            const ops::Handle by_parts = ops::ScatterNd{update}.decompose(operands)[0];
            EXPECT_TRUE(written.engine().read(written).wait() == by_parts.engine().read(by_parts).wait());
        }
    }
    // Row 0, column 3 would be row 1, column 0 if only the numbers of elements counted.
    EXPECT_THROW(ops::GatherNd{}.decompose(
                     ops::list_of(count_up<2>({2, 3}).handle(), IntMatrix::from({{0, 3}}, device).handle())),
                 IndexError);
}

TEST(Indexing, GradientsMatchDifferences) {
    const Values start = {1, -2, 3, 4, -5, 6};
    const auto at = IntMatrix::from({{2, 0, 2}, {1, 1, 0}}, device);
    const auto once = IntMatrix::from({{2, 0}, {0, 1}}, device);
    const auto rows = IntVector::from({1, 0, 1}, device);
    expect_gradient<2>(start, {2, 3}, [&](auto x) { return x.square().gather(1, at); });
    expect_gradient<2>(start, {2, 3}, [&](auto x) { return x.square().select(0, rows); });
    expect_gradient<2>(start, {2, 3}, [&](auto x) { return x.square().take(1, once); });
    expect_gradient<2>(start, {2, 3}, [&](auto x) {
        return x.square().template gather_nd<1>(IntMatrix::from({{1, 2}, {0, 1}, {1, 2}}, device));
    });
    expect_gradient<2>(start, {2, 3}, [&](auto x) { return x.square().scatter(1, at, x, IndexingUpdate::Add); });
    expect_gradient<2>(start, {2, 3}, [&](auto x) {
        return x.square().scatter(1, once, x.slice({Slice(), {0, 2}}), IndexingUpdate::Assign);
    });
    expect_gradient<2>(start, {2, 3}, [&](auto x) {
        return x.square().select_assign(0, rows.slice({{0, 2}}), x, IndexingUpdate::Add);
    });
    expect_gradient<2>(start, {2, 3}, [&](auto x) {
        return x.square().select_assign(0, rows.slice({{0, 2}}), x, IndexingUpdate::Assign);
    });
    for (IndexingUpdate update :
         {IndexingUpdate::Assign, IndexingUpdate::Add, IndexingUpdate::Mul, IndexingUpdate::Min, IndexingUpdate::Max}) {
        expect_gradient<2>(start, {2, 3}, [&](auto x) {
            return x.square().scatter_nd(IntMatrix::from({{1, 2}, {0, 1}}, device),
                                         x.template reshape<1>({6}).slice({{2, 4}}) * 3, update);
        });
    }
}

// The indices may come from the tracked tensor itself: nothing flows through them.
TEST(Gather, OfIndicesMadeFromTheTrackedTensor) {
    const auto x = Matrix::from({{3, 1, 2}}, device).require_grad();
    const auto largest = x.argmax(1);
    EXPECT_EQ(values(*x.grad((x.gather(1, largest).sum() * 2).backward())), (Values{2, 0, 0}));
    const auto order = x.argsort(1);
    const auto w = Matrix::from({{1, 10, 100}}, device);
    EXPECT_EQ(values(*x.grad((x.gather(1, order) * w).sum().backward())), (Values{100, 1, 10}));
    const auto top = x.argtopk(2, 1);
    EXPECT_EQ(values(*x.grad(x.gather(1, top).sum().backward())), (Values{1, 0, 1}));
}

TEST(Gather, GivesSecondOrder) {
    using Twice = Autodiff<B>;
    auto inner = Tensor<B, 1>::from({2.0, 3.0}, device).require_grad();
    auto x = Tensor<Twice, 1>::from_inner(inner).require_grad();
    const auto at = Tensor<Twice, 1, Int>::from({1, 1, 0}, Device<Twice>());
    auto first = *x.grad(x.gather(0, at).square().sum().backward());  // x0^2 + 2 x1^2
    EXPECT_EQ(values(first), (Values{4, 12}));
    EXPECT_EQ(values(*inner.grad(first.sum().backward())), (Values{2, 4}));
}

}  // namespace
}  // namespace burn::indexing_test
