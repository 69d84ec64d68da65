// Random numbers in vectors: many counters of the stream side by side, and the transformation of Box and Muller.
//
// Only operations that every instruction set rounds alike (no fma), so that all of them give the same bits.
#pragma once

#include <burn/backends/ndarray/lanes/lanes.h>
#include <burn/backends/ndarray/random/random_kernels.h>
#include <burn/core/philox.h>

namespace burn::ndarray {
namespace {

constexpr int kRandomBytes = kVectorBytes;

using Wide = Lanes<std::uint64_t, kRandomBytes>;  ///< a word in the lower half of every lane
using Words = Lanes<std::uint32_t, kRandomBytes>;
using Integers = Lanes<std::int32_t, kRandomBytes>;
using Floats = Lanes<float, kRandomBytes>;
constexpr int kWideLanes = kRandomBytes / 8;
constexpr int kWordLanes = kRandomBytes / 4;
constexpr int kDrawnVectors = 8;

/// Products of the lower halves; what is in the upper halves does not matter.
[[gnu::always_inline]] inline Wide multiply_words(Wide a, std::uint32_t b) {
#if defined(__AVX512F__)
    return (Wide)_mm512_maskz_mul_epu32(0xff, (__m512i)a, _mm512_set1_epi64(b));
#elif defined(__AVX2__)
    return (Wide)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(b));
#elif defined(__SSE2__)
    return (Wide)_mm_mul_epu32((__m128i)a, _mm_set1_epi64x(b));
#else
    return (a & 0xffffffffu) * b;
#endif
}

/// Lanes of a and b in turn, from lane kFirst on.
template <int kFirst, int kCount>
struct InTurn {
    static constexpr int at(int i) { return kFirst + i / 2 + i % 2 * kCount; }
};

/// kVectors times `kWideLanes` blocks of the stream. Rounds of several vectors side by side: each waits for products of its own
/// only, and shares the keys. So many that a round of all takes longer than one product, though they then spill registers.
template <int kVectors>
[[gnu::always_inline]] inline void draw_lanes(std::uint64_t key, Wide counter, std::uint32_t* words) {
    Wide x0[kVectors], x1[kVectors], x2[kVectors], x3[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        x0[v] = counter + static_cast<std::uint64_t>(v * kWideLanes);
        x1[v] = x0[v] >> 32;
        x2[v] = x3[v] = Wide{};
    }
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < PhiloxNumbers::kRounds; ++round) {
        for (int v = 0; v < kVectors; ++v) {
            const Wide p0 = multiply_words(x0[v], PhiloxNumbers::kMultipliers[0]);
            const Wide p1 = multiply_words(x2[v], PhiloxNumbers::kMultipliers[1]);
            x0[v] = (p1 >> 32) ^ x1[v] ^ std::uint64_t{k0};
            x2[v] = (p0 >> 32) ^ x3[v] ^ std::uint64_t{k1};
            x1[v] = p1;
            x3[v] = p0;
        }
        k0 += PhiloxNumbers::kKeySteps[0];
        k1 += PhiloxNumbers::kKeySteps[1];
    }
    auto* to = reinterpret_cast<std::uint64_t*>(words);
    for (int v = 0; v < kVectors; ++v, to += 2 * kWideLanes) {
        const Wide front = (x0[v] & 0xffffffffu) | (x1[v] << 32);
        const Wide back = (x2[v] & 0xffffffffu) | (x3[v] << 32);
        store_lanes<kRandomBytes>(to, shuffle_lanes<InTurn<0, kWideLanes>, kRandomBytes, std::uint64_t>(front, back));
        store_lanes<kRandomBytes>(
            to + kWideLanes,
            shuffle_lanes<InTurn<kWideLanes / 2, kWideLanes>, kRandomBytes, std::uint64_t>(front, back));
    }
}

inline void draw_words(std::uint64_t key, std::uint64_t counter, std::int64_t blocks, std::uint32_t* words) {
    constexpr int kStep = kDrawnVectors * kWideLanes;
    Wide steps{};
    for (int lane = 0; lane < kWideLanes; ++lane) steps[lane] = static_cast<std::uint64_t>(lane);
    std::int64_t block = 0;
    for (; block + kStep <= blocks; block += kStep) {
        draw_lanes<kDrawnVectors>(key, steps + (counter + static_cast<std::uint64_t>(block)), words + 4 * block);
    }
    for (; block + kWideLanes <= blocks; block += kWideLanes) {
        draw_lanes<1>(key, steps + (counter + static_cast<std::uint64_t>(block)), words + 4 * block);
    }
    for (; block < blocks; ++block) {
        const auto four = philox4x32(key, counter + static_cast<std::uint64_t>(block));
        for (std::size_t i = 0; i < 4; ++i) words[4 * static_cast<std::size_t>(block) + i] = four[i];
    }
}

