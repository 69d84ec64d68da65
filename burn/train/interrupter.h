#pragma once

#include <memory>
#include <string>

namespace burn::training {

/// A request to end a training in good order, from anywhere. Copies are the same request.
///
/// The training looks at it after every step: it finishes the step, keeps the checkpoints it has, and returns.
///
/// Thread    any
class Interrupter {
public:
    Interrupter();
    /// The first reason is kept.
    void stop(std::string reason) const;
    bool stopped() const;
    /// Empty while nobody has asked.
    std::string reason() const;

private:
    friend class InterruptOnSignals;
    struct State;
    std::shared_ptr<State> state_;
};

/// While it exists, Ctrl-C and SIGTERM stop the training; a second one ends the program at once, as without this.
///
/// One at a time in a program.
class InterruptOnSignals {
public:
    /// Errors    InternalError when there is one already
    explicit InterruptOnSignals(const Interrupter& interrupter);
    InterruptOnSignals(const InterruptOnSignals&) = delete;
    InterruptOnSignals& operator=(const InterruptOnSignals&) = delete;
    /// Restores what was there before.
    ~InterruptOnSignals();

private:
    struct Before;
    Interrupter interrupter_;
    std::unique_ptr<Before> before_;
};

}  // namespace burn::training
