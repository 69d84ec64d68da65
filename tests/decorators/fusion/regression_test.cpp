// Faults of fusion that were found and mended, smallest program first.
#include <burn/decorators/fusion/fusion.h>

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/tensor/tensor.h>
#include <gtest/gtest.h>

namespace burn::fusion {
namespace {

using T1 = Tensor<Cpu, 1>;

class FusionRegression : public testing::Test {
protected:
    void SetUp() override {
        if (cpu::code_generator() == nullptr) GTEST_SKIP() << "no kernels here: " << cpu::why_no_code_generator();
        flush_and_describe(Cpu::engine(0));
    }
};

TEST_F(FusionRegression, AnErrorDoesNotReachTheGroupsBesideIt) {
    // Both sums are one launch, for they do the same with other tensors; only one of them depends on what fails.
    const T1 x = T1::arange(0, 4, {});
    const auto outside = Tensor<Cpu, 1, Int>::from_data(TensorData::from({std::int64_t{7}}), {});
    const T1 broken = x.select(0, outside) + 1.0f;
    const T1 sound = x + 1.0f;
    EXPECT_THROW(broken.to_data(), IndexError);
    EXPECT_EQ(sound.to_data().at(2), 3);
    EXPECT_THROW(Cpu::engine(0).sync(), IndexError);
}

TEST_F(FusionRegression, AnErrorDoesNotReachWhatIsComputedInTheSameKernel) {
    const T1 x = T1::arange(0, 4, {});
    const auto outside = Tensor<Cpu, 1, Int>::from_data(TensorData::from({std::int64_t{7}}), {});
    const T1 failed = x.select(0, outside);
    const T1 root = x.sqrt();
    const T1 sum = root + failed;  // joins the kernel of the root, which does not need what failed
    EXPECT_EQ(root.to_data().at(1), 1);
    EXPECT_THROW(sum.to_data(), IndexError);
    EXPECT_THROW(Cpu::engine(0).sync(), IndexError);
}

}  // namespace
}  // namespace burn::fusion
