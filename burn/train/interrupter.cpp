#include <burn/base/held.h>
#include <burn/train/interrupter.h>

#include <signal.h>

#include <array>
#include <atomic>
#include <mutex>

namespace burn::training {

struct Interrupter::State {
    std::atomic<bool> stopped{false};
    std::atomic<int> signal{0};  // all that a signal handler may touch
    mutable std::mutex mutex;
    std::string reason;
};

namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};

std::atomic<std::atomic<int>*> signal_target{nullptr};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::atomic<int>*>::is_always_lock_free);

extern "C" void note_signal(int number) {
    std::atomic<int>* target = signal_target.load();
    if (target != nullptr) target->store(number);
}

std::string reason_of(int signal) { return signal == SIGINT ? "Ctrl-C" : "SIGTERM"; }

}  // namespace

Interrupter::Interrupter() : state_(std::make_shared<State>()) {}

void Interrupter::stop(std::string reason) const {
    State& state = held(state_, "Interrupter");
    const std::lock_guard lock(state.mutex);
    if (state.stopped.exchange(true)) return;
    state.reason = std::move(reason);
}

bool Interrupter::stopped() const {
    const State& state = held(state_, "Interrupter");
    const int signal = state.signal.load(std::memory_order_relaxed);
    if (signal != 0) stop(reason_of(signal));
    return state.stopped.load();
}

std::string Interrupter::reason() const {
    if (!stopped()) return "";
    const std::lock_guard lock(state_->mutex);
    return state_->reason;
}

struct InterruptOnSignals::Before {
    std::array<struct sigaction, kSignals.size()> actions;
};

InterruptOnSignals::InterruptOnSignals(const Interrupter& interrupter)
    : interrupter_(interrupter), before_(std::make_unique<Before>()) {
    std::atomic<int>* nobody = nullptr;
    require_internal(signal_target.compare_exchange_strong(nobody, &held(interrupter_.state_, "Interrupter").signal),
                     "two InterruptOnSignals at the same time");
    struct sigaction action = {};
    action.sa_handler = note_signal;
    // Once only: whoever asks again does not want to wait.
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], nullptr, &before_->actions[i]);
        // nohup and shells' background jobs ignore signals on purpose.
        if (before_->actions[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
}

InterruptOnSignals::~InterruptOnSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_->actions[i], nullptr);
    signal_target = nullptr;
}

}  // namespace burn::training
