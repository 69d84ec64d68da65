// Faults of fusion that were found and mended, smallest program first.
#include <burn/decorators/fusion/fusion.h>

#include "wrapped_device.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/engine.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/functions.h>
#include <burn/tensor/tensor.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace burn::fusion::regression_test {
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

TEST_F(FusionRegression, AKeptPlanRunsKernelsOfTheInstructionSetThatIsActive) {
    const auto asked = [] {
        const cpu::KernelCacheCounters counters = cpu::kernel_cache().counters();
        return counters.compiled + counters.loaded + counters.in_memory;
    };
    const auto run = [&asked] {
        const std::uint64_t before = asked();
        EXPECT_EQ((T1::arange(0, 40, {}) * 3.0f - 1.0f).to_data().at(39), 116);
        return asked() - before;
    };
    const Isa usual = active_isa();
    run();
    EXPECT_EQ(run(), 0u) << "what was made ready is kept";
    for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
        if (isa == usual || !isa_supported(isa)) continue;
        set_active_isa(isa);
        EXPECT_EQ(run(), 1u) << isa_name(isa);
        EXPECT_EQ(run(), 0u) << isa_name(isa);
    }
    set_active_isa(usual);
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

/// The processor's device, which compiles only some kernels.
class RefusingDevice final : public WrappedDevice {
public:
    int asked = 0;
    std::function<bool(int)> refuses = [](int) { return true; };  ///< of the how many-eth kernel it is asked for

    compiler::ExecutableRef compile(const kernel::Kernel& kernel) override {
        if (refuses(asked++)) raise(ErrorKind::Unsupported, Message() << "no room for code");
        return WrappedDevice::compile(kernel);
    }
};

TEST_F(FusionRegression, AGroupThatCannotBeCompiledRunsItsOperationsOneByOne) {
    struct Case {
        const char* name;
        ops::Handle (*program)(const ops::Handle& x);
    };
    const Case cases[] = {
        {"pointwise", [](const ops::Handle& x) { return ops::add(ops::mul(x, x), ops::abs(x)); }},
        {"a view", [](const ops::Handle& x) { return ops::mul(ops::permute(ops::neg(x), {1, 0}), x); }},
        {"rows", [](const ops::Handle& x) { return ops::sub(x, ops::max(ops::mul(x, x), {1})); }},
        {"parts of a sum", [](const ops::Handle& x) { return ops::sum(ops::abs(x), {0, 1}); }},
        {"beside each other",
         [](const ops::Handle& x) {
             const ops::Handle a = ops::add_scalar(x, 1), b = ops::add_scalar(ops::permute(x, {1, 0}), 1);
             return ops::matmul(a, b);
         }},
        {"prologue", [](const ops::Handle& x) { return ops::matmul(ops::relu(x), x); }},
        {"epilogue", [](const ops::Handle& x) { return ops::relu(ops::matmul(x, x)); }},
        {"both", [](const ops::Handle& x) { return ops::add(ops::relu(ops::matmul(ops::neg(x), x)), x); }},
    };
    constexpr std::int64_t kSize = 300;
    std::vector<float> numbers(kSize * kSize);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>((i * 7 + i / 11) % 11) - 5;
    const TensorData input = TensorData::from(std::span<const float>(numbers), {kSize, kSize});
    for (const Case& each : cases) {
        // All numbers are whole, so sums of any order are the same.
        const TensorData expected = [&] {
            const ops::Handle y = each.program(NdArray::engine(0).upload(input));
            return y.engine().read(y).wait();
        }();
        for (const auto& refuses : {std::function<bool(int)>([](int) { return true; }),
                                    std::function<bool(int)>([](int kernel) { return kernel == 0; }),
                                    std::function<bool(int)>([](int kernel) { return kernel == 1; })}) {
            SCOPED_TRACE(each.name);
            struct Fresh {  // engines are known by what they stand on, and keep their plans
                ndarray::NdArrayEngine inner;
                RefusingDevice device;
            };
            static std::vector<std::unique_ptr<Fresh>> all;
            auto& [inner, device] = *all.emplace_back(std::make_unique<Fresh>());
            device.refuses = refuses;
            ops::Engine& engine = engine_over(inner, device);
            const auto run = [&] {
                const ops::Handle y = each.program(engine.upload(input));
                return engine.read(y).wait();
            };
            const TensorData actual = run();
            EXPECT_GT(device.asked, 0);
            EXPECT_TRUE(std::ranges::equal(actual.bytes(), expected.bytes()));
            device.refuses = [](int) { return false; };
            EXPECT_TRUE(std::ranges::equal(run().bytes(), expected.bytes()));
            EXPECT_NO_THROW(engine.sync());
        }
    }
}

TEST_F(FusionRegression, AGroupThatCannotBeCompiledIsAskedForEverMoreRarely) {
    static ndarray::NdArrayEngine inner;
    static RefusingDevice device;
    ops::Engine& engine = engine_over(inner, device);
    const std::vector<float> numbers{1, 2, 3, 4};
    const ops::Handle x = engine.upload(TensorData::from(std::span<const float>(numbers), {4}));
    const auto run = [&] { engine.read(ops::add_scalar(ops::mul(x, x), 1)).wait(); };
    for (int i = 0; i < 100; ++i) run();
    EXPECT_EQ(device.asked, 6) << "in runs 1, 3, 7, 15, 31, 63";
    device.refuses = [](int) { return false; };
    for (int i = 0; i < 100; ++i) run();
    EXPECT_EQ(device.asked, 7) << "in the end it is asked again, and then done";
}

TEST_F(FusionRegression, AGroupThatCannotBeCompiledSaysWhy) {
    static ndarray::NdArrayEngine inner;
    static RefusingDevice device;
    ops::Engine& engine = engine_over(inner, device);
    const float numbers[] = {1, 2, 3};
    const auto plan = [&] {
        const ops::Handle x = engine.upload(TensorData::from(std::span<const float>(numbers), {3}));
        const ops::Handle y = ops::abs(ops::neg(x));
        return flush_and_describe(engine);
    };
    const char* refused = "fused [3]: neg abs; 1 in, 1 out; its operations ran one by one: no room for code\n";
    EXPECT_EQ(plan(), refused);
    EXPECT_EQ(plan(), refused) << "it is not asked in the second run";
    device.refuses = [](int) { return false; };
    EXPECT_EQ(plan(), "fused [3]: neg abs; 1 in, 1 out\n");
}

/// The processor's device, which compiles nothing.
class IdleDevice final : public WrappedDevice {
public:
    bool compiles() const override { return false; }
};

TEST_F(FusionRegression, ADeviceThatCompilesNothingSaysSo) {
    static ndarray::NdArrayEngine inner;
    static IdleDevice device;
    EXPECT_EQ(flush_and_describe(engine_over(inner, device)), "no kernels: the device compiles none\n");
}

}  // namespace
}  // namespace burn::fusion::regression_test
