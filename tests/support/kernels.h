// What tests of the processor's kernels share: every instruction set, numbers of threads, and numbers to compute with.
#pragma once

#include <burn/base/cpu_features.h>
#include <burn/base/parallel.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace burn::testing {

using namespace ::testing;  // which this namespace hides

/// Runs body once per instruction set of this machine.
template <class Body>
void for_each_isa(Body body) {
    const Isa before = active_isa();
    for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
        if (!isa_supported(isa)) continue;
        SCOPED_TRACE(isa_name(isa));
        set_active_isa(isa);
        body();
    }
    set_active_isa(before);
}

struct WithThreads {
    explicit WithThreads(int n) { set_num_threads(n); }
    ~WithThreads() { set_num_threads(0); }
};

/// The value of any element type.
template <class T>
double as_double(T element) {
    if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<double>(element);
    } else {
        return static_cast<double>(static_cast<float>(element));
    }
}

/// Numbers that look random, the same for the same seed.
class Numbers {
public:
    explicit Numbers(std::uint32_t seed) : state_(seed) {}

    /// A whole number from -most to most: products and sums of up to some thousand are exact in every order, fused or not.
    template <class T>
    T integer(int most) {
        return static_cast<T>(static_cast<float>(static_cast<int>(next() >> 24) % (2 * most + 1) - most));
    }
    /// In [-1, 1).
    template <class T>
    T real() {
        return static_cast<T>(static_cast<double>(next()) / 4294967296.0 * 2 - 1);
    }

private:
    std::uint32_t next() { return state_ = state_ * 1664525u + 1013904223u; }

    std::uint32_t state_;
};

}  // namespace burn::testing
