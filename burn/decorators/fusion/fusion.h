#pragma once

#include <burn/ops/engine.h>

#include <concepts>
#include <cstdint>
#include <string>

namespace burn {

namespace compiler {
class Device;
}

namespace fusion {

/// The fusion engine around `inner`, whose kernels run on `device`; made at first use and kept as long as the program runs.
///
/// Thread    may be called from several threads
ops::Engine& engine_over(ops::Engine& inner, compiler::Device& device);

/// What a fusion engine has done so far.
struct Report {
    std::uint64_t operations = 0;  ///< recorded
    std::uint64_t segments = 0;    ///< flushed
    std::uint64_t kernels = 0;     ///< launches of fused kernels
    std::uint64_t alone = 0;       ///< operations that the backend ran one by one
    std::uint64_t plan_hits = 0;
    std::uint64_t plan_misses = 0;
    std::size_t plans = 0;  ///< kept at this moment
};

/// Errors    ArgumentError when the engine is not one of fusion
Report report(ops::Engine& engine);

/// Runs what this thread has recorded and tells how: a line a step (kernel, or operation run alone), with the reason where a
/// step is no part of another one. Where nothing is recorded because fusion is off or there are no kernels, one line says that.
///
/// Errors    ArgumentError when the engine is not one of fusion
std::string flush_and_describe(ops::Engine& engine);

/// Whether fusion is on: it is, unless the environment says BURN_FUSION=off.
bool enabled();

}  // namespace fusion

/// A backend that can be fused: besides its engine it has a device that compiles kernels.
template <class B>
concept FusableBackend = requires(std::size_t device) {
    { B::compiler_device(device) } -> std::same_as<compiler::Device&>;
};

/// Records operations instead of running them, and compiles stretches of them into few kernels.
///
/// What was recorded runs when a value is read, at `sync`, when the recording is long, and when its thread ends.
template <FusableBackend B>
struct Fusion {
    using Inner = B;

    static std::size_t device_count() { return B::device_count(); }
    static ops::Engine& engine(std::size_t device) {
        return fusion::engine_over(B::engine(device), B::compiler_device(device));
    }
};

}  // namespace burn
