// What follows a product or a convolution runs on its rows: one step, the values those of the operations one by one.
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
#include <burn/ops/slice.h>
#include <burn/ops/softmax.h>

#include <algorithm>
#include <vector>

namespace burn::fusion::epilogue_test {
namespace {

using ops::Handle;

class Epilogue : public Joined {};

TEST_F(Epilogue, LinearAndGeluAreOneStep) {
    for (const std::int64_t rows : {1, 5, 37, 300}) {
        const auto program = [](const Handles& x) { return ops::gelu(ops::linear(x[0], x[1], x[2])); };
        const std::string how = run({input({rows, 70}), input({70, 53}), input({53})}, program, 1e-6);
        const std::string expected = "fused linear + [" + std::to_string(rows) + ", 53]: gelu; 3 in, 1 out\n";
        EXPECT_EQ(how, expected);
    }
}

TEST_F(Epilogue, AProductWithBiasResidualAndScaleIsOneStep) {
    const auto program = [](const Handles& x) {
        return ops::mul_scalar(ops::relu(ops::add(ops::add(ops::matmul(x[0], x[1]), x[2]), x[3])), 0.5);
    };
    const auto residual = input({2, 3, 45, 31});
    EXPECT_EQ(run({input({2, 3, 45, 20}), input({1, 3, 20, 31}), input({1, 1, 1, 31}), residual}, program),
              "fused matmul + [2, 3, 45, 31]: add add relu mul_scalar; 4 in, 1 out\n");
}

TEST_F(Epilogue, ManyBlocksOfRowsColumnsAndDepth) {
    const auto program = [](const Handles& x) { return ops::relu(ops::add(ops::matmul(x[0], x[1]), x[2])); };
    for (const Shape& sizes : {Shape{515, 700, 67}, Shape{65, 130, 3300}, Shape{9000, 3, 17}}) {
        const std::string how =
            run({input({sizes[0], sizes[1]}), input({sizes[1], sizes[2]}), input({1, sizes[2]})}, program);
        EXPECT_EQ(count(how, "fused matmul + "), 1) << how;
        EXPECT_EQ(count(how, ""), 1) << how;
    }
}

TEST_F(Epilogue, AConvolutionWithBiasAndReluIsOneStep) {
    const ops::ConvOptions padded{.padding = {1, 1}};
    const auto program = [&](const Handles& x) { return ops::relu(ops::conv(x[0], x[1], x[2], padded)); };
    for (const std::int64_t batch : {1, 5}) {
        const std::string how = run({input({batch, 3, 11, 13}), input({7, 3, 3, 3}), input({7})}, program);
        EXPECT_EQ(count(how, "fused conv + "), 1) << how;
        EXPECT_EQ(count(how, "fused"), 1) << how;
    }
}

TEST_F(Epilogue, AResidualOfAnotherLayoutIsReadAlongItsPlanes) {
    const auto program = [](const Handles& x) {
        return ops::relu(ops::add(ops::conv(x[0], x[1], {}), ops::permute(x[2], {0, 1, 3, 2})));
    };
    const std::string how = run({input({2, 3, 9, 8}), input({5, 3, 2, 2}), input({2, 5, 7, 8})}, program);
    EXPECT_EQ(count(how, "fused conv + "), 1) << how;
}

TEST_F(Epilogue, SoftmaxAndLayerNormOfAProductsRowsAreOneStep) {
    const auto softmax = [](const Handles& x) { return ops::softmax(ops::matmul(x[0], x[1]), 1); };
    EXPECT_EQ(run({input({130, 9}), input({9, 77})}, softmax, 1e-5),
              "rows  matmul + [130, 77]: max sub exp sum div; 2 in, 1 out\n");
    const auto norm = [](const Handles& x) {
        return ops::layer_norm(ops::add(ops::linear(x[0], x[1]), x[2]), x[3], x[3], 1e-5);
    };
    const std::string how = run({input({6, 15, 9}), input({9, 40}), input({6, 15, 40}), input({40})}, norm, 1e-4);
    EXPECT_EQ(count(how, "rows  linear + [6, 15, 40]"), 1) << how;
    EXPECT_EQ(count(how, ""), 1) << how;
}

TEST_F(Epilogue, HeadsOfARowAreRowsOfTheirOwn) {
    const auto program = [](const Handles& x) {
        return ops::softmax(ops::reshape(ops::linear(x[0], x[1]), {10, 7, 4, 24}), 3);
    };
    const std::string how = run({input({70, 30}), input({30, 96})}, program, 1e-5);
    EXPECT_EQ(count(how, "rows  linear + [10, 7, 4, 24]"), 1) << how;
}

TEST_F(Epilogue, AProductThatIsHeldIsStoredToo) {
    const std::vector<TensorData> inputs{input({40, 20}), input({20, 33})};
    const auto results_on = [&](auto backend, std::string* how) {
        const Handles x = uploaded<decltype(backend)>(inputs);
        const Handle p = ops::matmul(x[0], x[1]), y = ops::neg(p);
        if (how != nullptr) *how = plan();
        return std::pair(values(p), values(y));
    };
    std::string how;
    const auto actual = results_on(Cpu{}, &how), expected = results_on(NdArray{}, nullptr);
    EXPECT_EQ(how, "fused matmul + [40, 33]: neg; 2 in, 1 out\n");
    for (std::int64_t i = 0; i < 40 * 33; ++i) {
        ASSERT_EQ(actual.first.at(i), expected.first.at(i)) << i;
        ASSERT_EQ(actual.second.at(i), expected.second.at(i)) << i;
    }
}

TEST_F(Epilogue, OthersMayReadTheProduct) {
    const auto program = [](const Handles& x) {
        const Handle p = ops::matmul(x[0], x[1]), positive = ops::relu(p);
        return ops::add(ops::matmul(p, x[2]), ops::matmul(positive, x[2]));
    };
    const std::string how = run({input({40, 20}), input({20, 33}), input({33, 18})}, program);
    EXPECT_EQ(count(how, "fused matmul + [40, 33]: relu"), 1) << how;
    EXPECT_EQ(count(how, "fused matmul + [40, 18]: add"), 1) << how;
    EXPECT_EQ(count(how, "run   matmul"), 1) << how;
}

/// The processor's device, which notes whether a kernel writes to an operand of the product that it follows.
class WatchingDevice final : public WrappedDevice {
public:
    int epilogues = 0, overwritten = 0;

