#pragma once

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/fusion/fusion.h>
#include <burn/ops/engine.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace burn::fusion {

/// Tests of programs on Cpu that look at how they were planned.
class Fused : public testing::Test {
protected:
    void SetUp() override {
        if (cpu::code_generator() == nullptr) GTEST_SKIP() << "no kernels here: " << cpu::why_no_code_generator();
        flush_and_describe(engine());
    }

    static ops::Engine& engine() { return Cpu::engine(0); }

    /// Runs what was recorded; how, a line a step.
    static std::string plan() { return flush_and_describe(engine()); }

    /// How many lines of a plan start with `word`.
    static int count(const std::string& plan, const std::string& word) {
        int lines = 0;
        for (std::size_t at = 0; at < plan.size(); at = plan.find('\n', at) + 1)
            lines += plan.compare(at, word.size(), word) == 0 ? 1 : 0;
        return lines;
    }

    /// The numbers 0, 1, ..., 10 over and over, less 5: sums of them are whole numbers, so exact.
    static TensorData whole_numbers(const Shape& shape, DType dtype = DType::F32) {
        std::vector<float> numbers(static_cast<std::size_t>(shape.numel()));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>((i * 7 + i / 11) % 11) - 5;
        return TensorData::from(std::span<const float>(numbers), shape).convert(dtype);
    }

    static std::string text_of(const Dims& dims) {
        Message text;
        text << dims;
        return text.text();
    }

    static TensorData values(const ops::Handle& tensor) { return tensor.engine().read(tensor).wait(); }

    /// Runs a program on Cpu and on NdArray: the results are equal element for element, but for `tolerance` times 1 + |result|.
    static void expect_near(const TensorData& x, const std::function<ops::Handle(ops::Handle)>& program,
                            double tolerance) {
        const TensorData fused = values(program(engine().upload(x)));
        const TensorData expected = values(program(NdArray::engine(0).upload(x)));
        ASSERT_EQ(fused.shape(), expected.shape());
        for (std::int64_t i = 0; i < expected.numel(); ++i)
            ASSERT_NEAR(fused.at(i), expected.at(i), tolerance * (1 + std::abs(expected.at(i)))) << "element " << i;
    }
    static void expect_same(const TensorData& x, const std::function<ops::Handle(ops::Handle)>& program) {
        expect_near(x, program, 0);
    }
};

}  // namespace burn::fusion
