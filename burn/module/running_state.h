#pragma once

#include <burn/base/atomic.h>
#include <burn/tensor/tensor.h>

namespace burn {

/// A running state whose backend, rank and kind are known at run time only.
///
/// Thread    reading and setting may happen on several threads
class AnyRunningState {
public:
    AnyRunningState() = default;
    explicit AnyRunningState(ops::Handle value) : value_(std::move(value)) {}
    AnyRunningState(const AnyRunningState& other) : value_(other.value()) {}
    AnyRunningState& operator=(const AnyRunningState& other) {
        set(other.value());
        return *this;
    }

    ops::Handle value() const;
    /// Changes the state of a module that is used through const: only what runs beside the parameters may do that.
    void set(ops::Handle value) const;

private:
    mutable Atomic<bool> busy_{false};
    mutable ops::Handle value_;
};

template <class T>
class RunningState;

/// A statistic that a module gathers while it runs, such as the mean of batch normalisation: saved with the parameters, not
/// trained. A copy of the module goes on from the same value on its own.
template <Backend B, std::size_t D, TensorKind K>
class RunningState<Tensor<B, D, K>> : public AnyRunningState {
public:
    using TensorType = Tensor<B, D, K>;

    RunningState() = default;
    explicit RunningState(TensorType value) : AnyRunningState(std::move(value).handle()) {}

    TensorType value() const { return TensorType(AnyRunningState::value()); }
    void set(TensorType value) const { AnyRunningState::set(std::move(value).handle()); }
};

template <Backend B, std::size_t D, TensorKind K>
RunningState(Tensor<B, D, K>) -> RunningState<Tensor<B, D, K>>;

}  // namespace burn