/// Vectors that are computed side by side: an operation on all of them comes before the next one, so that none waits for the
/// one before.
template <class V>
struct Several {
#if defined(__SSE2__) || defined(__ARM_NEON)
    static constexpr int kCount = 4;
#else
    static constexpr int kCount = 1;  // without vectors, code is what is short
#endif
    V parts[kCount];
};

/// `f` of the parts one by one.
template <class F, class... V>
[[gnu::always_inline]] inline auto each(F f, const Several<V>&... a) {
    Several<decltype(f(a.parts[0]...))> result;
#pragma GCC unroll 8
    for (int i = 0; i < result.kCount; ++i) result.parts[i] = f(a.parts[i]...);
    return result;
}

#define BURN_SEVERAL(OPERATOR)                                                                             \
    template <class V>                                                                                     \
    [[gnu::always_inline]] inline Several<V> operator OPERATOR(const Several<V>& a, const Several<V>& b) { \
        return each([](V x, V y) -> V { return x OPERATOR y; }, a, b);                                     \
    }                                                                                                      \
    template <class V, class Number>                                                                       \
    [[gnu::always_inline]] inline Several<V> operator OPERATOR(const Several<V>& a, Number b) {            \
        return each([b](V x) -> V { return x OPERATOR b; }, a);                                            \
    }
BURN_SEVERAL(+)
BURN_SEVERAL(-)
BURN_SEVERAL(*)
BURN_SEVERAL(&)
#undef BURN_SEVERAL

/// The nearest numbers to whole ones. Halves convert exactly, and their sum rounds once.
[[gnu::always_inline]] inline Floats nearest(Words whole) {
#if defined(__AVX512F__)
    return _mm512_maskz_cvtepu32_ps(0xffff, (__m512i)whole);
#endif
    const Floats upper = __builtin_convertvector((Integers)(whole >> 16), Floats);
    const Floats lower = __builtin_convertvector((Integers)(whole & 0xffffu), Floats);
    return upper * 65536.0f + lower;
}

