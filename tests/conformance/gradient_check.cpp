#include "tests/conformance/gradient_check.h"

#include <burn/core/philox.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/create.h>
#include <burn/ops/functions.h>
#include <burn/ops/reduce.h>

#include <cmath>
#include <cstdio>
#include <functional>

namespace burn::conformance {

namespace {

using Operands = std::vector<TensorData>;

constexpr double kStep = 1e-5;
/// Truncation is about h^2 = 1e-10, rounding about 1e-16 / h = 1e-11, both times values and derivatives of some size.
constexpr double kRelative = 1e-6;
constexpr double kAbsolute = 1e-7;

bool is_differentiated(const TensorData& data) { return data.dtype() == DType::F64; }

/// Weights between 0.5 and 1.5, other ones for every tensor.
TensorData weights(const Shape& shape, std::uint64_t seed) { return reals(shape, 0.5, 1.5, 1000 + seed); }

/// sum over all floating results of sum(w * y); empty when there is nothing to sum.
ops::Handle weighted_sum(ops::Engine& engine, const ops::HandleList& results) {
    ops::Handle loss;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i] || results[i].dtype() != DType::F64) continue;
        const ops::Handle weight = engine.upload(weights(results[i].shape(), i));
        ops::Handle part = ops::sum_all(ops::mul(results[i], weight));
        loss = loss ? ops::add(std::move(loss), std::move(part)) : std::move(part);
    }
    return loss;
}

double value_of(const ops::Handle& scalar) { return scalar.engine().read(scalar).wait().at(0); }

double loss_at(ops::Engine& engine, const GradientSample& sample, const Operands& operands) {
    ops::HandleList inputs;
    for (const TensorData& data : operands) inputs.push_back(engine.upload(data));
    return value_of(weighted_sum(engine, ops::apply(sample.op, std::move(inputs))));
}

struct Tracked {
    ops::HandleList leaves;
    ops::Handle loss;
};

/// Runs the sample with every floating operand tracked. `lift` brings an operand to the engine.
Tracked run_tracked(ops::Engine& engine, const GradientSample& sample,
                    const std::function<ops::Handle(std::size_t)>& lift) {
    Tracked run;
    for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        ops::Handle operand = lift(i);
        run.leaves.push_back(is_differentiated(sample.operands[i]) ? autodiff::require_grad(std::move(operand))
                                                                   : std::move(operand));
    }
    run.loss = weighted_sum(engine, ops::apply(sample.op, run.leaves));
    return run;
}

/// The gradients of the loss, one an operand; empty handles for operands that are not differentiated, or on which nothing
/// depends.
ops::HandleList gradients_of(const Tracked& run, const GradientSample& sample) {
    ops::HandleList result(sample.operands.size());
    if (!autodiff::is_tracked(run.loss)) return result;  // constant, as the product of no factors is
    const autodiff::Gradients gradients = autodiff::backward(run.loss);
    for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        if (is_differentiated(sample.operands[i])) result[i] = gradients.get(run.leaves[i]);
    }
    return result;
}

double weighted_gradient_at(ops::Engine& engine, const GradientSample& sample, const Operands& operands) {
    const Tracked run = run_tracked(engine, sample, [&](std::size_t i) { return engine.upload(operands[i]); });
    const ops::Handle sum = weighted_sum(*engine.inner(), gradients_of(run, sample));
    return sum ? value_of(sum) : 0;
}

/// (f(x + h) - f(x - h)) / 2h for one element of one operand.
double central_difference(const GradientSample& sample, std::size_t operand, std::size_t element,
                          const std::function<double(const Operands&)>& f) {
    Operands moved = sample.operands;
    const double x = moved[operand].values<double>()[element];
    moved[operand].mutable_values<double>()[element] = x + kStep;
    const double above = f(moved);
    moved[operand].mutable_values<double>()[element] = x - kStep;
    return (above - f(moved)) / (2 * kStep);
}

