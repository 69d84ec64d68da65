#include <burn/compiler/autotune/measure.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>

namespace burn::autotune {

namespace {

class HostTimer final : public Timer {
public:
    double now() override {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    double seconds(FunctionRef<void()> run, int times) override {
        const double begin = now();
        for (int i = 0; i < times; ++i) run();
        return now() - begin;
    }
};

constexpr int kMostRunsPerSample = 1000;

/// A candidate while it is measured.
struct Contender {
    std::size_t candidate;
    int runs_per_sample = 1;
    bool in = true;
    std::vector<double> samples;
    std::string failure;

    double fastest() const {
        return samples.empty() ? std::numeric_limits<double>::infinity() : *std::ranges::min_element(samples);
    }

    Timing timing() {
        Timing timing{.candidate = candidate, .fastest = 0, .median = 0, .samples = 0, .failure = failure};
        if (!failure.empty() || samples.empty()) return timing;
        timing.fastest = fastest();
        timing.samples = static_cast<int>(samples.size());
        const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
        std::ranges::nth_element(samples, middle);
        timing.median = *middle;
        return timing;
    }
};

}  // namespace

Timer& host_timer() {
    static HostTimer timer;
    return timer;
}

std::vector<Timing> measure(std::span<const std::size_t> candidates, FunctionRef<void(std::size_t)> run, Timer& timer,
                            const MeasureOptions& options) {
    std::vector<Contender> contenders;
    contenders.reserve(candidates.size());
    for (const std::size_t candidate : candidates) {
        contenders.push_back({.candidate = candidate, .samples = {}, .failure = {}});
    }
    const auto sample = [&](Contender& contender, int times) {
        try {
            return timer.seconds([&] { run(contender.candidate); }, times) / times;
        } catch (const std::exception& error) {
            contender.failure = error.what();
        } catch (...) {
            contender.failure = "an unknown error";
        }
        if (contender.failure.empty()) contender.failure = "an error without a message";
        contender.in = false;
        return 0.0;
    };
    for (Contender& contender : contenders) {
        sample(contender, 1);
        if (!contender.in) continue;
        const double once = sample(contender, 1);
        const double runs = once > 0 ? options.sample_seconds / once : kMostRunsPerSample;
        contender.runs_per_sample = static_cast<int>(std::clamp(runs, 1.0, 1.0 * kMostRunsPerSample));
    }
    const double begin = timer.now();
    for (int round = 0; round < options.rounds; ++round) {
        if (round > 0 && timer.now() - begin >= options.budget_seconds) break;
        for (std::size_t i = 0; i < contenders.size(); ++i) {
            Contender& contender = contenders[(i + static_cast<std::size_t>(round)) % contenders.size()];
            if (!contender.in) continue;
            const double seconds = sample(contender, contender.runs_per_sample);
            if (contender.in) contender.samples.push_back(seconds);
        }
        if (round == 0) continue;
        double best = std::numeric_limits<double>::infinity();
        for (const Contender& contender : contenders) {
            if (contender.in) best = std::min(best, contender.fastest());
        }
        for (Contender& contender : contenders) {
            if (contender.fastest() > options.hopeless * best) contender.in = false;
        }
    }
    std::vector<Timing> timings;
    timings.reserve(contenders.size());
    for (Contender& contender : contenders) timings.push_back(contender.timing());
    return timings;
}

}  // namespace burn::autotune
