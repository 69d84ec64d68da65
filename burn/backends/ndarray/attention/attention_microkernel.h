// The softmax of attention in vectors; see attention_kernels.h.
//
// Included only by the source files of one instruction set each (see gemm_vector.h).
#pragma once

#include <burn/backends/ndarray/attention/attention_kernels.h>
#include <burn/backends/ndarray/pointwise/exp.h>
#include <burn/backends/ndarray/product/gemm_vector.h>

namespace burn::ndarray {
namespace {

// x 2^n, as times_power_of_two.
template <class T>
[[gnu::always_inline]] inline Vector<T> scale_by_power(Vector<T> x, Vector<T> shifted) {
#if defined(__AVX512F__)
    const Vector<T> n = shifted - broadcast<T>(ExpRule<T>::kMagic);
    if constexpr (sizeof(T) == 4) {
        return _mm512_maskz_scalef_ps(0xffff, x, n);  // unmasked, g++ 12 warns of its own header
    } else {
        return _mm512_maskz_scalef_pd(0xff, x, n);
    }
#else
    return times_power_of_two<T>(x, shifted);
#endif
}

template <class T>
[[gnu::always_inline]] inline Vector<T> exponential(Vector<T> x) {
    return exp_lanes<T>(x, multiply_add<T>, scale_by_power<T>);
}

// e^x where it is a normal number, else 0: processors take a hundred times as long for results that underflow, and of hidden keys
// all do.
template <class T>
[[gnu::always_inline]] inline Vector<T> weight_of(Vector<T> x) {
    const Vector<T> lowest = broadcast<T>(static_cast<T>(ExpRule<T>::kLowestNormal));
    const Vector<T> weight = exponential<T>(x < lowest ? lowest : x);
    return x < lowest ? Vector<T>{} : weight;
}

#if defined(__AVX512F__)
// The same, for x that are not far above 0.
//
//   e^x = 2^n e^r = 2^floor(n) T[16 n mod 16] e^r, n = x / ln 2 rounded to sixteenths, T[j] = 2^(j / 16), |r| <= ln(2) / 32
//
// Numerics  within 1 ulp (all numbers tried)
// Source    P. T. P. Tang, Table-driven implementation of the exponential function, ACM TOMS 15 (1989)
template <>
[[gnu::always_inline]] inline Vector<float> weight_of<float>(Vector<float> x) {
    alignas(64) static constexpr float kPowers[16] = {0x1.000000p+0, 0x1.0b5586p+0, 0x1.172b84p+0, 0x1.2387a6p+0,
                                                      0x1.306fe0p+0, 0x1.3dea64p+0, 0x1.4bfdaep+0, 0x1.5ab07ep+0,
                                                      0x1.6a09e6p+0, 0x1.7a1148p+0, 0x1.8ace54p+0, 0x1.9c4918p+0,
                                                      0x1.ae89fap+0, 0x1.c199bep+0, 0x1.d5818ep+0, 0x1.ea4afap+0};
    const auto number = [](float value) { return broadcast<float>(value); };
    const Vector<float> sixteenths = number(0x1.8p19f);  // the low bits of a sum with it count them
    const Vector<float> shifted = multiply_add<float>(x, number(0x1.715476p+0f), sixteenths), n = shifted - sixteenths;
    const Vector<float> r =
        multiply_add<float>(n, number(0x1.05c610p-29f), multiply_add<float>(n, number(-0x1.62e430p-1f), x));
    const Vector<float> expm1 =
        multiply_add<float>(r * r, multiply_add<float>(r, number(0x1.555598p-3f), number(0x1.00021ep-1f)), r);
    const Vector<float> power = _mm512_maskz_permutexvar_ps(0xffff, (__m512i)shifted, _mm512_load_ps(kPowers));
    const __mmask16 is_normal = _mm512_cmp_ps_mask(x, number(ExpRule<float>::kLowestNormal), _CMP_NLT_UQ);  // or NaN
    return _mm512_maskz_scalef_ps(is_normal, multiply_add<float>(power, expm1, power), n);
}
#endif

template <class T>
[[gnu::always_inline]] inline Vector<T> larger(Vector<T> x, Vector<T> y) {
    return x > y ? x : y;
}

// Rows of a loop that are worked on together, so that one does not wait for the other.
constexpr int kTogether = 4;

template <class T>
void advance(int64_t keys, int64_t panel, T* scores, T* top, T* total, int64_t rows, T* sums) {
    const Vector<T> nothing = broadcast<T>(-static_cast<T>(__builtin_huge_val()));
    for (int64_t lane = 0; lane < panel; lane += kLanes<T>) {
        T* const column = scores + lane;
        const Vector<T> before = load<T>(top + lane);
        Vector<T> largest[kTogether];
        for (int i = 0; i < kTogether; ++i) largest[i] = before;
        int64_t key = 0;
        for (; key + kTogether <= keys; key += kTogether) {
            unroll<kTogether>([&](auto i) __attribute__((always_inline)) {
                largest[i] = larger<T>(load<T>(column + (key + i) * panel), largest[i]);
            });
        }
        for (; key < keys; ++key) largest[0] = larger<T>(load<T>(column + key * panel), largest[0]);
        const Vector<T> now = larger<T>(larger<T>(largest[0], largest[1]), larger<T>(largest[2], largest[3]));
        const Vector<T> middle = now == nothing ? Vector<T>{} : now;
        Vector<T> sum{};
        for (key = 0; key < keys; ++key) {
            T* at = column + key * panel;
            const Vector<T> weight = weight_of<T>(load<T>(at) - middle);
            store<T>(at, weight);
            sum += weight;
        }
        const Vector<T> shrink = weight_of<T>(before - middle);
        store<T>(total + lane, load<T>(total + lane) * shrink + sum);
        store<T>(top + lane, now);
        for (int64_t row = 0; row < rows; ++row) {
            T* at = sums + row * panel + lane;
            store<T>(at, load<T>(at) * shrink);
        }
    }
}

template <class T>
void gradient(int64_t queries, int64_t panel, const T* lse, const T* mean, T* scores, T* cotangents) {
    for (int64_t query = 0; query < queries; ++query) {
        const Vector<T> norm = broadcast<T>(lse[query]);
        const Vector<T> middle = broadcast<T>(mean[query]);
        for (int64_t lane = 0; lane < panel; lane += kLanes<T>) {
            const Vector<T> weight = weight_of<T>(load<T>(scores + lane) - norm);
            store<T>(scores + lane, weight);
            store<T>(cotangents + lane, weight * (load<T>(cotangents + lane) - middle));
        }
        scores += panel;
        cotangents += panel;
    }
}

// tanh: x + x z P(z) / Q(z) with z = x^2 near 0, 1 - 2 / (e^(2|x|) + 1) with x's sign elsewhere.
//
// Source    Moshier, Cephes: tanh.c
template <class T>
[[gnu::always_inline]] inline Vector<T> tanh_lanes(Vector<T> x) {
    const auto number = [](double value) { return broadcast<T>(static_cast<T>(value)); };
    const auto madd = [](Vector<T> a, Vector<T> b, Vector<T> c) { return multiply_add<T>(a, b, c); };
    const Vector<T> z = x * x;
    const Vector<T> p = madd(madd(number(-9.64399179425052238628e-1), z, number(-9.92877231001918586564e1)), z,
                             number(-1.61468768441708447952e3));
    const Vector<T> q = madd(madd(z + number(1.12811678491632931402e2), z, number(2.23548839060100448583e3)), z,
                             number(4.84406305325125486048e3));
    const Vector<T> near = madd(x * z, p / q, x);
    const Vector<T> size = x < Vector<T>{} ? -x : x;
    const Vector<T> far = number(1) - number(2) / (exponential<T>(size + size) + number(1));
    return size < number(0.625) ? near : (x < Vector<T>{} ? -far : far);
}

template <class T>
void cap(int64_t rows, int64_t panel, T softcap, T* scores, T* slopes) {
    const Vector<T> bound = broadcast<T>(softcap);
    const Vector<T> one = broadcast<T>(T(1));
    for (int64_t i = 0; i < rows * panel; i += kLanes<T>) {
        const Vector<T> share = tanh_lanes<T>(load<T>(scores + i) / bound);
        store<T>(scores + i, bound * share);
        if (slopes != nullptr) store<T>(slopes + i, one - share * share);
    }
}

template <class T>
void normalise(int64_t rows, int64_t panel, const T* total, T* sums) {
    for (int64_t lane = 0; lane < panel; lane += kLanes<T>) {
        const Vector<T> sum = load<T>(total + lane);
        const Vector<T> divisor = sum == Vector<T>{} ? broadcast<T>(T(1)) : sum;
        for (int64_t row = 0; row < rows; ++row) {
            T* at = sums + row * panel + lane;
            store<T>(at, load<T>(at) / divisor);
        }
    }
}

template <class T>
constexpr AttentionKernels<T> make_attention_kernels() {
    return {.advance = advance<T>, .gradient = gradient<T>, .cap = cap<T>, .normalise = normalise<T>};
}

}  // namespace
}  // namespace burn::ndarray
