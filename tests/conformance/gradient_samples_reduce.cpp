#include "tests/conformance/gradient_samples.h"

#include <burn/ops/reduce.h>
#include <burn/ops/scan.h>
#include <burn/ops/softmax.h>

namespace burn::conformance {

namespace {

template <class Op>
void sample_axes(GradientSamples& samples, const char* name) {
    for (const Dims& axes : {Dims{1}, Dims{-1}, Dims{0, 2}, Dims{0, 1, 2}, Dims{}}) {
        Op op;
        op.axes = axes;
        samples.push_back({std::string(name) + " over " + (Message() << "" << axes).text(), op, {reals({2, 3, 4})}});
    }
}

template <class Op>
void sample_axis(GradientSamples& samples, const char* name, int operands = 1) {
    for (std::int64_t axis : {0, 1, -1}) {
        Op op;
        op.axis = axis;
        GradientSample sample{std::string(name) + " along " + std::to_string(axis), op, {reals({2, 3, 4})}};
        if (operands == 2) sample.operands.push_back(reals({2, 3, 4}, -2, 2, 7));
        samples.push_back(std::move(sample));
    }
}

/// Products in which nothing, one or two factors are 0.
template <class Op>
void sample_zeros(GradientSamples& samples, Op op, const char* name) {
    samples.push_back(
        {std::string(name) + " with zeros",
         op,
         {TensorData::from(
             {{1.5, 0.0, -2.0, 0.5}, {0.0, 3.0, 0.0, 1.0}, {2.0, -1.0, 0.25, 3.0}, {0.0, 0.0, 0.0, 1.0}})}});
}

}  // namespace

void sample_reduce(GradientSamples& samples) {
    sample_axes<ops::Sum>(samples, "sum");
    sample_axes<ops::Mean>(samples, "mean");
    sample_axes<ops::Prod>(samples, "prod");
    sample_axes<ops::ProdOfOthers>(samples, "prod_of_others");
    sample_axes<ops::Max>(samples, "max");
    sample_axes<ops::Min>(samples, "min");
    ops::Prod prod;
    prod.axes = {1};
    sample_zeros(samples, prod, "prod");
    for (std::int64_t correction : {0, 1}) {
        for (const Dims& axes : {Dims{1}, Dims{0, 2}}) {
            samples.push_back({std::string("var over ") + (Message() << "" << axes).text(),
                               ops::Var{axes, correction},
                               {reals({2, 3, 4})}});
        }
    }

    sample_axis<ops::CumSum>(samples, "cumsum");
    sample_axis<ops::CumProd>(samples, "cumprod");
    sample_axis<ops::CumMax>(samples, "cummax");
    sample_axis<ops::CumMin>(samples, "cummin");
    sample_zeros(samples, ops::CumProd{1}, "cumprod");

    sample_axis<ops::Softmax>(samples, "softmax");
    samples.push_back({"quiet softmax", ops::Softmax{.axis = 1, .quiet = true}, {reals({2, 5})}});
    sample_axis<ops::LogSoftmax>(samples, "log_softmax");
    sample_axis<ops::SoftmaxGrad>(samples, "softmax_grad", 2);
    sample_axis<ops::LogSoftmaxGrad>(samples, "log_softmax_grad", 2);
}

}  // namespace burn::conformance
