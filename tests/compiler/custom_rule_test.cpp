#include <burn/compiler/custom_rule.h>

#include "tests/compiler/custom_ops.h"
#include "tests/support/values.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/functions.h>
#include <burn/tensor/tensor.h>

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace burn::custom_rule_test {
namespace {

using testing::Access;
using testing::Builder;
using testing::kIndex;
using testing::Place;
using testing::Value;

/// What an operation's user can do wrong.
enum class Fault : std::uint8_t {
    None,
    InferenceThrows,
    InferenceRaises,
    TooManyResults,
    NegativeSize,
    NoDType,
    KernelThrows,
    KernelDoesNotVerify,
    MissingBuffer,
    WrongDType,
    WritesOperand,
    MissingScalar,
    NegativeCubes,
    NoCubes,
    OutOfBounds,
    RunTimeNumberAsConstant,
    GradientThrows,
    GradientOfWrongShape,
    DecompositionOfWrongShape,
};

/// x, with a fault.
struct Faulty {
    Fault fault = Fault::None;
    double number = 1;

    static constexpr custom::Info info{.name = "faulty", .inputs = 1};
    static void fields(auto& self, ops::FieldVisitor& visit) {
        visit.structural("fault", self.fault);
        visit.runtime("number", self.number);
    }

    SpecList infer(std::span<const TensorSpec> inputs) const {
        switch (fault) {
            case Fault::InferenceThrows: throw std::runtime_error("no such file");
            case Fault::InferenceRaises: raise(ErrorKind::Index, Message() << "7 is too far");
            case Fault::TooManyResults: return {inputs[0], inputs[0]};
            case Fault::NegativeSize: return {{Shape{-1}, DType::F32}};
            case Fault::NoDType: return {{inputs[0].shape, static_cast<DType>(99)}};
            default: return {inputs[0]};
        }
    }
    custom::Launch kernel(const custom::Call& call) const {
        if (fault == Fault::KernelThrows) throw 7;
        Builder k("copy");
        const DType dtype = fault == Fault::WrongDType ? DType::F64 : DType::F32;
        const Place x = k.buffer(DType::F32, fault == Fault::WritesOperand ? Access::ReadWrite : Access::Read);
        if (fault == Fault::MissingBuffer) return {k.finish(), 1};
        const Place y = k.buffer(dtype, Access::Write);
        const Value i = k.cube_index();
        if (fault == Fault::MissingScalar) return {k.finish(), 1};
        const Value factor = k.scalar(dtype);
        const Value element = x.load(fault == Fault::OutOfBounds ? i + 1000 : i);
        if (fault == Fault::RunTimeNumberAsConstant) {
            y.store(i, element * number);
        } else {
            y.store(i, fault == Fault::WrongDType ? cast(element, DType::F64) : element * factor);
        }
        custom::Launch launch{k.finish(), call.inputs[0].shape.numel()};
        if (fault == Fault::NegativeCubes) launch.cubes = -2;
        if (fault == Fault::NoCubes) launch.cubes = 0;
        if (fault == Fault::KernelDoesNotVerify)
            launch.kernel.blocks[0].pop_back(), launch.kernel.blocks[0].push_back(99);
        return launch;
    }
    void gradient(ops::GradScope& scope) const {
        if (fault == Fault::GradientThrows) throw std::out_of_range("map::at");
        scope.dx(0) = fault == Fault::GradientOfWrongShape ? ops::full_like(scope.dy(), 1) : scope.dy();
        if (fault == Fault::GradientOfWrongShape) scope.dx(0) = ops::cast(scope.dx(0), DType::F64);
    }
};

/// The error of a use on a backend, as "Kind: text"; what was computed before and after it stays right.
template <class B>
std::string error_of(Faulty op, bool tracked = false) {
    using Tracked = Autodiff<B>;
    std::string text = "none";
    const auto x = Tensor<Tracked, 1>::from({1.0, 2.0}, {});
    const auto before = x + x;
    try {
        const auto operand = tracked ? x.require_grad() : x;
        const auto y = custom::apply<Tensor<Tracked, 1>>(op, operand);
        if (tracked) y.sum().backward();
        y.to_data();
    } catch (const Error& error) {
        text = std::string(error_name(error.kind())) + ": " + error.what();
    }
    EXPECT_EQ(values(before), (std::vector<double>{2, 4}));
    EXPECT_EQ(values(custom::apply<Tensor<Tracked, 1>>(Faulty{}, before)), (std::vector<double>{2, 4}));
    return text;
}

/// The same text on every backend, raised by the call itself: nothing is read.
std::string error_at_call(Fault fault) {
    std::string text = "none";
    const auto x = Tensor<Cpu, 1>::from({1.0, 2.0}, {});
    try {
        custom::apply(Faulty{fault}, x);
    } catch (const Error& error) {
        text = std::string(error_name(error.kind())) + ": " + error.what();
    }
    EXPECT_EQ(error_of<NdArray>({fault}), text);
    EXPECT_EQ(error_of<Cpu>({fault}), text);
    return text;
}

TEST(CustomRule, NamesTheOperationWhenItsInferenceFails) {
    EXPECT_EQ(error_at_call(Fault::InferenceThrows), "ArgumentError: faulty: its inference threw: no such file");
    EXPECT_EQ(error_at_call(Fault::InferenceRaises), "IndexError: faulty: 7 is too far");
}

TEST(CustomRule, RefusesImpossibleResults) {
    EXPECT_EQ(error_at_call(Fault::TooManyResults),
              "ArgumentError: faulty: its inference gives 2 results; expected 1, as its info says");
    EXPECT_EQ(error_at_call(Fault::NegativeSize).substr(0, 19), "ShapeError: faulty:");
    EXPECT_EQ(error_at_call(Fault::NoDType), "DTypeError: faulty: its inference gives a result of no dtype: 99");
}

TEST(CustomRule, RefusesKernelsThatDoNotFitTheCall) {
    EXPECT_EQ(error_at_call(Fault::KernelThrows), "ArgumentError: faulty: its kernel threw what is no std::exception");
    EXPECT_EQ(error_at_call(Fault::KernelDoesNotVerify),
              "ArgumentError: faulty: its kernel: kernel copy: %99: does not exist");
    EXPECT_EQ(error_at_call(Fault::MissingBuffer),
              "ArgumentError: faulty: its kernel has 1 buffers; expected 2: operands 1, results 1");
    EXPECT_EQ(error_at_call(Fault::WrongDType),
              "DTypeError: faulty: its kernel has as buffer 1 f64 write; expected f32 write, result 0");
    EXPECT_EQ(error_at_call(Fault::WritesOperand),
              "ArgumentError: faulty: its kernel has as buffer 0 f32 readwrite; expected f32 read, operand 0");
    EXPECT_EQ(error_at_call(Fault::MissingScalar),
              "ArgumentError: faulty: its kernel has 0 scalars; expected 1: of the launch 0, run-time attributes 1");
    EXPECT_EQ(error_at_call(Fault::NegativeCubes), "ArgumentError: faulty: its kernel runs on -2 cubes");
}

TEST(CustomRule, NamesTheOperationWhenItsGradientFails) {
    for (const auto error : {error_of<NdArray>, error_of<Cpu>}) {
        EXPECT_EQ(error({Fault::GradientThrows}, true), "ArgumentError: faulty: its gradient threw: map::at");
        EXPECT_EQ(error({Fault::GradientOfWrongShape}, true),
                  "ShapeError: faulty: its gradient of operand 0 is f64 [2]; expected f32 [2]");
        EXPECT_EQ(error({Fault::None}, true), "none");
    }
}

/// x plus two numbers: one of the launch, one given at run time.
struct PlusBytes {
    double of_launch = 0;
    std::int64_t at_run_time = 0;

    static constexpr custom::Info info{.name = "plus_bytes", .inputs = 1};
    static void fields(auto& self, ops::FieldVisitor& visit) {
        visit.structural("of_launch", self.of_launch);
        visit.runtime("at_run_time", self.at_run_time);
    }

    SpecList infer(std::span<const TensorSpec> inputs) const { return {inputs[0]}; }
    custom::Launch kernel(const custom::Call& call) const {
        Builder k("plus_bytes");
        const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
        const Value a = k.scalar(DType::U8), b = k.scalar(DType::I8), i = k.cube_index();
        y.store(i, x.load(i) + cast(a, DType::F32) + cast(b, DType::F32));
        return {k.finish(), call.inputs[0].shape.numel(), {of_launch}};
    }
};

template <class B>
std::string sum_with_bytes(double of_launch, std::int64_t at_run_time) {
    const auto x = Tensor<B, 1>::from({1.0}, {});
    try {
        const auto y = custom::apply<Tensor<B, 1>>(PlusBytes{of_launch, at_run_time}, x);
        return std::to_string(static_cast<int>(values(y)[0]));
    } catch (const DTypeError& error) {
        return error.what();
    }
}

TEST(CustomRule, RefusesNumbersThatDoNotFitTheirType) {
    for (const auto sum : {sum_with_bytes<NdArray>, sum_with_bytes<CpuEager>, sum_with_bytes<Cpu>}) {
        EXPECT_EQ(sum(200, -100), "101");
        EXPECT_EQ(sum(0.5, 0), "plus_bytes: the scalar 0.5 does not fit u8; expected a whole number from 0 to 255");
        EXPECT_EQ(sum(1, 300), "plus_bytes: the scalar 300 does not fit i8; expected a whole number from -128 to 127");
    }
}

/// x, with a gradient that asks for what an operation of one operand and one result does not have.
template <class Ask, ops::Saves kSaves>
struct Beyond {
    static constexpr custom::Info info{.name = "beyond", .inputs = 1, .saves = kSaves};

    SpecList infer(std::span<const TensorSpec> inputs) const { return {inputs[0]}; }
    ops::HandleList decompose(ops::HandleList inputs) const { return inputs; }
    void gradient(ops::GradScope& scope) const {
        scope.dx(0) = scope.dy();
        Ask{}(scope);
    }
};

/// The error of a gradient that does `Ask`.
template <ops::Saves kSaves = ops::Saves{~0u, ~0u}, class Ask>
std::string gradient_error(Ask) {
    using B = Autodiff<NdArray>;
    const auto x = Tensor<B, 1>::from({1.0, 2.0}, {}).require_grad();
    try {
        custom::apply<Tensor<B, 1>>(Beyond<Ask, kSaves>{}, x).sum().backward();
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return "none";
}

TEST(CustomRule, RefusesGradientsOfWhatIsNotThere) {
    using Scope = ops::GradScope;
    const std::string operand = "beyond: its gradient asks for operand 1; there are 1, counted from 0";
    const std::string result = "beyond: its gradient asks for result 1; there are 1, counted from 0";
    EXPECT_EQ(gradient_error([](Scope& scope) { scope.dx(0) = scope.input(1); }), operand);
    EXPECT_EQ(gradient_error([](Scope& scope) { scope.dx(1) = scope.dy(); }), operand);
    EXPECT_EQ(gradient_error([](Scope& scope) { scope.dx(1, {}) = scope.dy(); }), operand);
    EXPECT_EQ(gradient_error([](Scope& scope) { scope.input_spec(1); }), operand);
    EXPECT_EQ(gradient_error([](Scope& scope) { scope.dx(0) = scope.output(1); }), result);
    EXPECT_EQ(gradient_error([](Scope& scope) { scope.dx(0) = scope.dy(1); }), result);
    EXPECT_EQ(gradient_error([](Scope& scope) { scope.output_spec(1); }), result);
    EXPECT_EQ(gradient_error<ops::Saves::output()>([](Scope& scope) { scope.dx(0) = scope.input(0); }),
              "beyond: its gradient reads operand 0, which its info does not save");
}

TEST(CustomRule, RefusesAWrongNumberOfOperands) {
    const auto x = Tensor<NdArray, 1>::from({1.0, 2.0}, {});
    EXPECT_THROW(custom::apply(Faulty{}, x, x), ArgumentError);
    EXPECT_THROW(custom::apply(Faulty{}), ArgumentError);
    EXPECT_THROW(custom::apply(Faulty{}, ops::Handle()), ArgumentError);
}

TEST(CustomRule, FindsAnAccessOutOfBoundsWhereKernelsAreInterpreted) {
    EXPECT_EQ(error_of<NdArray>({Fault::OutOfBounds}).substr(0, 38), "IndexError: faulty: its kernel: kernel");
}

// A run-time attribute as a constant would be that of the first call for ever: it is NaN from the first call on instead.
TEST(CustomRule, SpoilsRunTimeAttributesThatAKernelHasAsConstants) {
    const auto x = Tensor<NdArray, 1>::from({1.0, 2.0}, {});
    const auto y = custom::apply<Tensor<NdArray, 1>>(Faulty{Fault::RunTimeNumberAsConstant, 3}, x);
    for (const double value : values(y)) EXPECT_TRUE(std::isnan(value));
}

TEST(CustomRule, ShowsWhatAnInterpretedKernelDoesNotWrite) {
    const auto x = Tensor<NdArray, 1>::from({1.0, 2.0}, {});
    for (const double value : values(custom::apply<Tensor<NdArray, 1>>(Faulty{Fault::NoCubes}, x)))
        EXPECT_TRUE(std::isnan(value));
}

TEST(CustomRule, KeepsABoundedNumberOfKernels) {
    const auto written_for = [](std::int64_t count) {
        const int before = testing::Cubed::written;
        custom::apply(testing::Cubed{}, Tensor<NdArray, 1>::zeros({count}, {}));
        return testing::Cubed::written - before;
    };
    written_for(2000);
    EXPECT_EQ(written_for(2000), 0);
    for (std::int64_t i = 1; i <= static_cast<std::int64_t>(custom::Rule::kCapacity); ++i) written_for(2000 + i);
    EXPECT_EQ(written_for(2001), 0);
    EXPECT_EQ(written_for(2000), 1);
}

}  // namespace
}  // namespace burn::custom_rule_test
