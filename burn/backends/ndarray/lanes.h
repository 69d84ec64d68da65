// Short vectors of any type and length, for the kernels that move and compare more than they multiply.
//
// Included only by the source files of one instruction set each, and of internal linkage like gemm_vector.h: the linker must
// not choose among the copies of several instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace burn::ndarray {
namespace {

#if defined(__AVX512F__)
constexpr int kWidestLanes = 64;
#elif defined(__AVX2__)
constexpr int kWidestLanes = 32;
#else
constexpr int kWidestLanes = 16;
#endif

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

}  // namespace
}  // namespace burn::ndarray
