#include <burn/module/running_state.h>

namespace burn {

namespace {

/// Held for the copy of one handle only, so waiting is short.
class Hold {
public:
    explicit Hold(std::atomic_flag& busy) : busy_(busy) {
        while (busy_.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~Hold() { busy_.clear(std::memory_order_release); }

private:
    std::atomic_flag& busy_;
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
