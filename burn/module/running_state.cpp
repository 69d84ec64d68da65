#include <burn/module/running_state.h>

namespace burn {

namespace {

/// Held for the copy of one handle only, so waiting is short.
class Hold {
public:
    explicit Hold(Atomic<bool>& busy) : busy_(busy) {
        for (bool free = false; !busy_.compare_exchange_weak(free, true, kAcquireRelease);) free = false;
    }
    ~Hold() { busy_.store(false); }

private:
    Atomic<bool>& busy_;
};

}  // namespace

ops::Handle AnyRunningState::value() const {
    const Hold hold(busy_);
    return value_;
}

void AnyRunningState::set(ops::Handle value) const {
    const Hold hold(busy_);
    std::swap(value_, value);
}

}  // namespace burn
