// Every mistake in a call is a typed error whose text begins with the operation's name.
#include "tests/conformance/backends.h"
#include "tests/conformance/pointwise_table.h"
#include "tests/conformance/wrong_calls.h"

#include <burn/ops/engine.h>

#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <set>

namespace burn::conformance::wrong_argument_test {
namespace {

/// Expects an error of that kind, "name: ..." with what the regular expression wants.
void expect_error(const std::string& name, ErrorKind kind, const std::string& message,
                  const std::function<void()>& call) {
    try {
        call();
        ADD_FAILURE() << name << ": the call was accepted; expected " << error_name(kind) << ", " << message;
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_STREQ(error_name(error.kind()), error_name(kind)) << text;
        EXPECT_EQ(text.rfind(name + ": ", 0), 0u) << '"' << text << "\" does not begin with \"" << name << ": \"";
        EXPECT_TRUE(std::regex_search(text, std::regex(message)))
            << '"' << text << "\" does not say \"" << message << '"';
    }
}

TEST(WrongArguments, OfStructuredOperationsAreTyped) {
    for (const WrongCall& wrong : wrong_calls()) {
        expect_error(wrong.op.name(), wrong.kind, wrong.message, [&] { ops::AnyOp(wrong.op).infer(wrong.operands); });
    }
}

TEST(WrongArguments, AreListedForEveryStructuredOperation) {
    std::set<std::string> listed(std::begin(kAcceptEverything), std::end(kAcceptEverything));
    for (const WrongCall& wrong : wrong_calls()) listed.insert(wrong.op.name());
    ops::for_each_op_class(
        [](const ops::OpClass& op, void* context) {
            if (ops::is_pointwise(op.code)) return;
            EXPECT_EQ(static_cast<std::set<std::string>*>(context)->count(op.info.name), 1u)
                << op.info.name << " has no wrong call in tests/conformance/wrong_calls.cpp";
        },
        &listed);
}

/// A type that the operation takes, and operands of it.
DType right_type(ops::Types types) {
    switch (types) {
        case ops::Types::Int: return DType::I32;
        case ops::Types::Bool: return DType::Bool;
        default: return DType::F32;
    }
}

std::vector<TensorSpec> right_operands(const ops::PointwiseInfo& info) {
    std::vector<TensorSpec> operands(static_cast<std::size_t>(info.operands),
                                     TensorSpec{{2, 3}, right_type(info.types)});
    if (info.types == ops::Types::MaskAny) operands[0].dtype = DType::Bool;
    return operands;
}

void infer(const PointwiseLine& line, const std::vector<TensorSpec>& operands, Scalar s = 1) {
    line.infer(operands, {s, s});
}

TEST(WrongArguments, OfPointwiseOperationsFollowFromTheTable) {
    for (const PointwiseLine& line : pointwise_lines()) {
        const ops::PointwiseInfo& info = line.info;
        const std::string name = info.op.name;
        const std::vector<TensorSpec> right = right_operands(info);
        EXPECT_NO_THROW(infer(line, right)) << name;

        std::vector<TensorSpec> wrong = right;
        wrong.push_back(right.back());
        expect_error(name, ErrorKind::Argument, "operands; expected " + std::to_string(info.operands),
                     [&] { infer(line, wrong); });

        for (DType dtype : {DType::F32, DType::I32, DType::Bool}) {
            const bool taken = info.types == ops::Types::Any || info.types == ops::Types::MaskAny ||
                               dtype == right_type(info.types) ||
                               (info.types == ops::Types::Numeric && dtype != DType::Bool);
            if (taken) continue;
            wrong = right;
            for (TensorSpec& operand : wrong) operand.dtype = dtype;
            expect_error(name, ErrorKind::DType, std::string("is ") + name_of(dtype) + "; expected",
                         [&] { infer(line, wrong); });
        }
        if (info.operands > 1) {
            wrong = right;
            wrong[1].shape = {2, 4};
            expect_error(name, ErrorKind::Shape,
                         "shapes do not broadcast: \\[2, [34]\\] and \\[2, [34]\\] differ on axis 1",
                         [&] { infer(line, wrong); });
            wrong[1].shape = {3};
            expect_error(name, ErrorKind::Shape, "ranks differ", [&] { infer(line, wrong); });
        }
        if (info.types == ops::Types::MaskAny) {
            wrong = right;
            wrong[0].dtype = DType::I32;
            expect_error(name, ErrorKind::DType, "the mask is i32; expected bool", [&] { infer(line, wrong); });
        } else if (info.operands > 1 && info.types != ops::Types::Bool) {
            wrong = right;
            wrong[1].dtype = info.types == ops::Types::Int ? DType::I64 : DType::F16;
            expect_error(name, ErrorKind::DType, "dtypes differ", [&] { infer(line, wrong); });
        }
        if (info.scalars > 0 && info.types != ops::Types::Float) {
            wrong = right;
            wrong.back().dtype = DType::I32;
            const std::string expected = "; expected a whole number from -2147483648 to 2147483647";
            expect_error(name, ErrorKind::DType, "the scalar 0.5 does not fit i32" + expected,
                         [&] { infer(line, wrong, 0.5); });
            expect_error(name, ErrorKind::DType, "the scalar 2147483648 does not fit i32" + expected,
                         [&] { infer(line, wrong, INT64_C(1) << 31); });
        }
    }
}

TEST(WrongArguments, OperandsMustBeThereAndOnOneDevice) {
    const TestedBackend& backend = tested_backends()[0];
    const auto lift = [](ops::Engine& engine) { return engine.upload(TensorData::from({1.0f})); };
    const PointwiseLine& add = *find_pointwise("add");
    expect_error("add", ErrorKind::Argument, "the first operand is empty",
                 [&] { add.apply({ops::Handle(), ops::Handle()}, {}); });
    expect_error("add", ErrorKind::Argument, "an operand is empty",
                 [&] { add.apply({lift(backend.plain()), ops::Handle()}, {}); });
    expect_error("add", ErrorKind::Device, "operands live on different devices: ndarray and autodiff\\(ndarray\\)",
                 [&] { add.apply({lift(backend.plain()), lift(backend.autodiff())}, {}); });
}

}  // namespace
}  // namespace burn::conformance::wrong_argument_test
