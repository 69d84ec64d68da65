#include <burn/compiler/custom_op.h>

#include "examples/custom_kernel/matmul_add_relu.h"
#include "tests/compiler/custom_ops.h"
#include "tests/support/kernels.h"
#include "tests/support/values.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/tensor/checkpoint.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <thread>
#include <vector>

namespace burn::custom_op_test {
namespace {

using testing::Cubed;
using testing::PlusOneOrTwo;
using testing::SumAndDifference;
using testing::SumOfMany;

template <class B>
class CustomOp : public ::testing::Test {};
using Backends = ::testing::Types<NdArray, CpuEager, Cpu>;
TYPED_TEST_SUITE(CustomOp, Backends);

template <class B>
Tensor<B, 1> numbers(std::int64_t count) {
    return Tensor<B, 1>::arange(0, count, {}) * 0.5f - 4.0f;
}

template <class B, std::size_t D>
Tensor<B, D> cubed(Tensor<B, D> x, double scale = 1) {
    return custom::apply<Tensor<B, D>>(Cubed{scale}, std::move(x));
}

TYPED_TEST(CustomOp, ComputesWithTensorsOfEverySize) {
    for (const std::int64_t count : {0, 1, 7, 8, 67}) {
        const std::vector<double> y = values(cubed(numbers<TypeParam>(count), 2));
        ASSERT_EQ(y.size(), static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double x = 0.5 * static_cast<double>(i) - 4;
            EXPECT_EQ(y[i], 2 * x * x * x);
        }
    }
}

// The example, with tiles that stick out on every side: whole numbers, so that every sum is exact.
TYPED_TEST(CustomOp, TilesThatStickOutTouchNothing) {
    const auto numbers = [](std::int64_t rows, std::int64_t columns, std::int64_t step) {
        std::vector<float> data;
        for (std::int64_t i = 0; i < rows * columns; ++i) data.push_back(static_cast<float>(i * step % 11 - 5));
        return TensorData::from(std::span<const float>(data), {rows, columns});
    };
    const TensorData x = numbers(13, 7, 3), weight = numbers(7, 37, 5), bias = numbers(1, 37, 7);
    const auto upload = [](const TensorData& data) { return Tensor<TypeParam, 2>::from_data(data, {}); };
    testing::for_each_isa([&] {
        const auto y = custom::apply<Tensor<TypeParam, 2>>(example::MatMulAddRelu{}, upload(x), upload(weight),
                                                           upload(bias).template reshape<1>({37}));
        const TensorData found = y.to_data();
        for (std::int64_t i = 0; i < 13; ++i) {
            for (std::int64_t j = 0; j < 37; ++j) {
                double sum = bias.at(j);
                for (std::int64_t l = 0; l < 7; ++l) sum += x.at(i * 7 + l) * weight.at(l * 37 + j);
                ASSERT_EQ(found.at(i * 37 + j), std::max(sum, 0.0)) << i << ", " << j;
            }
        }
    });
}

TYPED_TEST(CustomOp, ComputesInTheTypeOfItsOperand) {
    const auto x = Tensor<TypeParam, 1>::from_data(TensorData::from({0.1, 0.2}), {});
    EXPECT_EQ(values(cubed(x)), (std::vector<double>{0.1 * 0.1 * 0.1, 0.2 * 0.2 * 0.2}));
    EXPECT_THROW(custom::apply(Cubed{}, TypeParam::engine(0).upload(TensorData::from({1, 2}))), DTypeError);
}

TYPED_TEST(CustomOp, HasTheGradientThatItsUserWrote) {
    using B = Autodiff<TypeParam>;
    const auto x = Tensor<B, 1>::from({-2.0, 0.5, 3.0}, {}).require_grad();
    const auto loss = (cubed(x, 2) * Tensor<B, 1>::from({1.0, 10.0, 100.0}, {})).sum();
    EXPECT_EQ(values(loss), (std::vector<double>{-16 + 2.5 + 5400}));
    EXPECT_EQ(values(*x.grad(loss.backward())), (std::vector<double>{24, 15, 5400}));  // 6 x^2 times the weight
}

TYPED_TEST(CustomOp, HasASecondDerivative) {
    using B = Autodiff<Autodiff<TypeParam>>;
    using Inner = Autodiff<TypeParam>;
    const auto inner = Tensor<Inner, 1>::from({-2.0, 0.5, 3.0}, {}).require_grad();
    const auto x = Tensor<B, 1>::from_inner(inner).require_grad();
    const auto first = *x.grad(cubed(x).sum().backward());
    EXPECT_EQ(values(first), (std::vector<double>{12, 0.75, 27}));
    EXPECT_EQ(values(*inner.grad(first.sum().backward())), (std::vector<double>{-12, 3, 18}));  // 6 x
}

TYPED_TEST(CustomOp, IsReplayedByACheckpoint) {
    using B = Autodiff<TypeParam>;
    const auto x = Tensor<B, 1>::from({-2.0, 3.0}, {}).require_grad();
    const auto y = checkpoint([](Tensor<B, 1> z) { return cubed(cubed(z)); }, x);
    EXPECT_EQ(values(y), (std::vector<double>{-512, 19683}));
    EXPECT_EQ(values(*x.grad(y.sum().backward())), (std::vector<double>{9 * 256, 9 * 6561}));  // 9 x^8
}

TYPED_TEST(CustomOp, GivesSeveralResultsAndReadsStridedOperands) {
    const auto x = Tensor<TypeParam, 1>::arange(0, 12, {}).template reshape<2>({3, 4});
    const auto y = Tensor<TypeParam, 2>::full({4, 3}, 1, {});
    const ops::HandleList both = custom::apply_all(SumAndDifference{3}, {x.transpose().handle(), y.handle()});
    EXPECT_EQ(values(Tensor<TypeParam, 2>(both[0])),
              (std::vector<double>{3, 15, 27, 6, 18, 30, 9, 21, 33, 12, 24, 36}));
    EXPECT_EQ(values(Tensor<TypeParam, 2>(both[1])), (std::vector<double>{-3, 9, 21, 0, 12, 24, 3, 15, 27, 6, 18, 30}));
}

TYPED_TEST(CustomOp, TakesAnyNumberOfOperandsAndUsesAnotherOperationInItsGradient) {
    using B = Autodiff<TypeParam>;
    const auto x = Tensor<B, 1>::from({1.0, 2.0}, {}).require_grad();
    EXPECT_EQ(values(custom::apply<Tensor<B, 1>>(SumOfMany{}, x)), (std::vector<double>{1, 2}));
    const auto y = custom::apply<Tensor<B, 1>>(SumOfMany{}, x, x * 10.0f, x * x);
    EXPECT_EQ(values(y), (std::vector<double>{12, 26}));
    EXPECT_EQ(values(*x.grad(y.sum().backward())), (std::vector<double>{13, 15}));  // 11 + 2 x
}

TYPED_TEST(CustomOp, ReadsReversedOperands) {
    const auto x = Tensor<TypeParam, 1>::arange(0, 6, {}).template reshape<2>({2, 3}).flip({0, 1});
    const ops::HandleList both =
        custom::apply_all(SumAndDifference{}, {x.handle(), x.transpose().transpose().handle()});
    EXPECT_EQ(values(Tensor<TypeParam, 2>(both[0])), (std::vector<double>{10, 8, 6, 4, 2, 0}));
    EXPECT_EQ(values(Tensor<TypeParam, 2>(both[1])), std::vector<double>(6, 0));
}

TYPED_TEST(CustomOp, IsGivenContiguousOperandsUnlessItSaysOtherwise) {
    const auto x = Tensor<TypeParam, 2>::from({{1.0, 2.0}, {3.0, 4.0}}, {});
    EXPECT_EQ(values(cubed(x.transpose())), (std::vector<double>{1, 27, 8, 64}));
    EXPECT_EQ(values(cubed(x.slice({{1, 2}, {0, 2}}))), (std::vector<double>{27, 64}));
}

TYPED_TEST(CustomOp, TakesARunTimeAttributeWithoutAnotherKernel) {
    values(cubed(numbers<TypeParam>(5), 1));
    const int before = Cubed::written;
    EXPECT_EQ(values(cubed(numbers<TypeParam>(5), 10))[0], -640);
    EXPECT_EQ(values(cubed(numbers<TypeParam>(5), -1))[0], 64);
    EXPECT_EQ(Cubed::written, before);
}

TYPED_TEST(CustomOp, DoesNotMixStructuralAttributes) {
    const auto one = Tensor<TypeParam, 2>::full({2, 2}, 1, {});
    for (const std::int64_t factor : {1, 2, 1, 3}) {
        const auto both = custom::apply_all(SumAndDifference{factor}, {one.handle(), one.handle()});
        EXPECT_EQ(values(Tensor<TypeParam, 2>(both[0]))[0], 2 * static_cast<double>(factor));
    }
}

TYPED_TEST(CustomOp, DecomposesWhereNothingCompiles) {
    const bool compiles = !std::is_same_v<TypeParam, NdArray> && cpu::code_generator() != nullptr;
    const auto y = custom::apply<Tensor<TypeParam, 1>>(PlusOneOrTwo{}, Tensor<TypeParam, 1>::zeros({3}, {}));
    EXPECT_EQ(values(y), std::vector<double>(3, compiles ? 1 : 2));
}

TYPED_TEST(CustomOp, WithoutAGradientItsDecompositionIsDifferentiated) {
    using B = Autodiff<TypeParam>;
    const auto x = Tensor<B, 1>::from({1.0, 2.0}, {}).require_grad();
    const auto y = custom::apply<Tensor<B, 1>>(PlusOneOrTwo{}, x);
    EXPECT_EQ(values(y), (std::vector<double>{3, 4}));
    EXPECT_EQ(values(*x.grad((y * y).sum().backward())), (std::vector<double>{6, 8}));
}

TYPED_TEST(CustomOp, WithoutGradientAndDecompositionRefusesATrackedOperand) {
    using B = Autodiff<TypeParam>;
    const auto x = Tensor<B, 2>::full({2, 2}, 1, {});
    EXPECT_THROW(custom::apply_all(SumAndDifference{}, {x.require_grad().handle(), x.handle()}), UnsupportedError);
    EXPECT_NO_THROW(custom::apply_all(SumAndDifference{}, {x.handle(), x.handle()}));
}

TYPED_TEST(CustomOp, IsUsedBySeveralThreads) {
    std::vector<std::thread> threads;
    std::vector<double> found(4);
    threads.reserve(found.size());
    for (std::size_t t = 0; t < found.size(); ++t) {
        threads.emplace_back([t, &found] {
            for (std::int64_t i = 0; i < 20; ++i)
                found[t] += values(cubed(numbers<TypeParam>(1 + i % 5), static_cast<double>(t)))[0];
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t t = 0; t < found.size(); ++t) EXPECT_EQ(found[t], -64.0 * 20 * static_cast<double>(t));
}

TEST(CustomOpUnderFusion, IsAStepOfItsOwnAndItsPlanIsUsedAgain) {
    if (!fusion::enabled()) GTEST_SKIP() << "BURN_FUSION=off";
    if (cpu::code_generator() == nullptr) GTEST_SKIP() << cpu::why_no_code_generator();
    ops::Engine& engine = Cpu::engine(0);
    const auto x = numbers<Cpu>(9);
    x.to_data();
    const auto program = [&x](double scale) { return cubed(x + 1.0f, scale) * 2.0f; };
    auto y = program(1);
    EXPECT_EQ(fusion::flush_and_describe(engine),
              "fused [9]: add_scalar; 1 in, 1 out\n"
              "run   cubed(scale=?); it has a kernel of its own\n"
              "fused [9]: mul_scalar; 1 in, 1 out\n");
    EXPECT_EQ(values(y)[0], -54);
    const fusion::Report before = fusion::report(engine);
    EXPECT_EQ(values(program(2))[0], -108);
    EXPECT_EQ(fusion::report(engine).plan_misses, before.plan_misses);
    EXPECT_EQ(fusion::report(engine).plan_hits, before.plan_hits + 1);
}

}  // namespace
}  // namespace burn::custom_op_test