    void run_into(const ops::AnyOp& op, ops::HandleList inputs, const Handle& result,
                  const compiler::Alongside& alongside) override {
        if (const compiler::RowKernel* epilogue = alongside.epilogue) {
            ++epilogues;
            for (const Handle& input : inputs) {
                // Its buffer is given once for reading; once more, and a result lies there.
                const auto& buffers = epilogue->launch.buffers;
                overwritten += std::count(buffers.begin(), buffers.end(), data(input)) > 1;
            }
        }
        WrappedDevice::run_into(op, std::move(inputs), result, alongside);
    }
};

TEST_F(Epilogue, AnOperandOfTheProductKeepsItsPlace) {
    // Nobody holds `given` at the end, and y has its shape; but rows of the product need it when rows of y are written.
    static ndarray::NdArrayEngine inner;
    static WatchingDevice device;
    ops::Engine& engine = engine_over(inner, device);
    const Handle x = engine.upload(input({40, 40}));
    Handle given = ops::add_scalar(x, 1);
    const Handle product = ops::matmul(x, given), y = ops::mul(product, std::move(given));
    const TensorData actual = values(y);
    EXPECT_EQ(device.epilogues, 1);
    EXPECT_EQ(device.overwritten, 0);
    const Handle x_there = NdArray::engine(0).upload(input({40, 40})), given_there = ops::add_scalar(x_there, 1);
    const TensorData expected = values(ops::mul(ops::matmul(x_there, given_there), given_there));
    for (std::int64_t i = 0; i < expected.numel(); ++i) ASSERT_EQ(actual.at(i), expected.at(i)) << i;
}

TEST_F(Epilogue, ViewsAndHalfTypes) {
    for (const DType dtype : {DType::F16, DType::BF16, DType::F64, DType::F32}) {
        const auto program = [](const Handles& x) {
            const Handle a = ops::permute(x[0], {1, 0});
            const Handle b = ops::slice(x[1], {{2, 32}, {0, 34, 2}});
            return ops::relu(ops::add(ops::matmul(a, b), ops::permute(x[2], {1, 0})));
        };
        // Sums of products of whole numbers stay below 256, so that they are exact in every type.
        const std::vector<TensorData> inputs{input({30, 21}, dtype), input({40, 34}, dtype), input({17, 21}, dtype)};
        const std::string how = run(inputs, program, dtype == DType::BF16 ? 1e-2 : 0);
        EXPECT_EQ(count(how, "fused matmul + [21, 17]"), 1) << how;
    }
    const auto cast = [](const Handles& x) { return ops::cast(ops::relu(ops::linear(x[0], x[1])), DType::BF16); };
    EXPECT_EQ(run({input({31, 5}), input({5, 35})}, cast), "fused linear + [31, 35]: relu cast; 2 in, 1 out\n");
}

TEST_F(Epilogue, SumsOfNothingAndResultsOfNothing) {
    const auto program = [](const Handles& x) { return ops::add_scalar(ops::matmul(x[0], x[1]), 3); };
    const std::string how = run({input({33, 0}), input({0, 20})}, program);
    EXPECT_EQ(count(how, "fused matmul + [33, 20]"), 1) << how;
    run({input({0, 4}), input({4, 20})}, program);
    run({input({33, 4}), input({4, 0})}, program);
}

TEST_F(Epilogue, AnIndexBeyondItsRowIsTheOperationsError) {
    const auto picked = [](ops::Engine& engine, std::int64_t index) {
        const Handle p = ops::matmul(engine.upload(input({5, 4})), engine.upload(input({4, 20})));
        const std::vector<std::int64_t> indices{0, 19, 7, index, 2};
        const Handle at = engine.upload(TensorData::from(std::span<const std::int64_t>(indices), {5, 1}));
        return ops::gather(ops::relu(p), 1, at);
    };
    const Handle good = picked(engine(), 3), bad = picked(engine(), 20);
    const TensorData expected = values(picked(NdArray::engine(0), 3));
    for (std::int64_t i = 0; i < 5; ++i) EXPECT_EQ(values(good).at(i), expected.at(i));
    EXPECT_THROW(values(bad), IndexError);
}

TEST_F(Epilogue, AnErrorBeforeTheProductReachesAllThatDependsOnIt) {
    const Handle x = engine().upload(input({5, 4})), w = engine().upload(input({4, 20}));
    const std::vector<std::int64_t> beyond{9};
    const Handle at = engine().upload(TensorData::from(std::span<const std::int64_t>(beyond), {1}));
    const Handle lost = ops::select(x, 0, at);
    const Handle p = ops::matmul(lost, w), y = ops::relu(p), fine = ops::relu(ops::matmul(x, w));
    const std::string how = plan();
    EXPECT_EQ(count(how, "fused matmul + "), 2) << how;
    EXPECT_THROW(values(p), IndexError);
    EXPECT_THROW(values(y), IndexError);
    EXPECT_NO_THROW(values(fine));
}

}  // namespace
}  // namespace burn::fusion::epilogue_test
