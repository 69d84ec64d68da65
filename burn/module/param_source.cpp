#include <burn/module/param_source.h>

#include <burn/decorators/autodiff/autodiff.h>

namespace burn::detail {

namespace {

ops::Handle marked(ops::Handle value, bool tracks) { return tracks ? autodiff::require_grad(std::move(value)) : value; }

}  // namespace

ParamSource::ParamSource(ops::Handle value, bool tracks) : value_(marked(std::move(value), tracks)), state_(kReady) {}

const ops::Handle& ParamSource::value() const {
    while (!ready()) {
        int expected = kEmpty;
        if (state_.compare_exchange_weak(expected, kMaking, kAcquireRelease)) make();
    }
    return value_;
}

ops::Handle ParamSource::take() {
    value();
    return std::move(value_);
}

void ParamSource::make() const {
    /// Lets the next caller try again when the initialiser throws.
    struct Attempt {
        Atomic<int>& state;
        int outcome = kEmpty;
        ~Attempt() { state.store(outcome); }
    } attempt{state_};
    // The initialiser is kept: another thread may be asking it for the spec.
    value_ = marked(initializer_->make(), tracks_);
    attempt.outcome = kReady;
}

}  // namespace burn::detail
