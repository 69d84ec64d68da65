#pragma once

#include <burn/base/atomic.h>
#include <burn/ops/engine.h>

namespace burn {

/// Makes the first value of a parameter, when somebody asks for it.
class ParamInitializer : public Counted {
public:
    ParamInitializer(ops::Engine& engine, const TensorSpec& spec) : engine_(engine), spec_(spec) {}

    /// A tensor of the engine and spec given; called once.
    virtual ops::Handle make() const = 0;

    ops::Engine& engine() const { return engine_; }
    const TensorSpec& spec() const { return spec_; }

private:
    ops::Engine& engine_;
    TensorSpec spec_;
};

namespace detail {

/// The value that copies of a parameter share, or the way to make it.
///
/// Thread    any; the value is made once
class ParamSource final : public Counted {
public:
    ParamSource(ops::Handle value, bool tracks);
    ParamSource(Ref<ParamInitializer> initializer, bool tracks)
        : initializer_(std::move(initializer)), tracks_(tracks) {}

    bool ready() const { return state_.load(kAcquire) == kReady; }
    const TensorSpec& spec() const { return ready() ? value_.spec() : initializer_->spec(); }
    ops::Engine& engine() const { return ready() ? value_.engine() : initializer_->engine(); }
    const ops::Handle& value() const;
    /// For the only owner.
    ops::Handle take();

private:
    static constexpr int kEmpty = 0;
    static constexpr int kMaking = 1;
    static constexpr int kReady = 2;

    void make() const;

    Ref<ParamInitializer> initializer_;
    mutable ops::Handle value_;
    mutable Atomic<int> state_{kEmpty};
    bool tracks_ = false;
};

}  // namespace detail
}  // namespace burn
