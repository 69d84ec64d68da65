#pragma once

#include <burn/ops/engine.h>

namespace burn {

namespace autodiff {

/// The autodiff engine around `inner`; made at first use, one for each inner engine, and kept as long as the program runs.
///
/// Thread    may be called from several threads
ops::Engine& engine_over(ops::Engine& inner);

}  // namespace autodiff

/// Adds gradients to a backend: every operation also runs on `B`, and `backward()` exists.
template <class B>
struct Autodiff {
    using Inner = B;

    static std::size_t device_count() { return B::device_count(); }
    static ops::Engine& engine(std::size_t device) { return autodiff::engine_over(B::engine(device)); }
};

}  // namespace burn
