// How many kernels the losses of a training program take, all of them counted.
#include "fused.h"

#include <burn/decorators/autodiff/autodiff.h>
#include <burn/nn/loss/cross_entropy.h>

#include <cstdint>
#include <vector>

namespace burn::fusion::loss_test {
namespace {

class Loss : public Fused {
protected:
    static constexpr std::int64_t kItems = 300, kClasses = 10;

    /// The steps of a plan but those that only look at a tensor in another way.
    static int kernels(const std::string& plan) {
        int views = 0;
        for (const char* view : {"reshape", "expand", "permute"}) views += count(plan, std::string("run   ") + view);
        return count(plan, "") - views;
    }

    static void expect_one_and_one(const nn::loss::CrossEntropyOptions& options) {
        std::vector<std::int64_t> classes(kItems);
        for (std::int64_t i = 0; i < kItems; ++i) classes[static_cast<std::size_t>(i)] = i * 7 % kClasses;
        ops::Engine& outer = Autodiff<Cpu>::engine(0);
        const ops::Handle x = autodiff::require_grad(outer.upload(whole_numbers({kItems, kClasses})));
        const ops::Handle targets = outer.upload(TensorData::from(std::span<const std::int64_t>(classes), {kItems}));
        const ops::Handle loss = nn::loss::cross_entropy(x, targets, {}, options);
        const std::string forward = plan();
        EXPECT_EQ(kernels(forward), 1) << forward;
        const autodiff::Gradients gradients = autodiff::backward(loss);
        const ops::Handle gradient = gradients.get(x);
        const std::string backward = plan();
        EXPECT_EQ(kernels(backward), 1) << backward;
    }
};

TEST_F(Loss, CrossEntropyIsOneAndOne) { expect_one_and_one({}); }

TEST_F(Loss, CrossEntropyWithoutPadTokensIsOneAndOne) {
    const std::vector<std::int64_t> pads{3};
    expect_one_and_one({.pad_tokens = pads});
}

TEST_F(Loss, SmoothedCrossEntropyIsOneAndOne) { expect_one_and_one({.smoothing = 0.1}); }

}  // namespace
}  // namespace burn::fusion::loss_test
