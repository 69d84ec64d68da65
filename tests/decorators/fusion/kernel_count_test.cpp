// How many kernels the programs that every network is made of take, as one operation and as the operations it is made of.
#include "fused.h"

#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/loss.h>
#include <burn/ops/movement.h>
#include <burn/ops/norm.h>
#include <burn/ops/optim.h>
#include <burn/ops/reduce.h>
#include <burn/ops/slice.h>
#include <burn/ops/softmax.h>

#include <array>
#include <vector>

namespace burn::fusion::kernel_count_test {
namespace {

using ops::Handle;

/// Rows enough for several cubes, and for parts of sums over them.
constexpr std::int64_t kRows = 300, kColumns = 96;

class KernelCount : public Fused {
protected:
    using Handles = std::vector<Handle>;
    using Program = std::function<Handle(const Handles&)>;

    /// How a program and its gradient are planned.
    struct Plans {
        std::string forward, backward;
    };

    /// Runs a program on Cpu and on NdArray, forwards and backwards; the values and gradients are near.
    static Plans run(const std::vector<TensorData>& inputs, const Program& program, double tolerance = 1e-4) {
        Plans plans;
        const std::vector<TensorData> actual = run_on<Cpu>(inputs, program, &plans);
        const std::vector<TensorData> expected = run_on<NdArray>(inputs, program, nullptr);
        EXPECT_EQ(actual.size(), expected.size());
        for (std::size_t i = 0; i < actual.size(); ++i) {
            EXPECT_EQ(actual[i].shape(), expected[i].shape());
            for (std::int64_t e = 0; e < actual[i].numel(); ++e) {
                const double near = tolerance * (1 + std::abs(expected[i].at(e)));
                EXPECT_NEAR(actual[i].at(e), expected[i].at(e), near) << "result " << i << ", element " << e;
                if (HasFailure()) return plans;
            }
        }
        return plans;
    }

    /// The result, then the gradients of the Float inputs.
    template <class B>
    static std::vector<TensorData> run_on(const std::vector<TensorData>& inputs, const Program& program, Plans* plans) {
        ops::Engine& outer = Autodiff<B>::engine(0);
        Handles leaves;
        for (const TensorData& input : inputs) {
            const Handle tensor = outer.upload(input);
            leaves.push_back(is_float(input.dtype()) ? autodiff::require_grad(tensor) : tensor);
        }
        const Handle y = program(leaves);
        if (plans != nullptr) plans->forward = plan();
        const Handle cotangent = B::engine(0).upload(whole_numbers(y.shape()));
        const autodiff::Gradients gradients = autodiff::backward(y, cotangent);
        if (plans != nullptr) plans->backward = plan();
        std::vector<TensorData> results{values(y)};
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (is_float(inputs[i].dtype())) results.push_back(values(gradients.get(leaves[i])));
        }
        return results;
    }

    /// The steps of a plan but views, which take no kernel, and those on the single number of a loss.
    static int kernels(const std::string& plan) {
        int others = count(plan, "fused [1]:") + count(plan, "fused [1, 1]:");
        for (const char* view : {"reshape", "expand", "permute"}) others += count(plan, std::string("run   ") + view);
        return count(plan, "") - others;
    }

