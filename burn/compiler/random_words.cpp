#include <burn/compiler/random_words.h>

#include <burn/base/error.h>
#include <burn/core/philox.h>
#include <burn/ops/cast.h>

#include <array>

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
    return op.law == RandomLaw::Bernoulli || (op.law == RandomLaw::Uniform && is_float(op.dtype));
}

DType drawn_dtype(const ops::Random& op) { return op.words() == 1 ? DType::U32 : DType::U64; }

std::int64_t elements_of_block(const ops::Random& op) { return 4 / op.words(); }

std::vector<DType> random_parameters(const ops::Random& op) {
    if (op.law == RandomLaw::Bernoulli) return {DType::U64, DType::U64, DType::U64};
    const DType compute = ops::accumulator_of(op.dtype);
    return {DType::U64, DType::U64, compute, compute, compute};
}

std::uint64_t random_parameter(const ops::Random& op, std::size_t which) {
    if (which == kKey) return static_cast<std::uint64_t>(op.key);
    if (which == kCounter) return static_cast<std::uint64_t>(op.counter);
    if (op.law == RandomLaw::Bernoulli) return op.threshold();
    const DType compute = ops::accumulator_of(op.dtype);
    const ops::Random::Bounds bounds = op.bounds();
    return kernel::element_bits(compute, which == kLow ? bounds.low : which == kRange ? bounds.range : bounds.last);
}

namespace {

/// The words of a vector of blocks, those of one number in the lower halves of the lanes.
using Words = std::array<Value, 4>;

/// The words of `lanes` blocks from each of `blocks` on, a round of all of them after the other.
std::vector<Words> words_of(Builder& k, const Value& key, std::span<const Value> blocks, std::uint16_t lanes) {
    const auto low_half = [&](const Value& value) { return bitwise_and(value, kLowHalf); };
    const Value zero = k.constant(DType::U64, 0, lanes);
    std::vector<Words> all;
    for (const Value& block : blocks) {
        const Value counter = splat(block, lanes) + k.iota(DType::U64, lanes);
        all.push_back({counter, shift_right(k, counter, 32), zero, zero});
    }
    Value k0 = low_half(key), k1 = shift_right(k, key, 32);
    for (int round = 0; round < PhiloxNumbers::kRounds; ++round) {
        for (auto& [x0, x1, x2, x3] : all) {
            const Value p0 = low_half(x0) * static_cast<std::int64_t>(PhiloxNumbers::kMultipliers[0]);
            const Value p1 = low_half(x2) * static_cast<std::int64_t>(PhiloxNumbers::kMultipliers[1]);
            x0 = bitwise_xor(bitwise_xor(shift_right(k, p1, 32), x1), splat(k0, lanes));
            x2 = bitwise_xor(bitwise_xor(shift_right(k, p0, 32), x3), splat(k1, lanes));
            x1 = p1;
            x3 = p0;
        }
        k0 = low_half(k0 + static_cast<std::int64_t>(PhiloxNumbers::kKeySteps[0]));
        k1 = low_half(k1 + static_cast<std::int64_t>(PhiloxNumbers::kKeySteps[1]));
    }
    for (Words& words : all) {
        for (Value& word : words) word = low_half(word);
    }
    return all;
}

/// What all elements of the blocks draw, in their order.
Value drawn_of(const ops::Random& op, const Words& words) {
    if (op.words() == 2) {
        const auto both = [](const Value& low, const Value& high) {
            return bitwise_or(low, high * (std::int64_t{1} << 32));
        };
        return interleave(both(words[0], words[1]), both(words[2], words[3]));
    }
    const auto word = [&words](std::size_t which) { return cast(words[which], DType::U32); };
    return interleave(interleave(word(0), word(2)), interleave(word(1), word(3)));
}

}  // namespace

void draw(Builder& k, const ops::Random& op, const Place& drawn, std::span<const Value> parameters, const Value& first,
          const Value& blocks, std::uint16_t lanes) {
    k.for_loop(k.index(0), blocks, kDrawnVectors * lanes, [&](Value block) {
        std::vector<Value> places, counters;
        for (std::int64_t v = 0; v < kDrawnVectors; ++v) {
            places.push_back(block + v * lanes);
            counters.push_back(parameters[kCounter] + cast(first + places.back(), DType::U64));
        }
        const std::vector<Words> words = words_of(k, parameters[kKey], counters, lanes);
        for (std::size_t v = 0; v < kDrawnVectors; ++v)
            drawn.store(places[v] * elements_of_block(op), drawn_of(op, words[v]));
    });
}

Value random_elements(Builder& k, const ops::Random& op, std::span<const Value> parameters, const Value& drawn) {
    const DType compute = ops::accumulator_of(op.dtype);
    if (op.law == RandomLaw::Bernoulli) {
        const Value holds = lower(cast(drawn, DType::U64), parameters[kThreshold]);
        return op.dtype == DType::Bool ? holds : cast(holds, compute);
    }
    const int bits = op.unit_bits();
    // Signed: at most 53 or 24 bits, which every instruction set converts.
    const Value whole = op.words() == 2 ? cast(shift_right(k, drawn, 64 - bits), DType::I64)
                                        : cast(shift_right(k, drawn, 32 - bits), DType::I32);
    const Value unit = cast(whole, compute) * (1.0 / static_cast<double>(std::uint64_t{1} << bits));
    const Value value = cast(cast(parameters[kLow] + parameters[kRange] * unit, op.dtype), compute);
    return where(lower(value, parameters[kLast]), value, parameters[kLast]);
}

}  // namespace burn::compiler
