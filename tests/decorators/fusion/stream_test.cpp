// Operations of users that compute with tensors while a stream runs them.
#include <burn/decorators/fusion/fusion.h>

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/compiler/custom_op.h>
#include <burn/kernel/builder.h>
#include <burn/tensor/tensor.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>

namespace burn::fusion::stream_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using T1 = Tensor<Cpu, 1>;

/// x times what `compute` gives, which is asked while the kernel is written.
struct TimesComputed {
    std::int64_t which = ++made;  ///< tells operations apart, so that each has its own kernel

    static inline std::int64_t made = 0;
    static inline std::function<double()> compute;
    static constexpr custom::Info info{.name = "times_computed", .inputs = 1};
    static void fields(auto& self, ops::FieldVisitor& visit) { visit.structural("which", self.which); }

    SpecList infer(std::span<const TensorSpec> inputs) const { return {inputs[0]}; }
    custom::Launch kernel(const custom::Call& call) const {
        const double factor = compute();
        kernel::Builder k("times_computed");
        const kernel::Place x = k.buffer(DType::F32, kernel::Access::Read);
        const kernel::Place y = k.buffer(DType::F32, kernel::Access::Write);
        const kernel::Value i = k.cube_index();
        y.store(i, x.load(i) * factor);
        return {k.finish(), call.inputs[0].shape.numel()};
    }
};

/// Runs `body` on a thread of its own. A deadlock cannot be undone: it ends the program.
void within_a_minute(std::function<void()> body) {
    std::packaged_task<void()> task(std::move(body));
    std::future<void> end = task.get_future();
    std::thread thread(std::move(task));
    if (end.wait_for(std::chrono::minutes(1)) != std::future_status::ready) {
        std::fputs("a deadlock: no end after a minute\n", stderr);
        std::abort();
    }
    thread.join();
    end.get();
}

class FusionStream : public testing::Test {
protected:
    void SetUp() override {
        if (cpu::code_generator() == nullptr) GTEST_SKIP() << "no kernels here: " << cpu::why_no_code_generator();
    }
    void TearDown() override { TimesComputed::compute = nullptr; }

    static double sum_of_twos_times() {
        const T1 x = T1::ones({4}, {}) + 1.0f;
        return custom::apply<T1>(TimesComputed{}, x).sum().into_scalar<double>();
    }
};

TEST_F(FusionStream, AKernelMayBeWrittenWithTensorsOfItsOwn) {
    TimesComputed::compute = [] { return (T1::ones({3}, {}) * 2.0f).exp().log().sum().round().into_scalar<double>(); };
    within_a_minute([] { EXPECT_EQ(sum_of_twos_times(), 48); });
}

/// What reading y = custom(x) raises.
std::string error_of() {
    try {
        custom::apply<T1>(TimesComputed{}, T1::ones({4}, {})).to_data();
        return "nothing";
    } catch (const UnsupportedError& error) {
        return error.what();
    }
}

TEST_F(FusionStream, AKernelThatReadsWhatIsNotThereYetIsAnError) {
    within_a_minute([] {
        const T1 pending = T1::ones({4}, {}) + 1.0f;
        bool first = true;  // the check at the call; later it is the stream that asks
        TimesComputed::compute = [&] { return std::exchange(first, false) ? 1 : pending.sum().into_scalar<double>(); };
        EXPECT_THAT(error_of(), AllOf(HasSubstr("times_computed: its kernel"), HasSubstr("not there yet")));
        EXPECT_EQ(pending.sum().into_scalar<double>(), 8) << "what does not depend on it is whole";
    });
}

TEST_F(FusionStream, AKernelThatSynchronisesIsAnError) {
    within_a_minute([] {
        bool first = true;
        TimesComputed::compute = [&] {
            if (!std::exchange(first, false)) Device<Cpu>().sync();
            return 1.0;
        };
        EXPECT_THAT(error_of(), HasSubstr("times_computed: its kernel"));
    });
}

TEST_F(FusionStream, KernelsOfTwoThreadsThatReadEachOthersTensorsAreErrors) {
    // Each stream would wait for the other's lock while it holds its own.
    within_a_minute([] {
        const T1 mine = T1::ones({4}, {}) + 1.0f;
        std::promise<void> recorded, done;
        T1 theirs = mine;
        std::thread other([&] {
            theirs = T1::ones({4}, {}) + 2.0f;
            recorded.set_value();
            done.get_future().wait();
        });
        recorded.get_future().wait();
        bool first = true;
        TimesComputed::compute = [&] { return std::exchange(first, false) ? 1 : theirs.sum().into_scalar<double>(); };
        EXPECT_THAT(error_of(), HasSubstr("not there yet"));
        EXPECT_EQ(theirs.sum().into_scalar<double>(), 12);
        done.set_value();
        other.join();
    });
}

}  // namespace
}  // namespace burn::fusion::stream_test
