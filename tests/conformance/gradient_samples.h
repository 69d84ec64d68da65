#pragma once

#include <burn/core/tensor_data.h>
#include <burn/ops/any_op.h>

#include <string>
#include <vector>

namespace burn::conformance {

/// An operation on operands at which its gradient is checked.
struct GradientSample {
    std::string what;  ///< "max over two axes"
    ops::AnyOp op;
    std::vector<TensorData> operands;  ///< those of F64 are differentiated
};

using GradientSamples = std::vector<GradientSample>;

// ---- operands; each call with another `seed` gives other values
/// F64 values, evenly spread over [low, high), no two of them within 1e-3 of each other when there are few.
TensorData reals(const Shape& shape, double low = -2, double high = 2, std::uint64_t seed = 1);
/// I64 values of [0, bound).
TensorData indices(const Shape& shape, std::int64_t bound, std::uint64_t seed = 1);
TensorData index_list(std::initializer_list<std::int64_t> values);
TensorData truths(const Shape& shape, std::uint64_t seed = 1);

/// Samples of every operation that has a gradient or a decomposition: lines of the pointwise table from their domain, the
/// structured ones from the tables below.
GradientSamples gradient_samples();

// One source file a family: gradient_samples_<family>.cpp; a new family is a line here and a call in gradient_samples.cpp.
void sample_attention(GradientSamples& samples);
void sample_pointwise(GradientSamples& samples);
void sample_reduce(GradientSamples& samples);
void sample_shape(GradientSamples& samples);
void sample_indexing(GradientSamples& samples);
void sample_products(GradientSamples& samples);
void sample_layers(GradientSamples& samples);

}  // namespace burn::conformance
