// Short vectors of any type and length, for the kernels that move and compare more than they multiply.
//
// Included only by the source files of one instruction set each, and of internal linkage like gemm_vector.h: the linker must
// not choose among the copies of several instruction sets.
#pragma once

#include <burn/backends/ndarray/lanes/vector_bytes.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace burn::ndarray {
namespace {

/// `kBytes` of elements side by side.
template <class T, int kBytes>
struct LanesOf {
    typedef T type __attribute__((vector_size(kBytes)));
    typedef T unaligned __attribute__((vector_size(kBytes), aligned(alignof(T)), may_alias));
    static constexpr int kCount = kBytes / static_cast<int>(sizeof(T));
};

template <class T, int kBytes>
using Lanes = typename LanesOf<T, kBytes>::type;

template <int kBytes, class T>
[[gnu::always_inline]] inline Lanes<T, kBytes> load_lanes(const T* from) {
    return *reinterpret_cast<const typename LanesOf<T, kBytes>::unaligned*>(from);
}

template <int kBytes, class T>
[[gnu::always_inline]] inline void store_lanes(T* to, Lanes<T, kBytes> value) {
    *reinterpret_cast<typename LanesOf<T, kBytes>::unaligned*>(to) = value;
}

/// Lane i of the result is lane `Order::at(i)` of a and b, b's lanes counting on from a's.
template <class Order, int kBytes, class T>
[[gnu::always_inline]] inline Lanes<T, kBytes> shuffle_lanes(Lanes<T, kBytes> a, Lanes<T, kBytes> b) {
    return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
        return __builtin_shufflevector(a, b, Order::at(i)...);
    }(std::make_integer_sequence<int, LanesOf<T, kBytes>::kCount>{});
}

/// Lanes 0, 2, .. of a and b, or lanes 1, 3, ..
template <int kFirst>
struct EveryOther {
    static constexpr int at(int i) { return 2 * i + kFirst; }
};

/// Lanes kFirst, kFirst + 2, .. of a and b.
template <int kFirst, int kBytes, class T>
[[gnu::always_inline]] inline Lanes<T, kBytes> every_other(Lanes<T, kBytes> a, Lanes<T, kBytes> b) {
#if defined(__AVX2__) && !defined(__AVX512VL__)
    // Two instructions, of which compilers make three.
    if constexpr (kBytes == 32 && std::is_same_v<T, float>) {
        const __m256 within = _mm256_shuffle_ps(a, b, kFirst == 0 ? 0x88 : 0xdd);
        return (Lanes<T, kBytes>)_mm256_permute4x64_epi64((__m256i)within, 0xd8);
    }
#endif
    return shuffle_lanes<EveryOther<kFirst>, kBytes, T>(a, b);
}

/// All bits of the lanes in which a or b is NaN.
template <int kBytes, class T>
[[gnu::always_inline]] inline auto either_is_nan(Lanes<T, kBytes> a, Lanes<T, kBytes> b) {
    using Bits = decltype(a != b);
#if defined(__AVX512F__)
    if constexpr (kBytes == 64 && sizeof(T) == 4)
        return (Bits)_mm512_movm_epi32(_mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q));
    if constexpr (kBytes == 64 && sizeof(T) == 8)
        return (Bits)_mm512_movm_epi64(_mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q));
#endif
#if defined(__AVX2__)
    if constexpr (kBytes == 32 && sizeof(T) == 4) return (Bits)_mm256_cmp_ps(a, b, _CMP_UNORD_Q);
    if constexpr (kBytes == 32 && sizeof(T) == 8) return (Bits)_mm256_cmp_pd(a, b, _CMP_UNORD_Q);
#endif
#if defined(__SSE2__)
    if constexpr (kBytes == 16 && sizeof(T) == 4) return (Bits)_mm_cmpunord_ps(a, b);
    if constexpr (kBytes == 16 && sizeof(T) == 8) return (Bits)_mm_cmpunord_pd(a, b);
#endif
    return (Bits)((a != a) | (b != b));
}

/// A number whose bit i says whether the sign of lane i is set, such as all bits of a comparison's result are.
template <int kBytes, class T>
[[gnu::always_inline]] inline std::uint32_t lane_bits(Lanes<T, kBytes> signs) {
#if defined(__AVX512F__)
    if constexpr (kBytes == 64 && sizeof(T) == 4) return _mm512_movepi32_mask((__m512i)signs);
    if constexpr (kBytes == 64 && sizeof(T) == 8) return _mm512_movepi64_mask((__m512i)signs);
#endif
#if defined(__AVX2__)
    if constexpr (kBytes == 32 && sizeof(T) == 4) return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)signs));
    if constexpr (kBytes == 32 && sizeof(T) == 8) return static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)signs));
#endif
#if defined(__SSE2__)
    if constexpr (kBytes == 16 && sizeof(T) == 4) return static_cast<std::uint32_t>(_mm_movemask_ps((__m128)signs));
    if constexpr (kBytes == 16 && sizeof(T) == 8) return static_cast<std::uint32_t>(_mm_movemask_pd((__m128d)signs));
#endif
    std::uint32_t bits = 0;
    for (int lane = 0; lane < LanesOf<T, kBytes>::kCount; ++lane)
        bits |= static_cast<std::uint32_t>(signs[lane] < 0) << lane;
    return bits;
}

/// Each lane's is the one kBy further on, around the end.
template <int kCount, int kBy>
struct Rotate {
    static constexpr int at(int i) { return (i + kBy) % kCount; }
};

/// What all lanes amount to by an operation on two vectors, in every lane.
template <int kBytes, class T, int kBy = LanesOf<T, kBytes>::kCount / 2, class Combine>
[[gnu::always_inline]] inline Lanes<T, kBytes> across_lanes(Lanes<T, kBytes> x, Combine combine) {
    if constexpr (kBy == 0) {
        return x;
    } else {
        const auto turned = shuffle_lanes<Rotate<LanesOf<T, kBytes>::kCount, kBy>, kBytes, T>(x, x);
        return across_lanes<kBytes, T, kBy / 2>(combine(x, turned), combine);
    }
}

/// Whether any bit of a vector is set, such as of a comparison's result.
template <int kBytes, class V>
[[gnu::always_inline]] inline bool any_bit(V bits) {
#if defined(__AVX512F__)
    if constexpr (kBytes == 64) return _mm512_test_epi64_mask((__m512i)bits, (__m512i)bits) != 0;
#endif
#if defined(__AVX2__)
    if constexpr (kBytes == 32) return _mm256_testz_si256((__m256i)bits, (__m256i)bits) == 0;
#endif
#if defined(__SSE2__)
    if constexpr (kBytes == 16) return _mm_movemask_epi8((__m128i)bits) != 0;
#endif
    using Words = Lanes<std::uint64_t, kBytes>;
    std::uint64_t any = 0;
    for (int lane = 0; lane < LanesOf<std::uint64_t, kBytes>::kCount; ++lane) any |= ((Words)bits)[lane];
    return any != 0;
}

}  // namespace
}  // namespace burn::ndarray
