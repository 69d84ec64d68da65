#include <burn/optim/optimizer.h>

#include "one_parameter.h"

#include <burn/optim/adam.h>
#include <burn/optim/sgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace burn::optim::optimizer_test {
namespace {

using test::A;
using test::gradient_for;
using test::one_parameter;
using test::OneParameter;
using test::values_of;
using test::vector_of;

struct Pair {
    Param<Tensor<A, 1>> first;
    Param<Tensor<A, 1>> second;
    BURN_MODULE(Pair, first, second)
};

Pair make_pair(double first, double second) { return {one_parameter({first}).p, one_parameter({second}).p}; }

GradientsParams ones_for(const Pair& pair) {
    GradientsParams gradients;
    gradients.set(pair.first.id(), vector_of({1}));
    gradients.set(pair.second.id(), vector_of({1}));
    return gradients;
}

/// A step of rate 0.1 along ones.
Pair step(Optimizer& optimizer, Pair pair) {
    GradientsParams gradients = ones_for(pair);  // before the pair is given away
    return optimizer.step(0.1, std::move(pair), std::move(gradients));
}

struct Plain {
    Param<Tensor<NdArray, 1>> p;
    BURN_MODULE(Plain, p)
};

double value(const Param<Tensor<A, 1>>& param) { return param.value().to_data().at(0); }

std::size_t tensors_in(const Record& record) { return record.tensors().size(); }
std::size_t numbers_in(const Record& record) { return record.numbers().size(); }

TEST(Optimizer, FollowsTheGradientOfALoss) {
    // loss = (p - 3)^2: p = 0, gradient -6, rate 0.25 -> 1.5; then gradient -3 -> 2.25
    auto optimizer = SgdConfig().init();
    OneParameter module = one_parameter({0});
    for (const double expected : {1.5, 2.25}) {
        const Gradients grads = (module.p.value() - 3.0).square().sum().backward();
        const ParamId id = module.p.id();
        GradientsParams gradients = GradientsParams::from_grads(grads, module);
        module = optimizer.step(0.25, std::move(module), std::move(gradients));
        EXPECT_EQ(values_of(module)[0], expected);
        EXPECT_EQ(module.p.id(), id);
        EXPECT_TRUE(module.p.value().is_tracked());
    }
}

TEST(Optimizer, LeavesWhatHasNoGradientOrWantsNone) {
    auto optimizer = SgdConfig().init();
    Pair pair = make_pair(1, 2);
    GradientsParams gradients;
    gradients.set(pair.first.id(), vector_of({1}));
    pair = optimizer.step(1, pair, std::move(gradients));
    EXPECT_EQ(value(pair.first), 0);
    EXPECT_EQ(value(pair.second), 2);
    GradientsParams both = ones_for(pair);
    pair = optimizer.step(1, pair.no_grad(), std::move(both));
    EXPECT_EQ(value(pair.first), 0);
}

TEST(Optimizer, ChangesAModuleWithoutAutodiffAlongGivenGradients) {
    auto optimizer = SgdConfig().init();
    Plain plain{Param(vector_of({1}))};
    GradientsParams gradients;
    gradients.set(plain.p.id(), vector_of({0.25}));
    plain = optimizer.step(1, std::move(plain), std::move(gradients));
    EXPECT_EQ(plain.p.value().to_data().at(0), 0.75);
}

TEST(Optimizer, StepsTiedParametersOnce) {
    auto optimizer = SgdConfig().init();
    Pair pair = make_pair(1, 2);
    pair.second = pair.first;
    const Gradients grads = (pair.first.value() + pair.second.value() * 2.0).sum().backward();
    GradientsParams gradients = GradientsParams::from_grads(grads, pair);
    pair = optimizer.step(1, std::move(pair), std::move(gradients));
    EXPECT_EQ(value(pair.first), 1 - 3);
    EXPECT_TRUE(pair.second.tied_to(pair.first));
}

TEST(Optimizer, LeavesCopiesOfTheModuleAsTheyAre) {
    auto optimizer = AdamConfig().init();
    const OneParameter before = one_parameter({1, 2});
    const OneParameter after = optimizer.step(0.1, before, gradient_for(before, {1, 1}));
    EXPECT_THAT(values_of(before), testing::ElementsAre(1, 2));
    EXPECT_NE(values_of(after)[0], 1);
}

TEST(Optimizer, WorksInPlaceOnAModuleThatWasGivenAway) {
    auto optimizer = AdamConfig().init();
    OneParameter module = one_parameter(std::vector<double>(1000, 1));
    for (int i = 0; i < 2; ++i) {  // the first step makes the state
        GradientsParams gradients = gradient_for(module, std::vector<double>(1000, 1));
        module = optimizer.step(0.1, std::move(module), std::move(gradients));
    }
    GradientsParams gradients = gradient_for(module, std::vector<double>(1000, 1));
    const std::uint64_t bytes = memory_report().live_bytes;
    module = optimizer.step(0.1, std::move(module), std::move(gradients));
    EXPECT_LE(memory_report().live_bytes, bytes);
}

/// Three steps with the same gradients, the optimiser saved and loaded after the first into a new one with a new module.
template <class Config>
void expect_resume(const Config& config) {
    auto straight = config.init();
    Pair pair = make_pair(1, 2);
    pair = step(straight, std::move(pair));
    const Record record = straight.record();
    Pair resumed_pair = pair;
    auto resumed = config.init();
    resumed.load_record(record);
    for (int i = 0; i < 2; ++i) {
        pair = step(straight, std::move(pair));
        resumed_pair = step(resumed, std::move(resumed_pair));
    }
    EXPECT_EQ(pair.first.value().to_data(), resumed_pair.first.value().to_data());
    EXPECT_EQ(pair.second.value().to_data(), resumed_pair.second.value().to_data());
    EXPECT_EQ(tensors_in(straight.record()), tensors_in(resumed.record()));
    EXPECT_EQ(numbers_in(straight.record()), numbers_in(resumed.record()));
}

TEST(OptimizerRecord, GoesOnBitForBit) {
    expect_resume(AdamConfig());
    expect_resume(AdamConfig{.amsgrad = true});
    expect_resume(SgdConfig());
    expect_resume(SgdConfig{.momentum = Momentum{}});
}

TEST(OptimizerRecord, DoesNotGrowByRestarts) {
    auto optimizer = AdamConfig().init();
    Pair pair = make_pair(1, 2);
    for (int restart = 0; restart < 5; ++restart) {
        pair = step(optimizer, std::move(pair));
        const Record record = optimizer.record();
        EXPECT_EQ(record.tensors().size(), 4u);
        EXPECT_EQ(record.numbers().size(), 2u);
        EXPECT_EQ(record.number("first.time").as<std::int64_t>(), restart + 1);
        EXPECT_EQ(record.tensor("second.moment_1").id, pair.second.id());
        optimizer = AdamConfig().init();
        optimizer.load_record(record);
        EXPECT_EQ(tensors_in(optimizer.record()), 4u) << "also before the first step";
    }
}

TEST(OptimizerRecord, IsFoundByPathWhereIdsWereLost) {
    auto optimizer = AdamConfig().init();
    OneParameter module = one_parameter({1});
    module = optimizer.step(0.1, module, gradient_for(module, {1}));
    auto resumed = AdamConfig().init();
    resumed.load_record(optimizer.record());
    OneParameter other = module;
    other.p.set_id(new_param_id());
    module = optimizer.step(0.1, module, gradient_for(module, {3}));
    other = resumed.step(0.1, other, gradient_for(other, {3}));
    EXPECT_EQ(values_of(module), values_of(other));
    EXPECT_EQ(tensors_in(resumed.record()), 2u);
}

TEST(OptimizerRecord, KeepsModulesWithEqualPathsApart) {
    auto optimizer = AdamConfig().init();
    OneParameter a = one_parameter({1});
    OneParameter b = one_parameter({1});
    a = optimizer.step(0.1, a, gradient_for(a, {1}));
    b = optimizer.step(0.1, b, gradient_for(b, {-1}));
    auto resumed = AdamConfig().init();
    resumed.load_record(optimizer.record());
    const OneParameter expected = optimizer.step(0.1, b, gradient_for(b, {5}));
    EXPECT_EQ(values_of(resumed.step(0.1, b, gradient_for(b, {5}))), values_of(expected));
}

TEST(OptimizerRecord, OfAnotherOptimizerIsRefused) {
    auto adam = AdamConfig().init();
    OneParameter module = one_parameter({1});
    module = adam.step(0.1, module, gradient_for(module, {1}));
    EXPECT_THROW(SgdConfig().init().load_record(adam.record()), RecordError);
    EXPECT_THROW((AdamConfig{.amsgrad = true}.init().load_record(adam.record())), RecordError);
    Record number;
    number.add("step", std::int64_t{3});
    EXPECT_THROW(adam.load_record(number), RecordError);
    EXPECT_EQ(tensors_in(adam.record()), 2u) << "it is as it was";
}

TEST(OptimizerRecord, ThatDoesNotFitTheParameterIsAnError) {
    auto optimizer = AdamConfig().init();
    OneParameter module = one_parameter({1});
    module = optimizer.step(0.1, module, gradient_for(module, {1}));
    auto resumed = AdamConfig().init();
    resumed.load_record(optimizer.record());
    OneParameter other = one_parameter({1, 2});
    other.p.set_id(module.p.id());
    EXPECT_THROW(resumed.step(0.1, other, gradient_for(other, {1, 1})), RecordError);
}

TEST(Optimizer, RefusesRatesThatAreNone) {
    const auto fault = [](double rate) {
        auto optimizer = SgdConfig().init();
        OneParameter module = one_parameter({1});
        try {
            optimizer.step(rate, module, gradient_for(module, {1}));
        } catch (const ArgumentError& error) {
            EXPECT_EQ(values_of(module)[0], 1);
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(fault(-0.25), "Optimizer::step: the learning rate is -0.25; expected a finite number of at least 0");
    EXPECT_THAT(fault(std::numeric_limits<double>::quiet_NaN()), testing::HasSubstr("the learning rate is nan"));
    EXPECT_THAT(fault(std::numeric_limits<double>::infinity()), testing::HasSubstr("the learning rate is inf"));
    EXPECT_THAT(fault(-std::numeric_limits<double>::infinity()), testing::HasSubstr("the learning rate is -inf"));
    EXPECT_EQ(fault(0), "no error");
}

TEST(Optimizer, RefusesModulesWithoutValues) {
    auto optimizer = SgdConfig().init();
    OneParameter module = one_parameter({1});
    const ParamId id = module.p.id();
    GradientsParams gradients = gradient_for(module, {1});
    const Gradients grads = module.p.value().sum().backward();
    const OneParameter taken = std::move(module);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(GradientsParams::from_grads(grads, module), ArgumentError);
    EXPECT_THROW(optimizer.step(1, module, gradients), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_THROW(optimizer.step(1, OneParameter(), gradients), ArgumentError);
    EXPECT_EQ(taken.p.id(), id);
}

TEST(Optimizer, MovedFromIsAnError) {
    auto optimizer = AdamConfig().init();
    OneParameter module = one_parameter({1});
    module = optimizer.step(0.1, module, gradient_for(module, {1}));
    auto taken = std::move(optimizer);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(optimizer.step(0.1, module, gradient_for(module, {1})), ArgumentError);
    EXPECT_THROW(optimizer.record(), ArgumentError);
    EXPECT_THROW(optimizer.load_record(taken.record()), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_EQ(tensors_in(taken.record()), 2u);
}

TEST(Optimizer, RefusesAClippingThatMakesNoSense) {
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    for (const double threshold : {0.0, -1.0, nan}) {
        const auto clipping = GradientClipping::norm(threshold);
        EXPECT_THROW(SgdConfig{.gradient_clipping = clipping}.init(), ArgumentError);
        EXPECT_THROW(AdamConfig{.gradient_clipping = clipping}.init(), ArgumentError);
    }
}

}  // namespace
}  // namespace burn::optim::optimizer_test
