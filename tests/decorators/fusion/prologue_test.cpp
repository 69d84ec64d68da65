// What feeds a product or a convolution is made some rows at a time: one step, the values those of the operations one by one.
#include "joined.h"
#include "wrapped_device.h"

#include <burn/backends/ndarray/engine.h>
#include <burn/ops/cast.h>
#include <burn/ops/conv.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/linear.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/norm.h>
#include <burn/ops/softmax.h>

#include <vector>

namespace burn::fusion::prologue_test {
namespace {

using ops::Handle;

class Prologue : public Joined {};

TEST_F(Prologue, ReluAndLinearAreOneStep) {
    for (const std::int64_t rows : {1, 5, 37, 300}) {
        const auto program = [](const Handles& x) { return ops::linear(ops::relu(x[0]), x[1], x[2]); };
        const std::string how = run({input({rows, 70}), input({70, 53}), input({53})}, program);
        EXPECT_EQ(how, "fused [" + std::to_string(rows) + ", 70]: relu + linear; 3 in, 1 out\n");
    }
}

TEST_F(Prologue, TogetherWithAnEpilogue) {
    const auto program = [](const Handles& x) {
        return ops::relu(ops::add(ops::matmul(ops::mul(x[0], x[1]), x[2]), x[3]));
    };
    const std::string how = run({input({45, 20}), input({1, 20}), input({20, 31}), input({45, 31})}, program);
    EXPECT_EQ(how, "fused [45, 20]: mul + matmul + [45, 31]: add relu; 4 in, 1 out\n");
}

TEST_F(Prologue, ALargeOperandIsMadeInBlocks) {
    // 6 MB; the sums are whole numbers below 2^24.
    const auto program = [](const Handles& x) {
        return ops::relu(ops::add(ops::linear(ops::mul(ops::relu(x[0]), x[1]), x[2]), x[3]));
    };
    const std::string how =
        run({input({3, 1001, 500}), input({3, 1001, 1}), input({500, 33}), input({3, 1001, 33})}, program);
    EXPECT_EQ(how, "fused [3, 1001, 500]: relu mul + linear + [3, 1001, 33]: add relu; 4 in, 1 out\n");
}

TEST_F(Prologue, RowsThatAreNormalised) {
    const auto norm = [](const Handles& x) { return ops::linear(ops::layer_norm(x[0], x[1], x[2], 1e-5), x[3], x[4]); };
    for (const std::int64_t rows : {40, 2100}) {
        const std::vector<TensorData> inputs{input({rows, 600}), input({600}), input({600}), input({600, 20}),
                                             input({20})};
        const std::string how = run(inputs, norm, 1e-4);
        EXPECT_EQ(count(how, ""), 1) << how;
        EXPECT_NE(how.find(" + linear; 5 in, 1 out"), std::string::npos) << how;
    }
    const auto weights = [](const Handles& x) { return ops::matmul(ops::softmax(x[0], 2), x[1]); };
    const std::string how = run({input({4, 30, 48}), input({1, 48, 10})}, weights, 1e-5);
    EXPECT_EQ(how, "rows  [4, 30, 48]: max sub exp sum div + matmul; 2 in, 1 out\n");
}

TEST_F(Prologue, ImagesOfAConvolution) {
    const ops::ConvOptions padded{.padding = {1, 1}};
    const auto program = [&](const Handles& x) {
        return ops::relu(ops::conv(ops::relu(ops::add_scalar(x[0], 1)), x[1], x[2], padded));
    };
    for (const std::int64_t batch : {1, 3, 61}) {  // the last are 7 MB
        const Shape shape{batch, 8, 60, 60};
        const std::string how = run({input(shape), input({6, 8, 3, 3}), input({6})}, program);
        EXPECT_EQ(count(how, ""), 1) << how;
        EXPECT_NE(how.find("add_scalar relu + conv + "), std::string::npos) << how;
    }
}

TEST_F(Prologue, ViewsAndOtherTypes) {
    for (const DType dtype : {DType::F16, DType::BF16, DType::F64, DType::F32}) {
        const auto program = [](const Handles& x) {
            return ops::matmul(ops::relu(ops::permute(x[0], {1, 0})), ops::permute(x[1], {1, 0}));
        };
        // Sums of products of whole numbers stay below 256, so that they are exact in every type.
        const std::string how = run({input({20, 31}, dtype), input({9, 20}, dtype)}, program);
        EXPECT_EQ(how, "fused [31, 20]: relu + matmul; 2 in, 1 out\n");
    }
    const auto cast = [](const Handles& x) { return ops::linear(ops::cast(x[0], DType::F32), x[1]); };
    EXPECT_EQ(run({input({31, 20}, DType::BF16), input({20, 35})}, cast),
              "fused [31, 20]: cast + linear; 2 in, 1 out\n");
    const auto integers = [](const Handles& x) { return ops::matmul(ops::abs(x[0]), x[1]); };
    EXPECT_EQ(run({input({31, 20}, DType::I32), input({20, 5}, DType::I32)}, integers),
              "fused [31, 20]: abs + matmul; 2 in, 1 out\n");
}

TEST_F(Prologue, ABatchOfProductsHasNone) {
    const auto program = [](const Handles& x) { return ops::matmul(ops::relu(x[0]), x[1]); };
    const std::string how = run({input({3, 30, 20}), input({3, 20, 11})}, program);
    EXPECT_EQ(count(how, "run   matmul"), 1) << how;
}

TEST_F(Prologue, TheOperandIsNeverMade) {
    class CountingDevice final : public WrappedDevice {
    public:
        std::vector<TensorSpec> made;
        Handle make_tensor(const TensorSpec& spec) override {
            made.push_back(spec);
            return WrappedDevice::make_tensor(spec);
        }
    };
    static ndarray::NdArrayEngine inner;
    static CountingDevice device;
    ops::Engine& engine = engine_over(inner, device);
    const Handle x = engine.upload(input({300, 40})), w = engine.upload(input({40, 20}));
    const Handle y = ops::relu(ops::matmul(ops::exp(x), w));
    values(y);
    ASSERT_EQ(device.made.size(), 1u) << "the result; the product lies there first";
    EXPECT_EQ(device.made[0], (TensorSpec{{300, 20}, DType::F32}));
}

TEST_F(Prologue, AnErrorBeforeItReachesWhatDependsOnIt) {
    const Handle x = engine().upload(input({5, 20})), w = engine().upload(input({20, 20}));
    const std::vector<std::int64_t> beyond{9};
    const Handle at = engine().upload(TensorData::from(std::span<const std::int64_t>(beyond), {1}));
    const Handle lost = ops::select(x, 0, at);
    const Handle p = ops::matmul(ops::relu(lost), w), fine = ops::matmul(ops::relu(x), w);
    const std::string how = plan();
    EXPECT_EQ(count(how, "fused [1, 20]: relu + matmul"), 1) << how;
    EXPECT_EQ(count(how, "fused [5, 20]: relu + matmul"), 1) << how;
    EXPECT_THROW(values(p), IndexError);
    EXPECT_NO_THROW(values(fine));
}

}  // namespace
}  // namespace burn::fusion::prologue_test
