#include <burn/backends/ndarray/ndarray.h>
#include <burn/base/function_ref.h>
#include <burn/ops/cast.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/pointwise.h>

#include <gtest/gtest.h>

namespace burn::ndarray::pointwise_test {
namespace {

using ops::Handle;

ops::Engine& engine() { return NdArray::engine(0); }

TensorData read(const Handle& handle) { return engine().read(handle).wait(); }

// A column-major operand that somebody else holds too, long enough for vector loops.
TEST(NdArrayPointwise, AbsOfASharedTransposeKeepsItsOrder) {
    const Handle x = ops::reshape(ops::arange(engine(), -40, 24, 1, DType::F32), {8, 8});
    const Handle turned = ops::swap_dims(x, 0, 1);
    const Handle copy = turned;
    const TensorData y = read(ops::abs(turned));
    EXPECT_EQ(y.at(1 * 8 + 0), 39);
    EXPECT_EQ(y.at(0 * 8 + 1), 32);
    EXPECT_EQ(y.at(7 * 8 + 7), 23);
    double sum = 0;
    for (std::int64_t i = 0; i < 64; ++i) sum += y.at(i);
    EXPECT_EQ(sum, 1096);
}

Handle operand(ops::Types types) {
    const Handle numbers = ops::reshape(ops::arange(engine(), -17, 63, 1, DType::F32), {8, 10});
    if (types == ops::Types::Int) return ops::cast(numbers, DType::I32);
    return types == ops::Types::Bool ? ops::cast(numbers, DType::Bool) : numbers;
}

/// The result of an operation on a transpose is that on a packed copy of it.
void expect_order_kept(const char* name, ops::Types types, FunctionRef<Handle(Handle)> op) {
    const Handle turned = ops::swap_dims(operand(types), 0, 1);
    const Handle packed = engine().upload(read(turned));
    EXPECT_TRUE(read(op(turned)) == read(op(packed))) << name;
}

TEST(NdArrayPointwise, EveryOperationOnOneTensorKeepsItsOrder) {
#define TRY_1_0(NAME, TYPES) expect_order_kept(#NAME, ops::Types::TYPES, [](Handle x) { return ops::NAME(x); });
#define TRY_1_1(NAME, TYPES) expect_order_kept(#NAME, ops::Types::TYPES, [](Handle x) { return ops::NAME(x, 3); });
#define TRY_1_2(NAME, TYPES) expect_order_kept(#NAME, ops::Types::TYPES, [](Handle x) { return ops::NAME(x, 3, 7); });
#define TRY_2_0(NAME, TYPES)
#define TRY_2_1(NAME, TYPES)
#define TRY_3_0(NAME, TYPES)
#define POINTWISE(NAME, OPERANDS, SCALARS, TYPES, ...) TRY_##OPERANDS##_##SCALARS(NAME, TYPES)
#include <burn/ops/pointwise.def>
}

}  // namespace
}  // namespace burn::ndarray::pointwise_test
