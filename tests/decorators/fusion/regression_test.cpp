// Faults of fusion that were found and mended, smallest program first.
#include <burn/decorators/fusion/fusion.h>

#include "wrapped_device.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/engine.h>
#include <burn/ops/functions.h>
#include <burn/tensor/tensor.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

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
    EXPECT_NO_THROW(Cpu::engine(0).sync()) << "a read has raised it";
}

TEST_F(FusionRegression, AnErrorDoesNotReachWhatIsComputedInTheSameKernel) {
    const T1 x = T1::arange(0, 4, {});
    const auto outside = Tensor<Cpu, 1, Int>::from_data(TensorData::from({std::int64_t{7}}), {});
    const T1 failed = x.select(0, outside);
    const T1 root = x.sqrt();
    const T1 sum = root + failed;  // joins the kernel of the root, which does not need what failed
    EXPECT_EQ(root.to_data().at(1), 1);
    EXPECT_THROW(sum.to_data(), IndexError);
    EXPECT_NO_THROW(Cpu::engine(0).sync()) << "a read has raised it";
}

/// Computes with its tensor when it is destroyed.
struct ComputesAtItsEnd {
    std::optional<T1> x;
    double* result = nullptr;

    ~ComputesAtItsEnd() {
        if (!x) return;
        const T1 y = *x + 1.0f;
        *result = (y * 2.0f).to_data().at(2);
    }
};

TEST_F(FusionRegression, AnObjectThatOutlivesTheStreamsOfItsThreadMayCompute) {
    double result = 0;
    std::thread([&result] {
        static thread_local ComputesAtItsEnd object;  // made before the thread's first operation, so destroyed after it
        object.x = T1::arange(0, 3, {}) * 3.0f;
        object.result = &result;
    }).join();
    EXPECT_EQ(result, 14);
}

TEST_F(FusionRegression, AStaticObjectMayComputeWhenTheProgramEnds) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            struct Prints {
                T1 x;
                ~Prints() { std::fprintf(stderr, "computed %g\n", ((x + 1.0f) * 2.0f).to_data().at(2)); }
            };
            static const Prints prints{T1::arange(0, 3, {}) * 3.0f};
            std::exit(0);
        },
        testing::ExitedWithCode(0), "computed 14");
}

TEST_F(FusionRegression, WhatAThreadRecordedRunsAtItsEndWithTheMemoryOfKernels) {
    // Two such rows of F64 are more than a kernel keeps on the stack: they wait in memory that each thread has for its kernels.
    const auto program = [](const Tensor<Cpu, 2>& x) {
        const Tensor<Cpu, 2> powers = x.exp(), tangents = x.tanh();
        return powers / powers.sum_dim(1) + tangents / tangents.sum_dim(1);
    };
    const auto x = Tensor<Cpu, 2>::ones({3, 4000}, {}).cast(DType::F64);
    Tensor<Cpu, 2> late = x;
    std::thread([&] {
        program(x).to_data();
        late = program(x + x);
    }).join();
    EXPECT_NEAR(late.to_data().at(7777), 0.0005, 1e-12);
}

/// The processor's device, which cannot say where tensors lie while `broken`.
class BreakingDevice final : public WrappedDevice {
public:
    bool broken = false;

    const Layout& layout(const ops::Handle& tensor) const override {
        if (broken) raise(ErrorKind::Device, Message() << "the device is gone");
        return WrappedDevice::layout(tensor);
    }
};

TEST_F(FusionRegression, ASegmentThatCannotBePlannedLeavesItsErrorAndNothingElse) {
    static ndarray::NdArrayEngine inner;
    static BreakingDevice device;
    ops::Engine& engine = engine_over(inner, device);
    const auto plus_one = [](ops::Handle x) { return ops::add_scalar(std::move(x), 1); };
    const auto upload = [&] { return engine.upload(TensorData::from({1.0f, 2.0f})); };
    const ops::Handle kept = upload();
    const ops::Handle lost = plus_one(kept), also_lost = plus_one(upload());
    device.broken = true;
    EXPECT_THROW(engine.read(lost).wait(), DeviceError);
    device.broken = false;
    EXPECT_THROW(engine.read(also_lost).wait(), DeviceError);
    EXPECT_EQ(engine.read(plus_one(kept)).wait().at(1), 3) << "what was not part of it is whole";
    EXPECT_NO_THROW(engine.sync()) << "a read has raised it";
}

}  // namespace
}  // namespace burn::fusion
