// Vectors of the instruction set that the including file is compiled for.
//
// Included only by the source files of one instruction set each. Everything here has internal linkage: were it shared, the
// linker could keep the AVX-512 copy of a function and let an older processor run it.
#pragma once

#include <burn/backends/ndarray/lanes/vector_bytes.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace burn::ndarray {
namespace {

template <class T>
struct VectorOf {
    typedef T type __attribute__((vector_size(kVectorBytes)));
    typedef T unaligned __attribute__((vector_size(kVectorBytes), aligned(alignof(T)), may_alias));
};

template <class T>
using Vector = typename VectorOf<T>::type;

template <class T>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

template <class T>
[[gnu::always_inline]] inline Vector<T> load(const T* from) {
    return *reinterpret_cast<const typename VectorOf<T>::unaligned*>(from);
}

template <class T>
[[gnu::always_inline]] inline void store(T* to, Vector<T> value) {
    *reinterpret_cast<typename VectorOf<T>::unaligned*>(to) = value;
}

#if defined(__AVX2__) && !defined(__AVX512F__)
// Words of which the first `count`, from the address returned, are set.
template <class T>
[[gnu::always_inline]] inline __m256i first_lanes(int count) {
    using Word = std::conditional_t<sizeof(T) == 4, std::int32_t, long long>;
    static constexpr Word kSet = ~Word(0);
    alignas(32) static constexpr Word kWindow[16] = {kSet, kSet, kSet, kSet, kSet, kSet, kSet, kSet};
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kWindow + 8 - count));
}
#endif

// The first `count` lanes, 0 < count < lanes; the others are 0 and their memory is not touched.
template <class T>
[[gnu::always_inline]] inline Vector<T> load_first(const T* from, int count) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
        return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), from);
    } else {
        return _mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << count) - 1), from);
    }
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) {
        return _mm256_maskload_ps(from, first_lanes<T>(count));
    } else {
        return _mm256_maskload_pd(from, first_lanes<T>(count));
    }
#else
    Vector<T> value{};
    for (int i = 0; i < count; ++i) value[i] = from[i];
    return value;
#endif
}

template <class T>
[[gnu::always_inline]] inline void store_first(T* to, Vector<T> value, int count) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
        _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1), value);
    } else {
        _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1u << count) - 1), value);
    }
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4) {
        _mm256_maskstore_ps(to, first_lanes<T>(count), value);
    } else {
        _mm256_maskstore_pd(to, first_lanes<T>(count), value);
    }
#else
    for (int i = 0; i < count; ++i) to[i] = value[i];
#endif
}

template <class T>
[[gnu::always_inline]] inline Vector<T> broadcast(T value) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
        return _mm512_set1_ps(value);
    else
        return _mm512_set1_pd(value);
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4)
        return _mm256_set1_ps(value);
    else
        return _mm256_set1_pd(value);
#elif defined(__aarch64__)
    if constexpr (sizeof(T) == 4)
        return vdupq_n_f32(value);
    else
        return vdupq_n_f64(value);
#else
    return value - Vector<T>{};  // not +: -0 + 0 is +0
#endif
}

// x * y + z, rounded once where the instruction set can.
template <class T>
[[gnu::always_inline]] inline Vector<T> multiply_add(Vector<T> x, Vector<T> y, Vector<T> z) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
        return _mm512_fmadd_ps(x, y, z);
    else
        return _mm512_fmadd_pd(x, y, z);
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 4)
        return _mm256_fmadd_ps(x, y, z);
    else
        return _mm256_fmadd_pd(x, y, z);
#elif defined(__aarch64__)
    if constexpr (sizeof(T) == 4)
        return vfmaq_f32(z, x, y);
    else
        return vfmaq_f64(z, x, y);
#else
    return x * y + z;
#endif
}

// Calls body(0), ..., body(Count - 1) with compile-time numbers, so that arrays of vectors stay in registers.
template <int Count, class Body>
[[gnu::always_inline]] inline void unroll(Body&& body) {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        (body(std::integral_constant<int, I>{}), ...);
    }(std::make_integer_sequence<int, Count>{});
}

}  // namespace
}  // namespace burn::ndarray
