#include <burn/compiler/random_words.h>

#include <burn/base/error.h>
#include <burn/core/philox.h>
#include <burn/ops/cast.h>

namespace burn::compiler {

namespace {

using kernel::Builder;
using kernel::kIndex;
using kernel::NodeKind;
using kernel::Place;
using kernel::splat;
using kernel::Value;

/// The parameters, in their order.
enum : std::size_t { kKey, kCounter, kThreshold, kLow = kThreshold, kRange, kLast };

constexpr std::int64_t kLowHalf = 0xffffffff;

Value shift_right(Builder& k, const Value& value, std::int64_t bits) {
    return k.emit(NodeKind::Shr, {value, k.constant(value.dtype(), bits, value.lanes())});
}

}  // namespace

bool draws_in_kernels(const ops::Random& op) {
    if (op.words() != 1) return false;
    return op.law == RandomLaw::Bernoulli || (op.law == RandomLaw::Uniform && is_float(op.dtype));
}

std::vector<DType> random_parameters(const ops::Random& op) {
    if (op.law == RandomLaw::Bernoulli) return {DType::U64, DType::U64, DType::U64};
    return {DType::U64, DType::U64, DType::F32, DType::F32, DType::F32};
}

std::uint64_t random_parameter(const ops::Random& op, std::size_t which) {
    if (which == kKey) return static_cast<std::uint64_t>(op.key);
    if (which == kCounter) return static_cast<std::uint64_t>(op.counter);
    if (op.law == RandomLaw::Bernoulli) return op.threshold();
    const ops::Random::Bounds bounds = op.bounds();
    return kernel::element_bits(DType::F32, which == kLow ? bounds.low : which == kRange ? bounds.range : bounds.last);
}

void draw_words(Builder& k, const Place& words, std::span<const Value> parameters, const Value& first,
                const Value& blocks, std::uint16_t lanes) {
    const Value key = parameters[kKey];
    const auto low_half = [&](const Value& value) { return bitwise_and(value, kLowHalf); };
    k.for_loop(k.index(0), blocks, lanes, [&](Value block) {
        const Value number = parameters[kCounter] + cast(first + block, DType::U64);
        Value x0 = splat(number, lanes) + k.iota(DType::U64, lanes), x1 = shift_right(k, x0, 32);
        Value x2 = k.constant(DType::U64, 0, lanes), x3 = x2;
        Value k0 = low_half(key), k1 = shift_right(k, key, 32);
        for (int round = 0; round < PhiloxNumbers::kRounds; ++round) {
            const Value p0 = low_half(x0) * static_cast<std::int64_t>(PhiloxNumbers::kMultipliers[0]);
            const Value p1 = low_half(x2) * static_cast<std::int64_t>(PhiloxNumbers::kMultipliers[1]);
            x0 = bitwise_xor(bitwise_xor(shift_right(k, p1, 32), x1), splat(k0, lanes));
            x2 = bitwise_xor(bitwise_xor(shift_right(k, p0, 32), x3), splat(k1, lanes));
            x1 = p1;
            x3 = p0;
            k0 = low_half(k0 + static_cast<std::int64_t>(PhiloxNumbers::kKeySteps[0]));
            k1 = low_half(k1 + static_cast<std::int64_t>(PhiloxNumbers::kKeySteps[1]));
        }
        const Value place = (splat(block, lanes) + k.iota(kIndex, lanes)) * 4;
        std::int64_t word = 0;
        for (const Value& x : {x0, x1, x2, x3}) words.store(place + word++, cast(low_half(x), DType::U32));
    });
}

Value random_elements(Builder& k, const ops::Random& op, std::span<const Value> parameters, const Value& words) {
    const DType compute = ops::accumulator_of(op.dtype);
    if (op.law == RandomLaw::Bernoulli) {
        const Value holds = lower(cast(words, DType::U64), parameters[kThreshold]);
        return op.dtype == DType::Bool ? holds : cast(holds, compute);
    }
    const int bits = op.unit_bits();
    // Signed: at most 24 bits, which every instruction set converts.
    const Value whole = cast(shift_right(k, words, 32 - bits), DType::I32);
    const Value unit = cast(whole, compute) * (1.0 / static_cast<double>(1u << bits));
    const Value value = cast(cast(parameters[kLow] + parameters[kRange] * unit, op.dtype), compute);
    return where(lower(value, parameters[kLast]), value, parameters[kLast]);
}

}  // namespace burn::compiler
