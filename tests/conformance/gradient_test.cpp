// Gradients against central differences in f64, for every operation that has one; and the gradients of gradients.
#include "tests/conformance/gradient_check.h"

#include <burn/ops/pointwise.h>

#include <gtest/gtest.h>

#include <set>

namespace burn::conformance::gradient_test {
namespace {

class Gradient : public testing::TestWithParam<const char*> {};

TEST_P(Gradient, AgreesWithCentralDifferences) {
    for (const GradientSample& sample : gradient_samples()) {
        EXPECT_EQ(check_gradient(*find_backend(GetParam()), sample), "") << sample.op.name() << ": " << sample.what;
    }
}

TEST_P(Gradient, HasAGradientThatAgreesWithCentralDifferences) {
    for (const GradientSample& sample : gradient_samples()) {
        EXPECT_EQ(check_second_gradient(*find_backend(GetParam()), sample), "")
            << sample.op.name() << ": " << sample.what;
    }
}

TEST_P(Gradient, AddsToWhatOtherUsesGive) {
    for (const GradientSample& sample : gradient_samples()) {
        EXPECT_EQ(check_accumulation(*find_backend(GetParam()), sample), "") << sample.op.name() << ": " << sample.what;
    }
}

std::vector<const char*> backend_names() {
    std::vector<const char*> names;
    for (const TestedBackend& backend : tested_backends()) names.push_back(backend.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Op, Gradient, testing::ValuesIn(backend_names()),
                         [](const auto& info) { return std::string(info.param); });

TEST(GradientSamples, CoverEveryOperationWithAGradient) {
    std::set<std::string> sampled;
    for (const GradientSample& sample : gradient_samples()) sampled.insert(sample.op.name());
    ops::for_each_op_class(
        [](const ops::OpClass& op, void* context) {
            if (op.gradient == nullptr) return;
            EXPECT_EQ(static_cast<std::set<std::string>*>(context)->count(op.info.name), 1u)
                << op.info.name << " has a gradient, but no sample in tests/conformance/gradient_samples_*.cpp";
        },
        &sampled);
}

// The check itself: a wrong gradient does not pass.
TEST(GradientCheck, SeesAWrongGradient) {
    // At the kink of |x| the central difference is 0 and the gradient sign(0) = 0, just beside it they differ by 1/2 and more.
    ops::PointwiseOp<ops::OpCode::abs> op;
    const TestedBackend& backend = tested_backends()[0];
    EXPECT_EQ(check_gradient(backend, {"abs away from 0", op, {TensorData::from({1.0, -1.0})}}), "");
    EXPECT_NE(check_gradient(backend, {"abs near 0", op, {TensorData::from({1e-6, -1.0})}}), "");
}

}  // namespace
}  // namespace burn::conformance::gradient_test
