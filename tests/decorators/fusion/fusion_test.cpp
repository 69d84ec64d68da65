#include <burn/decorators/fusion/fusion.h>

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/norm.h>
#include <burn/ops/optim.h>
#include <burn/tensor/activation.h>
#include <burn/tensor/module_functions.h>
#include <burn/tensor/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

namespace burn::fusion::fusion_test {
namespace {

using testing::HasSubstr;

using T1 = Tensor<Cpu, 1>;
using T2 = Tensor<Cpu, 2>;

class Fusion : public testing::Test {
protected:
    void SetUp() override {
        if (cpu::code_generator() == nullptr) GTEST_SKIP() << "no kernels here: " << cpu::why_no_code_generator();
        flush_and_describe(engine());
    }

    static ops::Engine& engine() { return Cpu::engine(0); }

    /// How many lines of the plan of what was recorded start with `word`.
    static int count(const std::string& plan, const std::string& word) {
        int lines = 0;
        for (std::size_t at = 0; at < plan.size(); at = plan.find('\n', at) + 1)
            lines += plan.compare(at, word.size(), word) == 0 ? 1 : 0;
        return lines;
    }
};

T2 numbers(std::int64_t rows, std::int64_t columns) {
    return T1::arange(0, rows * columns, {}).reshape<2>({rows, columns}) * 0.125f;
}

TEST_F(Fusion, AChainIsOneKernel) {
    const T2 x = numbers(37, 53);
    x.to_data();
    const T2 y = ((x + 1.0f) * 3.0f - x).neg();
    EXPECT_EQ(flush_and_describe(engine()), "fused [37, 53]: add_scalar mul_scalar sub neg; 1 in, 1 out\n");
    const TensorData data = y.to_data();
    for (std::int64_t i = 0; i < 37 * 53; ++i) EXPECT_EQ(data.at(i), -((0.125 * i + 1) * 3 - 0.125 * i));
}

TEST_F(Fusion, NothingRunsBeforeItIsRead) {
    const Report before = report(engine());
    const T2 y = numbers(4, 4) + 1.0f;
    EXPECT_EQ(report(engine()).segments, before.segments);
    y.to_data();
    EXPECT_EQ(report(engine()).segments, before.segments + 1);
}

TEST_F(Fusion, TheSameProgramIsPlannedOnce) {
    const auto program = [] { return (numbers(5, 9) * 2.0f).exp().to_data(); };
    program();
    const Report before = report(engine());
    for (int i = 0; i < 10; ++i) program();
    EXPECT_EQ(report(engine()).plan_misses, before.plan_misses);
    EXPECT_EQ(report(engine()).plan_hits, before.plan_hits + 10);
}

TEST_F(Fusion, ARunTimeNumberIsNoPartOfThePlan) {
    const auto program = [](float number) { return (numbers(3, 4) * number).to_data().at(5); };
    EXPECT_EQ(program(2), 1.25);
    const Report before = report(engine());
    EXPECT_EQ(program(3), 1.875);
    EXPECT_EQ(report(engine()).plan_misses, before.plan_misses);
}

TEST_F(Fusion, SoftmaxIsOneKernelHoweverItIsWritten) {
    const T2 x = numbers(64, 100);
    x.to_data();
    const T2 composed = (x - x.max_dim(1)).exp() / (x - x.max_dim(1)).exp().sum_dim(1);
    EXPECT_EQ(count(flush_and_describe(engine()), "rows"), 1);
    const T2 whole = activation::softmax(x, 1);
    const std::string plan = flush_and_describe(engine());
    EXPECT_EQ(count(plan, "rows"), 1) << plan;
    EXPECT_EQ(count(plan, ""), 1) << plan;
    const TensorData a = composed.to_data(), b = whole.to_data();
    for (std::int64_t i = 0; i < a.numel(); ++i) EXPECT_NEAR(a.at(i), b.at(i), 1e-6);
}

TEST_F(Fusion, LayerNormIsOneKernel) {
    const T2 x = numbers(64, 96);
    x.to_data();
    const ops::Handle gamma = T1::full({96}, 2, {}).handle(), beta = T1::full({96}, 1, {}).handle();
    flush_and_describe(engine());
    const ops::Handle y = ops::layer_norm(x.handle(), gamma, beta, 1e-5);
    const std::string plan = flush_and_describe(engine());
    EXPECT_EQ(count(plan, "rows"), 1) << plan;
    // Each row is a, a + 0.125, ...: its variance is 0.125^2 (96^2 - 1) / 12.
    const double deviation = std::sqrt(0.125 * 0.125 * (96 * 96 - 1) / 12 + 1e-5);
    const TensorData data = engine().read(y).wait();
    for (std::int64_t i = 0; i < 96; ++i)
        EXPECT_NEAR(data.at(i), 2 * 0.125 * (static_cast<double>(i) - 47.5) / deviation + 1, 1e-4) << i;
}

TEST_F(Fusion, AValueThatWasDroppedIsNotWritten) {
    const T2 x = numbers(8, 8);
    x.to_data();
    T2 dropped = x * 2.0f;
    const T2 y = dropped + 1.0f;
    dropped = x;
    EXPECT_THAT(flush_and_describe(engine()), HasSubstr("1 in, 1 out"));
    EXPECT_EQ(y.to_data().at(3), 1.75);
}

TEST_F(Fusion, WhatIsHeldSurvivesWhatIsGivenAway) {
    // y may take the place of an operand only where nobody looks at the operand any more.
    const T2 x = numbers(16, 16);
    x.to_data();
    const T2 kept = x + 1.0f;
    const T2 y = T2(kept) * kept;
    const T2 z = T2(y) - x;
    const TensorData k = kept.to_data(), p = y.to_data(), q = z.to_data(), original = x.to_data();
    for (std::int64_t i = 0; i < 256; ++i) {
        EXPECT_EQ(original.at(i), 0.125 * i);
        EXPECT_EQ(k.at(i), 0.125 * i + 1);
        EXPECT_EQ(p.at(i), (0.125 * i + 1) * (0.125 * i + 1));
        EXPECT_EQ(q.at(i), p.at(i) - original.at(i));
    }
}

TEST_F(Fusion, SeveralResultsMayTakeThePlacesOfOperands) {
    // Both operands are given away; neither result may be stored before both were loaded.
    T2 a = numbers(3, 8), b = numbers(3, 8) + 1.0f;
    a.to_data();
    b.to_data();
    const T2 sum = a + b;
    const T2 product = sum * std::move(b);
    a = sum;
    const TensorData s = sum.to_data(), p = product.to_data();
    for (std::int64_t i = 0; i < 24; ++i) {
        EXPECT_EQ(s.at(i), 0.25 * i + 1);
        EXPECT_EQ(p.at(i), (0.25 * i + 1) * (0.125 * i + 1));
    }
}

TEST_F(Fusion, ReshapesOfOneValueMeetAgain) {
    const T1 a = T1::arange(0, 6, {}) + 1.0f;
    const T1 b = (a.reshape<2>({3, 2}) * 2.0f).reshape<1>({6});
    const TensorData sum = (a + b).to_data();
    for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(sum.at(i), 3.0 * (static_cast<double>(i) + 1));
}

TEST_F(Fusion, TwoSelectsInARow) {
    const T2 x = T1::arange(0, 16, {}).reshape<2>({4, 4}) + 0.0f;
    const auto indices = [](std::int64_t a, std::int64_t b) {
        return Tensor<Cpu, 1, Int>::from_data(TensorData::from({a, b}), {});
    };
    const TensorData y = x.select(0, indices(1, 3)).select(1, indices(0, 2)).to_data();
    EXPECT_EQ(y.at(0), 4);
    EXPECT_EQ(y.at(1), 6);
    EXPECT_EQ(y.at(2), 12);
    EXPECT_EQ(y.at(3), 14);
}

TEST_F(Fusion, MeanAndVarianceOfSwappedAxes) {
    const T2 x = T2::from_data(TensorData::from({1.f, 2.f, 3.f, 5.f, 4.f, 11.f}).reshape({3, 2}), {}).swap_dims(0, 1);
    const T2 mean = x.mean_dim(1);
    const T2 centred = x - mean;
    const T2 variance = (centred * centred).mean_dim(1);
    EXPECT_NEAR(mean.to_data().at(0), 2.666667, 1e-6);
    EXPECT_NEAR(mean.to_data().at(1), 6, 1e-6);
    EXPECT_NEAR(variance.to_data().at(0), 1.555556, 1e-6);
    EXPECT_NEAR(variance.to_data().at(1), 14, 1e-5);
}

TEST_F(Fusion, AHalfSumKeepsItsRange) {
    const T2 x = T2::full({2, 2048}, 100, {}, DType::F16);
    const TensorData mean = (x * 1.0f).mean_dim(1).to_data();
    EXPECT_EQ(mean.at(0), 100);
}

TEST_F(Fusion, NanPassesThroughExtrema) {
    const float nan = std::nanf("");
    const T2 x = T2::from_data(TensorData::from({nan, 1.f, -2.f}).reshape({1, 3}), {});
    const TensorData relu = (activation::relu(x) + 0.0f).to_data();
    EXPECT_TRUE(std::isnan(relu.at(0)));
    EXPECT_EQ(relu.at(1), 1);
    EXPECT_EQ(relu.at(2), 0);
    EXPECT_TRUE(std::isnan((x * 1.0f).max_dim(1).to_data().at(0)));
    EXPECT_TRUE(std::isnan((x * 1.0f).min_dim(1).to_data().at(0)));
}

TEST_F(Fusion, AnErrorStaysWithWhatDependsOnIt) {
    const T2 x = numbers(4, 4);
    const auto outside = Tensor<Cpu, 1, Int>::from_data(TensorData::from({std::int64_t{7}}), {});
    const T2 bad = x.select(0, outside) + 1.0f;
    const T2 worse = bad * 2.0f;
    const T2 good = x + 1.0f;
    EXPECT_EQ(good.to_data().at(1), 1.125);
    for (const T2& broken : {bad, worse}) {
        try {
            broken.to_data();
            FAIL() << "an index of 7 in an axis of 4";
        } catch (const IndexError& error) {
            EXPECT_THAT(error.what(), HasSubstr("select"));
        }
    }
    EXPECT_EQ((good + 1.0f).to_data().at(1), 2.125) << "what comes later works";
    EXPECT_NO_THROW(engine().sync()) << "a read has raised it";
}

TEST_F(Fusion, TensorsOfAnotherThread) {
    T2 made = numbers(2, 2);
    std::thread([&] { made = numbers(8, 8) + 1.0f; }).join();
    EXPECT_EQ((made * 2.0f).to_data().at(9), 2 * (9 * 0.125 + 1));
    const T2 pending = numbers(8, 8) + 3.0f;
    double seen = 0;
    std::thread([&] { seen = (pending + 1.0f).to_data().at(8); }).join();
    EXPECT_EQ(seen, 5);
}

TEST_F(Fusion, ManyThreadsUseOneTensor) {
    const T2 shared = numbers(16, 16) + 1.0f;
    std::vector<std::thread> threads;
    std::vector<double> sums(8);
    for (std::size_t t = 0; t < sums.size(); ++t) {
        threads.emplace_back([&, t] {
            for (int round = 0; round < 20; ++round) sums[t] = (shared * static_cast<float>(t)).sum().to_data().at(0);
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t t = 0; t < sums.size(); ++t)
        EXPECT_NEAR(sums[t], static_cast<double>(t) * (255 * 128 * 0.125 + 256), 1e-2);
}

TEST_F(Fusion, ALongLoopEndsSegmentsByItself) {
    T1 x = T1::full({8}, 0, {});
    const Report before = report(engine());
    for (int i = 0; i < 10000; ++i) x = x + 1.0f;
    EXPECT_GE(report(engine()).segments, before.segments + 2);
    EXPECT_EQ(x.to_data().at(3), 10000);
}

TEST_F(Fusion, EmptyTensors) {
    const T2 none = T2::full({0, 7}, 1, {});
    EXPECT_EQ((none + 1.0f).exp().to_data().numel(), 0);
    const T2 no_columns = T2::full({7, 0}, 1, {});
    EXPECT_EQ((no_columns * 2.0f).sum_dim(1).to_data().at(6), 0);
}

TEST_F(Fusion, AnOptimiserStepOverManyParametersIsOneKernel) {
    std::vector<ops::HandleList> parameters;
    for (std::int64_t i = 1; i <= 50; ++i) {
        ops::HandleList tensors;
        for (int j = 0; j < 4; ++j) tensors.push_back((numbers(i, 7) + static_cast<float>(j)).handle());
        parameters.push_back(std::move(tensors));
    }
    flush_and_describe(engine());
    for (ops::HandleList& tensors : parameters)
        tensors = ops::apply(ops::AdamStep{.rate = 0.5, .epsilon = 0}, std::move(tensors));
    const std::string plan = flush_and_describe(engine());
    EXPECT_EQ(count(plan, ""), 1) << plan;
    EXPECT_EQ(count(plan, "fused 50 x"), 1) << plan;
    // The first step of Adam without correction: m = 0.9 m + 0.1 g, v = 0.999 v + 0.001 g^2.
    for (std::int64_t i = 1; i <= 50; ++i) {
        const auto& tensors = parameters[static_cast<std::size_t>(i) - 1];
        const TensorData p = engine().read(tensors[0]).wait(), m = engine().read(tensors[1]).wait();
        for (std::int64_t e = 0; e < p.numel(); ++e) {
            const double x = 0.125 * static_cast<double>(e), g = x + 1;
            const double mean = 0.9 * (x + 2) + 0.1 * g, square = 0.999 * (x + 3) + 0.001 * g * g;
            EXPECT_NEAR(m.at(e), mean, 1e-5 * std::abs(mean));
            EXPECT_NEAR(p.at(e), x - 0.5 * mean / std::sqrt(square), 1e-4 * (1 + std::abs(x)));
        }
    }
}

TEST_F(Fusion, GradientsOfAFusedProgram) {
    using A = Autodiff<Cpu>;
    const auto x = Tensor<A, 1>::from_data(TensorData::from({1.f, 2.f, 3.f}), {}).require_grad();
    const auto y = activation::softmax(x, 0);
    const auto gradients = (y * y).sum().backward();
    const TensorData dx = x.grad(gradients)->to_data();
    EXPECT_NEAR(dx.at(0), -0.075718, 1e-5);
    EXPECT_NEAR(dx.at(1), -0.130105, 1e-5);
    EXPECT_NEAR(dx.at(2), 0.205823, 1e-5);
}

TEST_F(Fusion, AttentionIsOneStepInEachDirection) {
    using A = Autodiff<Cpu>;
    const auto rows = [](float first, float second) {
        return Tensor<A, 4>::from_data(TensorData::from({first, second}).reshape({1, 1, 2, 1}), {}).require_grad();
    };
    const auto q = rows(1, 0), k = rows(0, std::log(3.0f)), v = rows(4, 8);
    const auto ones = Tensor<Cpu, 4>::from_data(TensorData::from({1.f, 1.f}).reshape({1, 1, 2, 1}), {});
    flush_and_describe(engine());
    const auto y = attention(q, k, v);
    const std::string forward = flush_and_describe(engine());
    EXPECT_EQ(count(forward, "run   attention("), 1) << forward;
    EXPECT_EQ(count(forward, ""), 1) << forward;
    const auto gradients = autodiff::backward(y.handle(), ones.handle());
    const std::string backward = flush_and_describe(engine());
    EXPECT_EQ(count(backward, "run   attention_grad("), 1) << backward;
    EXPECT_EQ(count(backward, ""), 1) << backward;

    // Weights 1/4 and 3/4 for the first query, 1/2 and 1/2 for the second.
    const TensorData out = y.to_data(), dq = engine().read(gradients.get(q.handle())).wait(),
                     dv = engine().read(gradients.get(v.handle())).wait();
    EXPECT_NEAR(out.at(0), 7, 1e-5);
    EXPECT_NEAR(out.at(1), 6, 1e-5);
    EXPECT_NEAR(dq.at(0), 0.75 * std::log(3.0), 1e-5);
    EXPECT_NEAR(dq.at(1), std::log(3.0), 1e-5);
    EXPECT_NEAR(dv.at(0), 0.75, 1e-5);
    EXPECT_NEAR(dv.at(1), 1.25, 1e-5);
}

}  // namespace
}  // namespace burn::fusion::fusion_test
