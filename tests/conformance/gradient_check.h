#pragma once

#include "tests/conformance/backends.h"
#include "tests/conformance/gradient_samples.h"

#include <string>

namespace burn::conformance {

/// Compares the gradient of sum(w * y), with fixed weights w over all floating results y, with central differences in f64.
///
///   (f(x + h) - f(x - h)) / 2h,  h = 1e-5
///
/// Gives what differs, "" when nothing does. Errors are reported the same way.
std::string check_gradient(const TestedBackend& backend, const GradientSample& sample);

/// The same for the gradient's gradient: of sum(v * dx), by Autodiff<Autodiff<B>>, against central differences of the gradient.
std::string check_second_gradient(const TestedBackend& backend, const GradientSample& sample);

/// Adds 3 * sum(x) of every operand x to the loss, once computed before the operation and once after it, and compares the
/// gradients with those of the operation alone, plus 3: what flows back adds to what other uses of an operand gave.
std::string check_accumulation(const TestedBackend& backend, const GradientSample& sample);

}  // namespace burn::conformance
