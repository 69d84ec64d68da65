// The measured ceiling of the kernel benchmarks.
#include <bench/kernel_bench.h>
#include <bench/register_loops.h>
#include <burn/base/cpu_features.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace burn::bench {

namespace {

constexpr int kChains = 12;  // more than latency times units
constexpr int64_t kSteps = 200'000;

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float chains_avx512() {
    __m512 sums[kChains];
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
    const __m512 x = _mm512_set1_ps(0.999f), y = _mm512_set1_ps(0.001f);
    for (int64_t step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
        for (int i = 0; i < kChains; ++i) sums[i] = _mm512_fmadd_ps(sums[i], x, y);
    }
    float total = 0;
    for (const __m512& sum : sums) total += _mm512_cvtss_f32(sum);
    return total;
}

__attribute__((target("avx2,fma"))) float chains_avx2() {
    __m256 sums[kChains];
    for (int i = 0; i < kChains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
    const __m256 x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(0.001f);
    for (int64_t step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
        for (int i = 0; i < kChains; ++i) sums[i] = _mm256_fmadd_ps(sums[i], x, y);
    }
    float total = 0;
    for (const __m256& sum : sums) total += _mm256_cvtss_f32(sum);
    return total;
}
#endif

float chains_baseline() {
    typedef float Vector __attribute__((vector_size(16)));
    Vector sums[kChains];
    for (int i = 0; i < kChains; ++i) sums[i] = Vector{} + static_cast<float>(i);
    const Vector x = Vector{} + 0.999f, y = Vector{} + 0.001f;
    for (int64_t step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
        for (int i = 0; i < kChains; ++i) sums[i] = sums[i] * x + y;
    }
    float total = 0;
    for (const Vector& sum : sums) total += sum[0];
    return total;
}

}  // namespace

RegisterLoop multiply_add_loop() {
    float (*chains)() = chains_baseline;
    int lanes = 4;
#if defined(__x86_64__)
    if (active_isa() == Isa::Avx512) chains = chains_avx512, lanes = 16;
    if (active_isa() == Isa::Avx2) chains = chains_avx2, lanes = 8;
#endif
    return {chains, 2.0 * kChains * lanes * static_cast<double>(kSteps)};
}

double peak_gflops() {
    const RegisterLoop loop = multiply_add_loop();
    volatile float sink = 0;
    const double seconds = fastest([&] { sink = loop.run(); }, 0.1);
    return loop.operations / seconds * 1e-9;
}

}  // namespace burn::bench
