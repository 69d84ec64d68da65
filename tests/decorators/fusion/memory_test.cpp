// Temporaries of a segment lie in one block, and nobody sees that.
#include "fused.h"
#include "wrapped_device.h"

#include <burn/backends/ndarray/engine.h>
#include <burn/ops/conv.h>
#include <burn/ops/functions.h>
#include <burn/ops/linear.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>
#include <burn/ops/slice.h>
#include <burn/ops/softmax.h>
#include <burn/ops/sort.h>

#include <string>
#include <vector>

namespace burn::fusion::memory_test {
namespace {

using ops::Handle;

/// The processor's device, which notes the sizes of the blocks that it is asked for; it may have none for large ones.
class CountingDevice final : public WrappedDevice {
public:
    std::vector<std::int64_t> blocks;  ///< bytes
    int in_slab = 0;
    bool no_slab = false;

    Handle make_tensor(const TensorSpec& spec) override {
        if (no_slab && spec.dtype == DType::U8) raise(ErrorKind::OutOfMemory, Message() << "no room");
        blocks.push_back(spec.shape.numel() * static_cast<std::int64_t>(size_of(spec.dtype)));
        return WrappedDevice::make_tensor(spec);
    }
    Handle make_tensor_in(const Handle& slab, std::uint64_t place, const TensorSpec& spec) override {
        ++in_slab;
        return WrappedDevice::make_tensor_in(slab, place, spec);
    }
};

class Memory : public Fused {
protected:
    using Program = Handle (*)(const std::vector<Handle>&);

    /// What a program asks of the device, its values being those of NdArray; also where there is no room for a slab.
    static CountingDevice& run(const std::vector<TensorData>& inputs, Program program, double tolerance = 1e-5) {
        static ndarray::NdArrayEngine inner;
        static CountingDevice device;
        ops::Engine& engine = engine_over(inner, device);
        const auto run_on = [&](ops::Engine& on) {
            std::vector<Handle> handles;
            for (const TensorData& input : inputs) handles.push_back(on.upload(input));
            return values(program(handles));
        };
        const TensorData expected = run_on(NdArray::engine(0));
        for (const bool no_slab : {true, false}) {
            device.no_slab = no_slab;
            device.blocks.clear();
            device.in_slab = 0;
            const TensorData actual = run_on(engine);
            EXPECT_EQ(actual.shape(), expected.shape());
            for (std::int64_t i = 0; i < expected.numel(); ++i)
                EXPECT_NEAR(actual.at(i), expected.at(i), tolerance * (1 + std::abs(expected.at(i))))
                    << "element " << i;
        }
        return device;
    }
    static TensorData input(const Shape& shape) { return whole_numbers(shape); }
};

Handle layer(const Handle& x, const Handle& w) { return ops::tanh(ops::mul_scalar(ops::matmul(x, w), 1.0 / 64)); }

/// Adds a number for which more memory is needed first than for all else, so that the rest may share it as it likes.
Handle with_much(const Handle& result, const Handle& x) {
    const Handle number = ops::sum(ops::sort(ops::expand(x, {40, 40, 40}), 2), {0, 1, 2});
    return ops::add(result, ops::reshape(number, Dims::filled(result.shape().rank(), 1)));
}

TEST_F(Memory, EverySecondOfEightLayersLiesInOneBlock) {
    const auto program = [](const std::vector<Handle>& x) {
        Handle y = x[0];
        for (int i = 0; i < 8; ++i) y = layer(y, x[1]);
        return y;
    };
    const CountingDevice& device = run({input({30, 40}), input({40, 40})}, program);
    const std::int64_t layer_bytes = 4 * 30 * 40;
    // With two layers in it, it would be there beside the last two, and more memory needed than for two blocks.
    EXPECT_EQ(device.blocks, std::vector<std::int64_t>(5, layer_bytes));
    EXPECT_EQ(device.in_slab, 8) << "the product, and the epilogue's result in its place";
}

TEST_F(Memory, ViewsAndOperationsThatCannotBeFused) {
    const auto program = [](const std::vector<Handle>& x) {
        const Handle a = layer(x[0], x[1]), b = ops::permute(layer(a, x[1]), {1, 0});
        const Handle c = layer(b, layer(ops::permute(b, {1, 0}), x[1]));
        const Handle some = ops::slice(c, {{3, 33}, {0, 40, 2}}), other = ops::slice(c, {{0, 30}, {20, 40}});
        const Handle mixed = layer(ops::sort(ops::sub(some, other), 1),
                                   ops::matmul(ops::permute(some, {1, 0}), ops::slice(c, {{0, 30}, {0, 40}})));
        return with_much(ops::softmax(ops::matmul(mixed, ops::permute(a, {1, 0})), 1), x[0]);
    };
    const CountingDevice& device = run({input({40, 40}), input({40, 40})}, program);
    EXPECT_GT(device.in_slab, 4);
}

TEST_F(Memory, AReductionAndItsPartsBesideAConvolution) {
    const auto program = [](const std::vector<Handle>& x) {
        const ops::ConvOptions padded{.padding = {1, 1}};
        Handle y = x[0];
        for (int i = 0; i < 3; ++i) {
            const Handle p = ops::conv(y, x[1], padded);
            y = ops::relu(ops::sub(p, ops::mean(p, {0, 2, 3})));
        }
        return with_much(y, x[2]);
    };
    const CountingDevice& device = run({input({3, 4, 9, 9}), input({4, 4, 3, 3}), input({40, 40})}, program, 1e-4);
    EXPECT_GT(device.in_slab, 4);
}

/// The processor's device, which has no memory for tensors.
class FullDevice final : public WrappedDevice {
public:
    Handle make_tensor(const TensorSpec&) override { raise(ErrorKind::OutOfMemory, Message() << "no room"); }
};

TEST_F(Memory, AStepThatHasNoMemoryIsNamed) {
    static ndarray::NdArrayEngine inner;
    static FullDevice device;
    ops::Engine& engine = engine_over(inner, device);
    const auto error_of = [](const Handle& tensor) -> std::string {
        try {
            values(tensor);
            return "nothing";
        } catch (const OutOfMemoryError& error) {
            return error.what();
        }
    };
    const Handle x = engine.upload(input({40, 40}));
    EXPECT_EQ(error_of(ops::add_scalar(ops::exp(x), 1)), "fused [40, 40]: exp add_scalar; 1 in, 1 out: no room");
    EXPECT_EQ(error_of(layer(x, x)), "fused matmul + [40, 40]: mul_scalar tanh; 2 in, 1 out: no room");
}

}  // namespace
}  // namespace burn::fusion::memory_test
