#pragma once

#include <burn/base/function_ref.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace burn::autotune {

/// How long work takes on a device. A device with timers of its own derives one that reads them.
class Timer {
public:
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    /// Seconds on the host since some moment: what a time budget is counted in.
    virtual double now() = 0;
    /// Seconds that the device takes for `times` calls of `run`, from when it begins the first to when it has finished the last.
    virtual double seconds(FunctionRef<void()> run, int times) = 0;

protected:
    Timer() = default;
    ~Timer() = default;  // timers live as long as the program
};

/// The clock of the processor, for devices whose calls return when the work is done.
Timer& host_timer();

/// How one candidate did.
struct Timing {
    std::size_t candidate = 0;
    double fastest = 0;   ///< seconds of one run
    double median = 0;    ///< of the samples
    int samples = 0;      ///< 0 when it failed
    std::string failure;  ///< what its error said
};

struct MeasureOptions {
    int rounds = 9;
    double sample_seconds = 1e-3;  ///< runs shorter than this are timed several at once
    double budget_seconds = 0.25;  ///< for all rounds: none begins later, but for the first
    double hopeless = 1.5;         ///< after two rounds, who takes this many times as long as the fastest is out
};

/// Times candidates against each other on one problem.
///
/// Each is run once to warm up; one that throws then, or later, is out, which is no error. Rounds are interleaved, so that what
/// slows the machine for a while slows all of them, and begin with another candidate each time.
///
/// Returns   a timing for each of `candidates`, in their order
std::vector<Timing> measure(std::span<const std::size_t> candidates, FunctionRef<void(std::size_t candidate)> run,
                            Timer& timer, const MeasureOptions& options);

}  // namespace burn::autotune
