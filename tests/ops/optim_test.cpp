#include <burn/ops/optim.h>

#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>
#include <burn/ops/random.h>

#include <gtest/gtest.h>

namespace burn::ops::optim_test {
namespace {

Engine& engine() { return NdArray::engine(0); }

Handle drawn(const Shape& shape, DType dtype, const Distribution& law) { return random(engine(), shape, dtype, law); }

/// Parameter, gradient and moments.
HandleList operands(const Shape& shape, DType dtype) {
    return list_of(drawn(shape, dtype, Distribution::normal()), drawn(shape, dtype, Distribution::normal()),
                   drawn(shape, dtype, Distribution::normal()), drawn(shape, dtype, Distribution::uniform()));
}

TensorData values(const Handle& handle) { return engine().read(handle).wait(); }

TEST(AdamStep, GivesTheBitsOfItsDecompositionWhereItRunsWhole) {
    ASSERT_TRUE(engine().runs(OpCode::AdamStep));
    for (const DType dtype : {DType::F32, DType::F64}) {
        for (const WeightDecay kind : {WeightDecay::L2, WeightDecay::Decoupled, WeightDecay::Cautious}) {
            for (const double decay : {0.0, 0.1}) {
                const AdamStep op{
                    .rate = 0.01, .decay = decay, .correction_1 = 0.19, .correction_2 = 0.002, .kind = kind};
                const HandleList inputs = operands({37, 29}, dtype);
                const HandleList whole = apply(op, inputs);
                const HandleList parts = op.decompose(inputs);
                ASSERT_EQ(whole.size(), 3u);
                for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(values(whole[i]), values(parts[i])) << "result " << i;
            }
        }
    }
}

TEST(AdamStep, WorksOnHalfTypesAndStridedOperands) {
    const AdamStep op{.rate = 0.5, .correction_1 = 0.1, .correction_2 = 0.001};
    for (const DType dtype : {DType::F16, DType::BF16}) {
        HandleList inputs = operands({6, 4}, dtype);
        for (Handle& input : inputs) input = swap_dims(std::move(input), 0, 1);
        const HandleList whole = apply(op, inputs);
        const HandleList parts = op.decompose(inputs);
        for (std::int64_t i = 0; i < 24; ++i) EXPECT_NEAR(values(whole[0]).at(i), values(parts[0]).at(i), 0.1);
    }
}

TEST(AdamStep, OverwritesOnlyWhatWasGivenAway) {
    const AdamStep op{.rate = 0.5, .correction_1 = 0.1, .correction_2 = 0.001};
    HandleList inputs = operands({100}, DType::F32);
    const HandleList kept = inputs;
    const TensorData before = values(inputs[2]);
    const HandleList results = apply(op, inputs);
    EXPECT_EQ(values(kept[2]), before);
    const HandleList expected = apply(op, kept);
    inputs.clear();
    HandleList given = kept;
    const std::uint64_t bytes = memory_report().live_bytes;
    EXPECT_EQ(values(apply(op, std::move(given))[0]), values(expected[0]));
    EXPECT_LE(memory_report().live_bytes, bytes);
    EXPECT_EQ(values(results[1]), values(expected[1]));
}

TEST(AdamStep, ChecksItsOperands) {
    HandleList inputs = operands({3}, DType::F32);
    inputs[1] = drawn({4}, DType::F32, Distribution::normal());
    EXPECT_THROW(apply(AdamStep{}, inputs), ShapeError);
    inputs[1] = drawn({3}, DType::F64, Distribution::normal());
    EXPECT_THROW(apply(AdamStep{}, inputs), DTypeError);
    const Handle whole = drawn({3}, DType::I32, Distribution::uniform(0, 9));
    EXPECT_THROW(apply(AdamStep{}, list_of(Handle(whole), Handle(whole), Handle(whole), Handle(whole))), DTypeError);
}

}  // namespace
}  // namespace burn::ops::optim_test
