// How fast exponentials can be: the ceiling of kernels that compute transcendental functions.
#include <bench/register_loops.h>
#include <burn/backends/ndarray/pointwise/exp.h>
#include <burn/base/cpu_features.h>

#include <cmath>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace burn::bench {

namespace {

constexpr int kChains = 8;  // more than latency times units
constexpr std::int64_t kSteps = 20'000;

// Every step takes x to e^x / 4, which stays small.

#if defined(__x86_64__)
// The forms with a mask, for gcc 12 warns of the undefined operand that the others have inside.
constexpr __mmask16 kAll = 0xffff;

/// As the compiled kernels do (burn/backends/cpu/llvm/table_functions.cpp), but for what infinities need: sixteen powers of
/// 2^(1/16), here a quarter of them, in a register leave a polynomial of degree 3.
__attribute__((target("avx512f"))) float chains_avx512() {
    alignas(64) float powers[16];
    for (int i = 0; i < 16; ++i) powers[i] = std::exp2(static_cast<float>(i) / 16) / 4;
    const __m512 table = _mm512_load_ps(powers), sixteenths = _mm512_set1_ps(786432.0f);
    __m512 x[kChains];
    for (int i = 0; i < kChains; ++i) x[i] = _mm512_set1_ps(0.1f * static_cast<float>(i));
    for (std::int64_t step = 0; step < kSteps; ++step) {
#pragma GCC unroll 8
        for (int i = 0; i < kChains; ++i) {
            const __m512 shifted = _mm512_fmadd_ps(x[i], _mm512_set1_ps(1.44269504f), sixteenths);
            const __m512 n = _mm512_sub_ps(shifted, sixteenths);
            __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693147182f), x[i]);
            r = _mm512_fmadd_ps(n, _mm512_set1_ps(1.90465421e-9f), r);
            const __m512 tail = _mm512_fmadd_ps(r, _mm512_set1_ps(1.0f / 6), _mm512_set1_ps(0.5f));
            const __m512 p = _mm512_fmadd_ps(_mm512_mul_ps(r, r), tail, r);
            const __m512 power = _mm512_maskz_permutexvar_ps(kAll, _mm512_castps_si512(shifted), table);
            x[i] = _mm512_maskz_scalef_ps(kAll, _mm512_fmadd_ps(power, p, power), n);
        }
    }
    float total = 0;
    for (const __m512& lanes : x) total += _mm512_cvtss_f32(lanes);
    return total;
}

__attribute__((target("avx2,fma"))) float chains_avx2() {
    __m256 x[kChains];
    for (int i = 0; i < kChains; ++i) x[i] = _mm256_set1_ps(0.1f * static_cast<float>(i));
    for (std::int64_t step = 0; step < kSteps; ++step) {
#pragma GCC unroll 8
        for (int i = 0; i < kChains; ++i) {
            const __m256 n = _mm256_round_ps(_mm256_mul_ps(x[i], _mm256_set1_ps(1.44269504f)), 8);
            __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693145752f), x[i]);
            r = _mm256_fnmadd_ps(n, _mm256_set1_ps(1.42860677e-6f), r);
            __m256 p = _mm256_fmadd_ps(r, _mm256_set1_ps(1.0f / 120), _mm256_set1_ps(1.0f / 24));
            p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 6));
            p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.5f));
            p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
            p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
            const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(125));  // 2^(n - 2)
            x[i] = _mm256_mul_ps(p, _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23)));
        }
    }
    float total = 0;
    for (const __m256& lanes : x) total += _mm256_cvtss_f32(lanes);
    return total;
}
#endif

float chains_baseline() {
    ndarray::FloatLanes x[kChains];
    for (int i = 0; i < kChains; ++i) x[i] = ndarray::FloatLanes{} + 0.1f * static_cast<float>(i);
    for (std::int64_t step = 0; step < kSteps; ++step) {
        for (ndarray::FloatLanes& lanes : x) lanes = ndarray::exp_lanes(lanes) * 0.25f;
    }
    float total = 0;
    for (const ndarray::FloatLanes& lanes : x) total += lanes[0];
    return total;
}

}  // namespace

RegisterLoop exponential_loop() {
    float (*chains)() = chains_baseline;
    int lanes = 4;
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512) chains = chains_avx512, lanes = 16;
    if (active_isa() == Isa::Avx2) chains = chains_avx2, lanes = 8;
#endif
    return {chains, static_cast<double>(kChains) * lanes * static_cast<double>(kSteps)};
}

}  // namespace burn::bench
