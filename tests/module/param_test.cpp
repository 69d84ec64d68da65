#include <burn/module/param.h>

#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace burn::param_test {
namespace {

using A = Autodiff<NdArray>;

/// Makes tensors of ones and counts how often it was asked.
template <Backend B>
class CountedOnes final : public ParamInitializer {
public:
    CountedOnes(const Shape& shape, int& calls)
        : ParamInitializer(Device<B>().engine(), {shape, DType::F32}), calls_(calls) {}
    ops::Handle make() const override {
        ++calls_;
        return ops::full(engine(), spec().shape, spec().dtype, 1);
    }

private:
    int& calls_;
};

TEST(Param, IsMadeOnceForAllCopies) {
    int calls = 0;
    Param<Tensor<NdArray, 2>> param(make_ref<CountedOnes<NdArray>>(Shape{2, 3}, calls));
    const Param<Tensor<NdArray, 2>> copy = param;
    EXPECT_EQ(param.shape(), (Shape{2, 3}));
    EXPECT_FALSE(param.is_initialized());
    EXPECT_EQ(calls, 0);
    EXPECT_TRUE(param.value().handle().same(copy.value().handle()));
    EXPECT_TRUE(copy.is_initialized());
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(param.id(), copy.id());
}

TEST(Param, IsMadeOnceByManyThreads) {
    for (int round = 0; round < 20; ++round) {
        int calls = 0;
        const Param<Tensor<NdArray, 1>> param(make_ref<CountedOnes<NdArray>>(Shape{64}, calls));
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back([&param] { EXPECT_EQ(param.value().to_data().at(63), 1); });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(calls, 1);
    }
}

TEST(Param, TriesAgainAfterAnInitializerThatFailed) {
    class Failing final : public ParamInitializer {
    public:
        explicit Failing(bool& fails)
            : ParamInitializer(Device<NdArray>().engine(), {Shape{1}, DType::F32}), fails_(fails) {}
        ops::Handle make() const override {
            if (fails_) raise(ErrorKind::OutOfMemory, Message() << "no");
            return ops::full(engine(), spec().shape, spec().dtype, 4);
        }
        bool& fails_;
    };
    bool fails = true;
    const Param<Tensor<NdArray, 1>> param(make_ref<Failing>(fails));
    EXPECT_THROW(param.value(), OutOfMemoryError);
    EXPECT_FALSE(param.is_initialized());
    fails = false;
    EXPECT_EQ(param.value().to_data().at(0), 4);
}

TEST(Param, IsALeafOnAnAutodiffBackend) {
    Device<A> device;
    const Param<Tensor<A, 1>> param(Tensor<A, 1>::from({1.0, 2.0}, device));
    EXPECT_TRUE(param.value().is_tracked());
    const Gradients grads = (param.value() * 3.0).sum().backward();
    EXPECT_EQ(param.grad(grads)->to_data().at(1), 3);
}

TEST(Param, CutsOffTheHistoryOfItsValue) {
    Device<A> device;
    const auto x = Tensor<A, 1>::from({1.0, 2.0}, device).require_grad();
    const Param<Tensor<A, 1>> param(x * 2.0);
    EXPECT_FALSE(param.grad((x * 2.0).sum().backward()).has_value());
    EXPECT_EQ(param.grad((param.value() * 5.0).sum().backward())->to_data().at(0), 5);
}

TEST(Param, IsNotTrackedWhenNoGradientIsWanted) {
    Device<A> device;
    Param<Tensor<A, 1>> param(Tensor<A, 1>::ones({2}, device));
    const Param<Tensor<A, 1>> copy = param;
    param.set_requires_grad(false);
    EXPECT_FALSE(param.value().is_tracked());
    EXPECT_TRUE(copy.value().is_tracked());
    param.set_requires_grad(true);
    EXPECT_TRUE(param.value().is_tracked());
}

TEST(Param, OfIntegersIsNeverTracked) {
    Device<A> device;
    const Param<Tensor<A, 1, Int>> param(Tensor<A, 1, Int>::ones({2}, device));
    EXPECT_FALSE(param.value().is_tracked());
    EXPECT_FALSE(param.requires_grad());
}

TEST(Param, KeepsItsIdWithAnotherValue) {
    Device<A> device;
    Param<Tensor<A, 1>> param(Tensor<A, 1>::ones({2}, device));
    const Param<Tensor<A, 1>> other(Tensor<A, 1>::ones({2}, device));
    const ParamId id = param.id();
    EXPECT_NE(id, other.id());
    param.set_value(Tensor<A, 1>::full({2}, 9, device));
    EXPECT_EQ(param.id(), id);
    EXPECT_EQ(param.value().to_data().at(0), 9);
}

TEST(Param, GivesItsBufferAwayWhenNobodyElseHasIt) {
    Device<A> device;
    Param<Tensor<A, 1>> param(Tensor<A, 1>::ones({2}, device));
    Param<Tensor<A, 1>> copy = param;
    EXPECT_FALSE(param.take().unique());
    const ops::Handle value = copy.take();
    EXPECT_TRUE(value.unique());
    EXPECT_EQ(&value.engine(), &Device<NdArray>().engine());
    copy.set(ops::full_like(value, 5));
    EXPECT_EQ(copy.value().to_data().at(1), 5);
    EXPECT_TRUE(copy.value().is_tracked());
}

TEST(Param, ThatIsEmptySaysSo) {
    const Param<Tensor<NdArray, 1>> param;
    EXPECT_TRUE(param.empty());
    EXPECT_THROW(param.value(), ArgumentError);
    EXPECT_THROW(param.shape(), ArgumentError);
}

TEST(ParamId, IsNeverOneThatWasRead) {
    const ParamId next = new_param_id();
    reserve_param_id(next + 100);
    EXPECT_EQ(new_param_id(), next + 101);
    reserve_param_id(next);
    EXPECT_EQ(new_param_id(), next + 102);
    reserve_param_id(~ParamId{0});
    EXPECT_EQ(new_param_id(), next + 103);
}

}  // namespace
}  // namespace burn::param_test
