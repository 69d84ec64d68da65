#pragma once

namespace burn {

/// The smaller of two values; <algorithm> does not exist on bare metal.
template <class T>
constexpr T least(T a, T b) {
    return b < a ? b : a;
}

/// The larger of two values.
template <class T>
constexpr T greatest(T a, T b) {
    return a < b ? b : a;
}

}  // namespace burn
