#pragma once

namespace burn::ops {

/// A value that only remembers which arguments it was made from; gradient expressions run on it to learn what they need saved.
struct Probe {
    unsigned seen = 0;

    constexpr Probe() = default;
    static constexpr Probe of(unsigned bits) {
        Probe probe;
        probe.seen = bits;
        return probe;
    }
    constexpr Probe(int) {}     // NOLINT: literals see nothing
    constexpr Probe(double) {}  // NOLINT
};

constexpr Probe operator+(Probe a, Probe b) { return Probe::of(a.seen | b.seen); }
constexpr Probe operator-(Probe a, Probe b) { return Probe::of(a.seen | b.seen); }
constexpr Probe operator*(Probe a, Probe b) { return Probe::of(a.seen | b.seen); }
constexpr Probe operator/(Probe a, Probe b) { return Probe::of(a.seen | b.seen); }
constexpr Probe operator-(Probe a) { return a; }
constexpr Probe where(Probe mask, Probe a, Probe b) { return Probe::of(mask.seen | a.seen | b.seen); }

#define VOCABULARY_1(NAME) \
    constexpr Probe NAME(Probe a) { return a; }
#define VOCABULARY_2(NAME) \
    constexpr Probe NAME(Probe a, Probe b) { return Probe::of(a.seen | b.seen); }
#include <burn/ops/vocabulary.def>
#undef VOCABULARY_1
#undef VOCABULARY_2

}  // namespace burn::ops
