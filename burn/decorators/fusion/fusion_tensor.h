#pragma once

#include <burn/compiler/plan.h>
#include <burn/ops/handle.h>

#include <atomic>

namespace burn::fusion {

class Stream;

/// A tensor under fusion: recorded and not yet there, or a tensor of the inner engine, or the error in its place.
///
/// Thread    `stream` turns null when the tensor is there; what `set` wrote is seen by who sees that
class FusionTensor final : public ops::EngineTensor {
public:
    /// One that `stream` will compute.
    FusionTensor(ops::Engine& engine, const TensorSpec& spec, Stream& stream)
        : EngineTensor(engine, spec), stream_(&stream) {}
    /// One that is there.
    FusionTensor(ops::Engine& engine, ops::Handle value)
        : EngineTensor(engine, value.spec()), value_(std::move(value)) {}

    static FusionTensor& of(const ops::Handle& handle) { return static_cast<FusionTensor&>(handle.tensor()); }

    /// Where it waits; null when it is there.
    Stream* stream() const { return stream_.load(std::memory_order_acquire); }

    /// The inner tensor, or an error in its place.
    const ops::Handle& value() const { return value_; }
    const compiler::FailureRef& failure() const { return failure_; }
    /// Gives the inner tensor away; only for the last owner.
    ops::Handle take() { return std::move(value_); }

    void set(ops::Handle value, compiler::FailureRef failure) {
        value_ = std::move(value);
        failure_ = std::move(failure);
        stream_.store(nullptr, std::memory_order_release);
    }

    /// Which value of which segment this tensor was last: a shortcut for the recorder, checked before it is trusted.
    std::atomic<std::uint64_t> place{0};

private:
    std::atomic<Stream*> stream_{nullptr};
    ops::Handle value_;
    compiler::FailureRef failure_;
};

}  // namespace burn::fusion
