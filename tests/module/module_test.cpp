#include "sample_modules.h"

#include <gtest/gtest.h>

namespace burn::module_test {
namespace {

using sample::Affine;
using A = Autodiff<NdArray>;

/// An initialiser that must not be asked.
class Never final : public ParamInitializer {
public:
    explicit Never(const Shape& shape) : ParamInitializer(Device<A>().engine(), {shape, DType::F32}) {}
    ops::Handle make() const override {
        ADD_FAILURE() << "a value was made";
        return ops::full(engine(), spec().shape, spec().dtype, 0);
    }
};

TEST(NumParams, CountsTiedParametersOnce) {
    // first: 6 + 3, layers: 6 + 3 and 6, gains: 4, table: 5; wrapped is tied to first.
    EXPECT_EQ(sample::make_everything<A>(Device<A>()).num_params(), 33);
    EXPECT_EQ(sample::Scale().num_params(), 0);
}

TEST(NumParams, MakesNoValues) {
    Affine<A> module;
    module.weight = Param<Tensor<A, 2>>(make_ref<Never>(Shape{20, 30}));
    EXPECT_EQ(module.num_params(), 600);
}

TEST(NoGrad, StopsTracking) {
    Device<A> device;
    const auto module = sample::make_affine<A>(2, device);
    const auto frozen = module.no_grad();
    EXPECT_FALSE(frozen.weight.value().is_tracked());
    EXPECT_FALSE(frozen.bias->requires_grad());
    EXPECT_TRUE(module.weight.value().is_tracked());
    EXPECT_EQ(frozen.weight.id(), module.weight.id());
}

TEST(ToDevice, KeepsIdsAndTies) {
    Device<A> device;
    const auto module = sample::make_everything<A>(device);
    const auto moved = module.to_device(device);
    EXPECT_EQ(moved.first.weight.id(), module.first.weight.id());
    EXPECT_TRUE(moved.first.weight.tied_to(moved.wrapped.inner.weight));
    EXPECT_TRUE(moved.first.weight.value().is_tracked());
    EXPECT_EQ(moved.constant.to_data(), module.constant.to_data());
}

}  // namespace
}  // namespace burn::module_test