    static TensorData input(const Shape& shape) { return whole_numbers(shape); }
    static TensorData targets() {
        std::vector<std::int64_t> classes(kRows);
        for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<std::int64_t>(i * 7 % kColumns);
        return TensorData::from(std::span<const std::int64_t>(classes), {kRows});
    }
};

Handle softmax_of_primitives(const Handle& x) {
    const Handle e = ops::exp(ops::sub(x, ops::max(x, {1})));
    return ops::div(e, ops::sum(e, {1}));
}

Handle log_softmax_of_primitives(const Handle& x) {
    const Handle centred = ops::sub(x, ops::max(x, {1}));
    return ops::sub(centred, ops::log(ops::sum(ops::exp(centred), {1})));
}

TEST_F(KernelCount, SoftmaxIsOneAndOne) {
    for (Handle (*softmax)(const Handle&) :
         {+[](const Handle& x) { return ops::softmax(x, 1); }, &softmax_of_primitives}) {
        const Plans plans = run({input({kRows, kColumns})}, [=](const Handles& x) { return softmax(x[0]); });
        EXPECT_EQ(count(plans.forward, ""), 1) << plans.forward;
        EXPECT_EQ(kernels(plans.backward), 1) << plans.backward;
    }
}

TEST_F(KernelCount, LayerNormIsOneAndOneWithItsParameters) {
    const auto whole = [](const Handles& x) { return ops::layer_norm(x[0], x[1], x[2], 1e-5); };
    const auto primitives = [](const Handles& x) {
        const Handle centred = ops::sub(x[0], ops::mean(x[0], {1}));
        const Handle variance = ops::mean(ops::mul(centred, centred), {1});
        const Handle rows = ops::div(centred, ops::sqrt(ops::add_scalar(variance, 1e-5)));
        return ops::add(ops::mul(rows, ops::unsqueeze_dim(x[1], 0)), ops::unsqueeze_dim(x[2], 0));
    };
    for (const Program& program : {Program(whole), Program(primitives)}) {
        const Plans plans = run({input({kRows, kColumns}), input({kColumns}), input({kColumns})}, program);
        EXPECT_EQ(count(plans.forward, ""), 1) << plans.forward;
        EXPECT_EQ(count(plans.backward, "rows"), 1) << plans.backward;
        EXPECT_LE(kernels(plans.backward), 2) << plans.backward;
    }
}

TEST_F(KernelCount, CrossEntropyIsOneAndOne) {
    const auto whole = [](const Handles& x) { return ops::over_all(ops::mean, ops::cross_entropy(x[0], x[1])); };
    const auto picked = [](const Handle& logs, const Handle& targets) {
        const Handle chosen = ops::gather(logs, 1, ops::unsqueeze_dim(targets, 1));
        return ops::neg(ops::over_all(ops::mean, ops::squeeze_dims(chosen, {1})));
    };
    const auto half = [&](const Handles& x) { return picked(ops::log_softmax(x[0], 1), x[1]); };
    const auto primitives = [&](const Handles& x) { return picked(log_softmax_of_primitives(x[0]), x[1]); };
    const auto by_hand = [](const Handles& x) {
        const Handle most = ops::max(x[0], {1});
        const Handle surprise = ops::add(ops::log(ops::sum(ops::exp(ops::sub(x[0], most)), {1})), most);
        return ops::over_all(ops::mean, ops::sub(surprise, ops::gather(x[0], 1, ops::unsqueeze_dim(x[1], 1))));
    };
    for (const Program& program : {Program(whole), Program(half), Program(primitives), Program(by_hand)}) {
        const Plans plans = run({input({kRows, kColumns}), targets()}, program);
        EXPECT_EQ(kernels(plans.forward), 1) << plans.forward;
        EXPECT_EQ(kernels(plans.backward), 1) << plans.backward;
    }
}

// As of queries, keys and values: the gradient of what is split is joined, without zeros around each piece.
TEST_F(KernelCount, TheGradientOfASplitIsOneCat) {
    const auto split = [](const Handles& x) {
        const Handle all = ops::reshape(ops::mul(x[0], x[0]), {kRows, 3, kColumns / 3});
        const auto part = [&](std::int64_t i) { return ops::select_dim(all, 1, i); };
        return ops::add(ops::mul(part(1), part(0)), part(2));
    };
    const Plans plans = run({input({kRows, kColumns})}, split);
    EXPECT_EQ(count(plans.backward, "run   cat"), 1) << plans.backward;
    EXPECT_EQ(count(plans.backward, "run   slice_assign"), 0) << plans.backward;
    EXPECT_EQ(count(plans.backward, "full"), 0) << plans.backward;
    EXPECT_LE(kernels(plans.backward), 4) << plans.backward;
}

TEST_F(KernelCount, AnAdamStepOfPrimitivesIsTwoAtMost) {
    const auto step = [](ops::Engine& engine, std::vector<Handle>& parameters) {
        std::vector<std::array<Handle, 4>> states;
        for (std::int64_t i = 1; i <= 50; ++i) {
            std::array<Handle, 4> tensors;
            for (Handle& tensor : tensors) tensor = engine.upload(whole_numbers({i, 7}));
            states.push_back(std::move(tensors));
        }
        for (auto& [p, g, m, v] : states) {
            m = ops::add(ops::mul_scalar(m, 0.9), ops::mul_scalar(g, 0.1));
            v = ops::add(ops::mul_scalar(ops::square(v), 0.999), ops::mul_scalar(ops::mul(g, g), 0.001));
            const Handle rate = ops::add_scalar(ops::sqrt(ops::div_scalar(v, 0.001)), 1e-8);
            p = ops::sub(p, ops::mul_scalar(ops::div(ops::div_scalar(m, 0.1), rate), 0.01));
        }
        parameters.clear();
        for (auto& state : states) parameters.push_back(state[0]);
        return states;
    };
    std::vector<Handle> fused, expected;
    const auto held = step(engine(), fused);
    EXPECT_LE(count(plan(), ""), 2);
    step(NdArray::engine(0), expected);
    for (std::size_t i = 0; i < fused.size(); ++i) {
        const TensorData a = values(fused[i]), b = values(expected[i]);
        for (std::int64_t e = 0; e < a.numel(); ++e) ASSERT_NEAR(a.at(e), b.at(e), 1e-5 * (1 + std::abs(b.at(e))));
    }
}

}  // namespace
}  // namespace burn::fusion::kernel_count_test