[[gnu::always_inline]] inline Floats square_root(Floats x) {
#if defined(__AVX512F__)
    return _mm512_maskz_sqrt_ps(0xffff, x);
#elif defined(__AVX2__)
    return _mm256_sqrt_ps(x);
#elif defined(__SSE2__)
    return _mm_sqrt_ps(x);
#else
    for (int lane = 0; lane < kWordLanes; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
    return x;
#endif
}

/// -2 ln((whole + 1/2) 2^-32).
///
///   x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); -2 ln(1 + f) = -2 f + f^2 + f^3 P(f)
///
/// Numerics  within 2 ulp, of which a square root leaves one: where k is 0, f is computed from what `whole` lacks, not from the
///           rounded x. P is the polynomial whose largest relative error in the logarithm, 3.2e-8, is least
[[gnu::always_inline]] inline Several<Floats> minus_two_log_of_words(const Several<Words>& whole) {
    constexpr std::int32_t kRootOfHalf = 0x3f3504f3;  // its bits
    constexpr std::int32_t kMantissa = 23;
    const auto above = each(
        [](Words x) -> Integers { return (Integers)(nearest(x) + 0.5f) - (kRootOfHalf + (32 << kMantissa)); }, whole);
    const auto lacking = each([](Words x) -> Floats { return (nearest(~x) + 0.5f) * -0x1p-32f; }, whole);
    const auto k = each([](Integers x) -> Integers { return x >> kMantissa; }, above);
    const auto f = each(
        [](Integers x, Integers power, Floats near_one) -> Floats {
            const Floats fraction = (Floats)((x & ((1 << kMantissa) - 1)) + kRootOfHalf);
            return power == 0 ? near_one : fraction - 1.0f;
        },
        above, k, lacking);
    const auto square = f * f;
    // Odd and even terms apart: two short chains of operations in place of a long one.
    const auto even = ((square * -1.7400719e-1f - 2.9829574e-1f) * square - 3.9926125e-1f) * square - 6.6667822e-1f;
    const auto odd = (square * 2.8534952e-1f + 3.3155172e-1f) * square + 5.0002674e-1f;
    const auto cube_terms = f * square * (odd * f + even);
    const auto powers = each([](Integers x) -> Floats { return __builtin_convertvector(x, Floats) * -1.3862944f; }, k);
    return powers + (cube_terms + square - (f + f));
}

struct SineAndCosine {
    Several<Floats> sine;
    Several<Floats> cosine;
};

/// Sine and cosine of `turns` 2^-32 of a full turn.
///
/// Numerics  the angle from the nearest quarter is rounded once; sine and cosine of it are within 1 ulp
/// Source    Cephes sinf, cosf
[[gnu::always_inline]] inline SineAndCosine sine_and_cosine(const Several<Words>& turns) {
    const auto shifted = turns + 0x20000000u;  // its two highest bits are the nearest quarter
    const auto x = each(
        [](Words from_quarter) -> Floats {
            return __builtin_convertvector((Integers)from_quarter, Floats) * 1.46291808e-9f;
        },
        turns - (shifted & 0xc0000000u));
    const auto z = x * x;
    const auto sine = ((z * -1.9515295891e-4f + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * x + x;
    const auto cosine =
        (((z * 2.443315711809948e-5f - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z - 0.5f) * z + 1.0f;
    // In odd quarters the two change places.
    const auto choose = [](Words at, Floats in_odd, Floats in_even) -> Floats {
        return (at & 0x40000000u) != 0 ? in_odd : in_even;
    };
    const auto with_sign = [](Floats number, Words sign) -> Floats {
        return (Floats)((Words)number ^ (sign & 0x80000000u));
    };
    return {each(with_sign, each(choose, shifted, cosine, sine), shifted),
            each(with_sign, each(choose, shifted, sine, cosine), shifted + 0x40000000u)};
}

/// Numbers from as many words, of `Several` pairs of vectors.
[[gnu::always_inline]] inline void normal_lanes(const std::uint32_t* words, float mean, float std, float* numbers) {
    Several<Words> even, odd;
#pragma GCC unroll 8
    for (int i = 0; i < even.kCount; ++i) {
        const Words first = load_lanes<kRandomBytes>(words + 2 * i * kWordLanes);
        const Words second = load_lanes<kRandomBytes>(words + (2 * i + 1) * kWordLanes);
        even.parts[i] = shuffle_lanes<EveryOther<0>, kRandomBytes, std::uint32_t>(first, second);
        odd.parts[i] = shuffle_lanes<EveryOther<1>, kRandomBytes, std::uint32_t>(first, second);
    }
    const auto radius = each([](Floats x) -> Floats { return square_root(x); }, minus_two_log_of_words(even));
    const SineAndCosine direction = sine_and_cosine(odd);
    const auto x = radius * direction.cosine * std + mean;
    const auto y = radius * direction.sine * std + mean;
#pragma GCC unroll 8
    for (int i = 0; i < x.kCount; ++i) {
        store_lanes<kRandomBytes>(numbers + 2 * i * kWordLanes,
                                  shuffle_lanes<InTurn<0, kWordLanes>, kRandomBytes, float>(x.parts[i], y.parts[i]));
        store_lanes<kRandomBytes>(
            numbers + (2 * i + 1) * kWordLanes,
            shuffle_lanes<InTurn<kWordLanes / 2, kWordLanes>, kRandomBytes, float>(x.parts[i], y.parts[i]));
    }
}

inline void normal_numbers(const std::uint32_t* words, std::int64_t count, float mean, float std, float* numbers) {
    constexpr std::int64_t kStep = 2 * kWordLanes * Several<Words>::kCount;
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep) normal_lanes(words + i, mean, std, numbers + i);
    if (i == count) return;
    std::uint32_t last_words[kStep] = {};
    float last_numbers[kStep];
    for (std::int64_t j = i; j < count + count % 2; ++j) last_words[j - i] = words[j];
    normal_lanes(last_words, mean, std, last_numbers);
    for (std::int64_t j = i; j < count; ++j) numbers[j] = last_numbers[j - i];
}

constexpr RandomKernels make_random_kernels() { return {draw_words, normal_numbers}; }

}  // namespace
}  // namespace burn::ndarray
