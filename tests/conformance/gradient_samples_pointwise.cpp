// The pointwise table, by itself: operands that broadcast, drawn from each line's domain.
#include "tests/conformance/gradient_samples.h"

#include <burn/ops/cast.h>
#include <burn/ops/pointwise.h>

namespace burn::conformance {

namespace {

TensorData away_from_zero(const Shape& shape, std::uint64_t seed) {
    TensorData data = reals(shape, 0.3, 2, seed);
    std::uint64_t i = 0;
    const TensorData signs = truths(shape, seed + 1);
    for (double& value : data.mutable_values<double>()) {
        if (signs.values<bool>()[i++]) value = -value;
    }
    return data;
}

TensorData draw(ops::Domain domain, const Shape& shape, std::uint64_t seed) {
    switch (domain) {
        case ops::Domain::Positive: return reals(shape, 0.2, 3, seed);
        case ops::Domain::Unit: return reals(shape, -0.9, 0.9, seed);
        case ops::Domain::AboveOne: return reals(shape, 1.1, 3, seed);
        case ops::Domain::AboveMinusOne: return reals(shape, -0.8, 2, seed);
        case ops::Domain::NonZero: return away_from_zero(shape, seed);
        case ops::Domain::Any:
        case ops::Domain::Exponent:
        case ops::Domain::Shift: break;
    }
    return reals(shape, -2, 2, seed);
}

template <ops::OpCode Code>
void sample_line(GradientSamples& samples) {
    const ops::PointwiseInfo& info = ops::pointwise_info(Code);
    if (info.bool_result || info.types == ops::Types::Int || info.types == ops::Types::Bool) return;
    static const Shape kShapes[] = {{3, 1, 4}, {1, 2, 4}, {3, 2, 1}};
    ops::PointwiseOp<Code> op;
    op.s = 0.625;
    op.t = 1.125;
    GradientSample sample{std::string(info.op.name), op, {}};
    for (int i = 0; i < info.operands; ++i) {
        const auto seed = static_cast<std::uint64_t>(10 * i + 1);
        const bool mask = i == 0 && info.types == ops::Types::MaskAny;
        sample.operands.push_back(mask ? truths(kShapes[0], seed) : draw(info.domain, kShapes[i], seed));
    }
    samples.push_back(std::move(sample));
}

}  // namespace

void sample_pointwise(GradientSamples& samples) {
#define POINTWISE(NAME, ...) sample_line<ops::OpCode::NAME>(samples);
#include <burn/ops/pointwise.def>
#undef POINTWISE
    samples.push_back({"cast to its own type", ops::Cast{DType::F64}, {reals({2, 3})}});
}

}  // namespace burn::conformance