/// Compares gradients with central differences of `f`, element by element.
std::string compare(const GradientSample& sample, const ops::HandleList& gradients,
                    const std::function<double(const Operands&)>& f) {
    for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        if (!is_differentiated(sample.operands[i])) continue;
        TensorData got(sample.operands[i].shape(), DType::F64);  // no gradient stands for zeros
        if (gradients[i]) got = gradients[i].engine().read(gradients[i]).wait();
        if (got.spec() != sample.operands[i].spec())
            return "operand " + std::to_string(i) + ": the gradient has another shape or dtype";
        for (std::int64_t element = 0; element < got.numel(); ++element) {
            const double want = central_difference(sample, i, static_cast<std::size_t>(element), f);
            if (std::abs(got.at(element) - want) <= kAbsolute + kRelative * std::abs(want)) continue;
            char text[200];
            std::snprintf(text, sizeof(text), "operand %zu, element %lld: gradient %.12g, central difference %.12g", i,
                          static_cast<long long>(element), got.at(element), want);
            return text;
        }
    }
    return {};
}

template <class Body>
std::string reporting_errors(Body body) {
    try {
        return body();
    } catch (const Error& error) {
        return std::string(error_name(error.kind())) + ": " + error.what();
    }
}

}  // namespace

std::string check_gradient(const TestedBackend& backend, const GradientSample& sample) {
    return reporting_errors([&]() -> std::string {
        ops::Engine& engine = backend.autodiff();
        const Tracked run =
            run_tracked(engine, sample, [&](std::size_t i) { return engine.upload(sample.operands[i]); });
        if (!run.loss) return "no floating result";
        const ops::HandleList gradients = gradients_of(run, sample);
        return compare(sample, gradients,
                       [&](const Operands& operands) { return loss_at(backend.plain(), sample, operands); });
    });
}

std::string check_second_gradient(const TestedBackend& backend, const GradientSample& sample) {
    return reporting_errors([&]() -> std::string {
        ops::Engine& inner = backend.autodiff();
        ops::Engine& outer = autodiff::engine_over(inner);
        ops::HandleList leaves;  // of the inner engine: the gradients depend on them
        for (const TensorData& data : sample.operands) {
            ops::Handle operand = inner.upload(data);
            leaves.push_back(is_differentiated(data) ? autodiff::require_grad(std::move(operand)) : std::move(operand));
        }
        const Tracked run = run_tracked(outer, sample, [&](std::size_t i) { return autodiff::from_inner(leaves[i]); });
        const ops::Handle loss = weighted_sum(inner, gradients_of(run, sample));
        const ops::HandleList second =
            loss ? gradients_of({leaves, loss}, sample) : ops::HandleList(sample.operands.size());
        return compare(sample, second,
                       [&](const Operands& operands) { return weighted_gradient_at(inner, sample, operands); });
    });
}

std::string check_accumulation(const TestedBackend& backend, const GradientSample& sample) {
    return reporting_errors([&]() -> std::string {
        ops::Engine& engine = backend.autodiff();
        const auto upload = [&](std::size_t i) { return engine.upload(sample.operands[i]); };
        const ops::HandleList alone = gradients_of(run_tracked(engine, sample, upload), sample);
        for (const bool before : {true, false}) {
            ops::Handle others;
            const auto use = [&](std::size_t i, const ops::Handle& leaf) {
                if (!is_differentiated(sample.operands[i])) return;
                ops::Handle part = ops::sum_all(ops::mul_scalar(leaf, 3));
                others = others ? ops::add(std::move(others), std::move(part)) : std::move(part);
            };
            Tracked run = run_tracked(engine, sample, [&](std::size_t i) {
                ops::Handle leaf = upload(i);
                if (is_differentiated(sample.operands[i])) leaf = autodiff::require_grad(std::move(leaf));
                if (before) use(i, leaf);
                return leaf;
            });
            for (std::size_t i = 0; !before && i < run.leaves.size(); ++i) use(i, run.leaves[i]);
            run.loss = before ? ops::add(others, run.loss) : ops::add(run.loss, others);
            const ops::HandleList got = gradients_of(run, sample);
            for (std::size_t i = 0; i < got.size(); ++i) {
                if (!is_differentiated(sample.operands[i])) continue;
                const std::string operand = "operand " + std::to_string(i);
                if (!got[i]) return operand + " has no gradient";
                const TensorData sum = got[i].engine().read(got[i]).wait();
                TensorData own(sample.operands[i].shape(), DType::F64);  // no gradient stands for zeros
                if (alone[i]) own = alone[i].engine().read(alone[i]).wait();
                for (std::int64_t element = 0; element < own.numel(); ++element) {
                    const double want = own.at(element) + 3;
                    if (std::abs(sum.at(element) - want) > 1e-12 * (1 + std::abs(want)))
                        return operand + ": another use before or after the operation changes the gradient";
                }
            }
        }
        return {};
    });
}

}  // namespace burn::conformance
