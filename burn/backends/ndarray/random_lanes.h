// Random numbers in vectors: many counters of the stream side by side, and the transformation of Box and Muller.
//
// Only operations that every instruction set rounds alike (no fma), so that all of them give the same bits.
#pragma once

#include <burn/backends/ndarray/lanes.h>
#include <burn/backends/ndarray/random_kernels.h>
#include <burn/core/philox.h>

namespace burn::ndarray {
namespace {

constexpr int kRandomBytes = kWidestLanes;

using Wide = Lanes<std::uint64_t, kRandomBytes>;  ///< a word in the lower half of every lane
using Words = Lanes<std::uint32_t, kRandomBytes>;
using Integers = Lanes<std::int32_t, kRandomBytes>;
using Floats = Lanes<float, kRandomBytes>;
constexpr int kWideLanes = kRandomBytes / 8;
constexpr int kWordLanes = kRandomBytes / 4;

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

/// `kWideLanes` blocks of the stream.
[[gnu::always_inline]] inline void draw_lanes(std::uint64_t key, Wide counter, std::uint32_t* words) {
    Wide x0 = counter, x1 = counter >> 32, x2{}, x3{};
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < PhiloxNumbers::kRounds; ++round) {
        const Wide p0 = multiply_words(x0, PhiloxNumbers::kMultipliers[0]);
        const Wide p1 = multiply_words(x2, PhiloxNumbers::kMultipliers[1]);
        x0 = (p1 >> 32) ^ x1 ^ std::uint64_t{k0};
        x2 = (p0 >> 32) ^ x3 ^ std::uint64_t{k1};
        x1 = p1;
        x3 = p0;
        k0 += PhiloxNumbers::kKeySteps[0];
        k1 += PhiloxNumbers::kKeySteps[1];
    }
    const Wide front = (x0 & 0xffffffffu) | (x1 << 32);
    const Wide back = (x2 & 0xffffffffu) | (x3 << 32);
    auto* to = reinterpret_cast<std::uint64_t*>(words);
    store_lanes<kRandomBytes>(to, shuffle_lanes<InTurn<0, kWideLanes>, kRandomBytes, std::uint64_t>(front, back));
    store_lanes<kRandomBytes>(
        to + kWideLanes, shuffle_lanes<InTurn<kWideLanes / 2, kWideLanes>, kRandomBytes, std::uint64_t>(front, back));
}

inline void draw_words(std::uint64_t key, std::uint64_t counter, std::int64_t blocks, std::uint32_t* words) {
    Wide steps{};
    for (int lane = 0; lane < kWideLanes; ++lane) steps[lane] = static_cast<std::uint64_t>(lane);
    std::int64_t block = 0;
    for (; block + kWideLanes <= blocks; block += kWideLanes) {
        draw_lanes(key, steps + (counter + static_cast<std::uint64_t>(block)), words + 4 * block);
    }
    for (; block < blocks; ++block) {
        const auto four = philox4x32(key, counter + static_cast<std::uint64_t>(block));
        for (std::size_t i = 0; i < 4; ++i) words[4 * static_cast<std::size_t>(block) + i] = four[i];
    }
}

/// The nearest numbers to whole ones. Halves convert exactly, and their sum rounds once.
[[gnu::always_inline]] inline Floats nearest(Words whole) {
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

/// ln((whole + 1/2) 2^-32).
///
///   x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2); ln(1 + f) = f - f^2 / 2 + f^3 P(f)
///
/// Numerics  within 1 ulp: where k is 0, f is computed from what `whole` lacks, not from the rounded x
/// Source    Cephes logf: S. Moshier, Methods and Programs for Mathematical Functions, 1989
[[gnu::always_inline]] inline Floats log_of_words(Words whole) {
    const Integers bits = (Integers)((nearest(whole) + 0.5f) * 0x1p-32f);
    const Integers k = (bits - 0x3f3504f3) >> 23;  // the bits of sqrt(1/2)
    const Floats exponent = __builtin_convertvector(k, Floats);
    const Floats lacking = (nearest(~whole) + 0.5f) * -0x1p-32f;
    const Floats f = k == 0 ? lacking : (Floats)(bits - (k << 23)) - 1.0f;
    const Floats square = f * f;
    // Odd and even terms apart: two short chains of operations in place of a long one.
    Floats odd = square * -1.1514610310e-1f - 1.2420140846e-1f;
    odd = odd * square - 1.6668057665e-1f;
    odd = odd * square - 2.4999993993e-1f;
    Floats even = square * 7.0376836292e-2f + 1.1676998740e-1f;
    even = even * square + 1.4249322787e-1f;
    even = even * square + 2.0000714765e-1f;
    even = even * square + 3.3333331174e-1f;
    const Floats cube_terms = f * square * (odd * f + even);
    // ln 2 in two parts: the exponent times the first is exact.
    return exponent * 0.693359375f + (f + (exponent * -2.12194440e-4f + cube_terms - square * 0.5f));
}

struct SineAndCosine {
    Floats sine;
    Floats cosine;
};

/// Sine and cosine of `turns` 2^-32 of a full turn.
///
/// Numerics  the angle from the nearest quarter is rounded once; sine and cosine of it are within 1 ulp
/// Source    Cephes sinf, cosf
[[gnu::always_inline]] inline SineAndCosine sine_and_cosine(Words turns) {
    const Words quarter = (turns + 0x20000000u) >> 30;  // the nearest
    const Floats x = __builtin_convertvector((Integers)(turns - (quarter << 30)), Floats) * 1.46291808e-9f;
    const Floats z = x * x;
    const Floats sine = ((z * -1.9515295891e-4f + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * x + x;
    const Floats cosine =
        ((z * 2.443315711809948e-5f - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z - z * 0.5f + 1.0f;
    const Integers is_odd = (Integers)(quarter & 1u) != 0;
    const Integers sine_sign = (Integers)((quarter & 2u) << 30);
    const Integers cosine_sign = (Integers)(((quarter + 1u) & 2u) << 30);
    return {(Floats)((Integers)(is_odd ? cosine : sine) ^ sine_sign),
            (Floats)((Integers)(is_odd ? sine : cosine) ^ cosine_sign)};
}

/// Two vectors of numbers from as many words.
[[gnu::always_inline]] inline void normal_lanes(const std::uint32_t* words, float* numbers) {
    const Words first = load_lanes<kRandomBytes>(words);
    const Words second = load_lanes<kRandomBytes>(words + kWordLanes);
    const Words even = shuffle_lanes<EveryOther<0>, kRandomBytes, std::uint32_t>(first, second);
    const Words odd = shuffle_lanes<EveryOther<1>, kRandomBytes, std::uint32_t>(first, second);
    const Floats radius = square_root(log_of_words(even) * -2.0f);
    const SineAndCosine direction = sine_and_cosine(odd);
    const Floats x = radius * direction.cosine;
    const Floats y = radius * direction.sine;
    store_lanes<kRandomBytes>(numbers, shuffle_lanes<InTurn<0, kWordLanes>, kRandomBytes, float>(x, y));
    store_lanes<kRandomBytes>(numbers + kWordLanes,
                              shuffle_lanes<InTurn<kWordLanes / 2, kWordLanes>, kRandomBytes, float>(x, y));
}

inline void normal_numbers(const std::uint32_t* words, std::int64_t count, float* numbers) {
    constexpr std::int64_t kStep = 2 * kWordLanes;
    std::int64_t i = 0;
    for (; i + kStep <= count; i += kStep) normal_lanes(words + i, numbers + i);
    if (i == count) return;
    std::uint32_t last_words[kStep] = {};
    float last_numbers[kStep];
    for (std::int64_t j = i; j < count; ++j) last_words[j - i] = words[j];
    normal_lanes(last_words, last_numbers);
    for (std::int64_t j = i; j < count; ++j) numbers[j] = last_numbers[j - i];
}

constexpr RandomKernels make_random_kernels() { return {draw_words, normal_numbers}; }

}  // namespace
}  // namespace burn::ndarray
