// The optimisers and schedulers against PyTorch's results: every case of the families optim and schedulers.
#include "one_parameter.h"

#include "tests/conformance/case.h"
#include "tests/conformance/compare.h"

#include <burn/optim/ada_grad.h>
#include <burn/optim/adam.h>
#include <burn/optim/lr_scheduler.h>
#include <burn/optim/rms_prop.h>
#include <burn/optim/sgd.h>

#include <gtest/gtest.h>

#include <set>

namespace burn::optim::reference_test {
namespace {

using conformance::Case;
using conformance::Family;
using Json = nlohmann::ordered_json;

std::optional<double> optional_number(const Json& args, const char* name) {
    return args.at(name).is_null() ? std::nullopt : std::optional<double>(args.at(name).get<double>());
}

std::optional<GradientClipping> clipping_of(const Json& args) {
    const Json& clipping = args.at("gradient_clipping");
    if (clipping.is_null()) return std::nullopt;
    if (clipping.contains("value")) return GradientClipping::value(clipping.at("value"));
    return GradientClipping::norm(clipping.at("norm"));
}

/// Empty for optimisers that do not exist yet.
std::optional<Optimizer> optimizer_of(const Case& c) {
    const Json& a = c.args;
    if (c.op == "Sgd") {
        SgdConfig config{.weight_decay = optional_number(a, "weight_decay"), .gradient_clipping = clipping_of(a)};
        if (const auto momentum = optional_number(a, "momentum")) {
            config.momentum = Momentum{*momentum, a.at("dampening"), a.at("nesterov")};
        }
        return config.init();
    }
    if (c.op == "Adam") {
        return AdamConfig{
            a.at("beta_1"), a.at("beta_2"), a.at("epsilon"), a.at("amsgrad"), optional_number(a, "weight_decay"),
            clipping_of(a)}
            .init();
    }
    if (c.op == "AdamW") {
        return AdamWConfig{
            a.at("beta_1"),  a.at("beta_2"), a.at("epsilon"), a.at("weight_decay"), a.at("cautious_weight_decay"),
            a.at("amsgrad"), clipping_of(a)}
            .init();
    }
    if (c.op == "AdaGrad") {
        return AdaGradConfig{a.at("lr_decay"), a.at("epsilon"), optional_number(a, "weight_decay"), clipping_of(a)}
            .init();
    }
    if (c.op == "RmsProp") {
        return RmsPropConfig{
            a.at("alpha"), a.at("momentum"), a.at("epsilon"), a.at("centered"), optional_number(a, "weight_decay"),
            clipping_of(a)}
            .init();
    }
    return std::nullopt;
}

/// The parameter after each step along the stored gradients, joined on a new first axis.
template <std::size_t D>
struct Walk {
    Param<Tensor<Autodiff<NdArray>, D>> p;
    BURN_MODULE(Walk, p)
};

template <std::size_t D>
TensorData walk(Optimizer optimizer, double rate, const TensorData& start, const TensorData& gradients) {
    using A = Autodiff<NdArray>;
    Walk<D> module{Param(Tensor<A, D>::from_data(start, Device<A>()))};
    TensorData path(gradients.shape(), DType::F32);
    const auto count = static_cast<std::size_t>(start.numel());
    for (std::size_t step = 0; step < static_cast<std::size_t>(gradients.shape()[0]); ++step) {
        const auto piece = gradients.values<float>().subspan(step * count, count);
        GradientsParams grads;
        grads.set(module.p.id(),
                  Tensor<NdArray, D>::from_data(TensorData::from(piece, start.shape()), Device<NdArray>()));
        module = optimizer.step(rate, std::move(module), std::move(grads));
        const TensorData now = module.p.value().to_data();
        std::ranges::copy(now.values<float>(),
                          path.mutable_values<float>().begin() + static_cast<std::ptrdiff_t>(step * count));
    }
    return path;
}

TensorData walk(const Optimizer& optimizer, double rate, const TensorData& start, const TensorData& gradients) {
    switch (start.shape().rank()) {
        case 1: return walk<1>(optimizer, rate, start, gradients);
        case 2: return walk<2>(optimizer, rate, start, gradients);
        default: return walk<3>(optimizer, rate, start, gradients);
    }
}

TEST(OptimizerReference, FollowsThePathsOfPyTorch) {
    const Family family = conformance::load_family("tests/data-files/oracle/optim");
    const std::set<std::string> absent = {"Adan", "Muon", "LBFGS"};
    int compared = 0;
    for (const Case& c : family.cases) {
        const std::optional<Optimizer> optimizer = optimizer_of(c);
        EXPECT_NE(optimizer.has_value(), absent.contains(c.op)) << c.op;
        if (!optimizer) continue;
        const TensorData path = walk(*optimizer, c.args.at("lr"), family.read(c.inputs[0]), family.read(c.inputs[1]));
        EXPECT_EQ(conformance::difference(path, family.read(c.outputs[0]), c.rtol, c.atol), "") << c.name;
        ++compared;
    }
    EXPECT_GE(compared, 25);
}

LrScheduler scheduler_of(const std::string& kind, const Json& a) {
    if (kind == "Constant") return ConstantLrSchedulerConfig{a.at("lr").get<double>()}.init();
    if (kind == "Composed" || kind == "Sequential") {
        std::vector<LrScheduler> parts;
        for (const Json& part : a.at("schedulers")) parts.push_back(scheduler_of(part.at("kind"), part));
        if (kind == "Sequential") return in_sequence(std::move(parts), a.at("milestones"));
        const std::string reduction = a.at("reduction");
        return compose(std::move(parts), reduction == "Prod"  ? LrReduction::Prod
                                         : reduction == "Sum" ? LrReduction::Sum
                                                              : LrReduction::Avg);
    }
    if (kind == "Noam") {
        return NoamLrSchedulerConfig{a.at("factor").get<double>(), a.at("warmup_steps"), a.at("model_size")}.init();
    }
    const double initial = a.at("initial_lr");
    if (kind == "Linear") {
        return LinearLrSchedulerConfig{initial, a.at("final_lr").get<double>(), a.at("num_iters").get<std::int64_t>()}
            .init();
    }
    if (kind == "CosineAnnealing") {
        return CosineAnnealingLrSchedulerConfig{initial, a.at("num_iters").get<std::int64_t>(), a.at("min_lr")}.init();
    }
    if (kind == "Exponential") return ExponentialLrSchedulerConfig{initial, a.at("gamma").get<double>()}.init();
    EXPECT_EQ(kind, "Step");
    return StepLrSchedulerConfig{initial, a.at("step_size").get<std::int64_t>(), a.at("gamma")}.init();
}

TEST(SchedulerReference, GivesTheStoredRates) {
    const Family family = conformance::load_family("tests/data-files/oracle/schedulers");
    for (const Case& c : family.cases) {
        LrScheduler scheduler = scheduler_of(c.op, c.args);
        const TensorData want = family.read(c.outputs[0]);
        std::vector<double> rates;
        for (std::int64_t i = 0; i < want.numel(); ++i) rates.push_back(scheduler.step());
        const TensorData got = TensorData::from(std::span<const double>(rates), want.shape());
        EXPECT_EQ(conformance::difference(got.convert(want.dtype()), want, c.rtol, c.atol), "") << c.name;
    }
    EXPECT_EQ(family.cases.size(), 16u);
}

}  // namespace
}  // namespace burn::optim::reference_test
