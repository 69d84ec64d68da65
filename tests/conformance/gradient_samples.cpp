#include "tests/conformance/gradient_samples.h"

#include <burn/core/philox.h>

namespace burn::conformance {

TensorData reals(const Shape& shape, double low, double high, std::uint64_t seed) {
    TensorData data(shape, DType::F64);
    const auto values = data.mutable_values<double>();
    const auto count = static_cast<double>(values.size());
    // One value in each of `count` equal parts of the range, the parts in random order: no two values are equal.
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[philox4x32(seed, i)[0] % i]);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double within = 0.25 + 0.5 * philox4x32(seed, i)[1] * 0x1p-32;
        values[i] = low + (high - low) * (static_cast<double>(order[i]) + within) / count;
    }
    return data;
}

TensorData indices(const Shape& shape, std::int64_t bound, std::uint64_t seed) {
    TensorData data(shape, DType::I64);
    std::uint64_t i = 0;
    for (std::int64_t& value : data.mutable_values<std::int64_t>()) value = philox4x32(seed, i++)[0] % bound;
    return data;
}

TensorData index_list(std::initializer_list<std::int64_t> values) { return TensorData::from<std::int64_t>(values); }

TensorData truths(const Shape& shape, std::uint64_t seed) { return indices(shape, 2, seed).convert(DType::Bool); }

GradientSamples gradient_samples() {
    GradientSamples samples;
    sample_pointwise(samples);
    sample_reduce(samples);
    sample_shape(samples);
    sample_indexing(samples);
    sample_products(samples);
    sample_layers(samples);
    sample_attention(samples);
    return samples;
}

}  // namespace burn::conformance
