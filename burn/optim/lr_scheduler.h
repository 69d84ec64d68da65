#pragma once

#include <burn/base/held.h>
#include <burn/module/config.h>
#include <burn/module/record.h>

#include <cstdint>
#include <vector>

namespace burn::optim {

/// A learning rate for every step, computed from the number of the step.
class LrSchedule : public Counted {
public:
    /// The rate of step number `k`, counted from 0.
    virtual double rate(std::int64_t k) const = 0;
};

/// Gives the learning rate of one step after the other. Configs make it: `LinearLrSchedulerConfig{0.1, 0.001, 500}.init()`.
class LrScheduler {
public:
    explicit LrScheduler(Ref<LrSchedule> schedule) : schedule_(std::move(schedule)) {}

    /// The rate of the next step. The first call gives the initial rate.
    double step() {
        const double rate = schedule().rate(next_);
        ++next_;
        return rate;
    }

    /// How many steps were taken: the number "step".
    Record record() const;
    /// Errors    RecordError, and nothing changes, when the record is not one of a scheduler
    void load_record(const Record& record);

    /// For schedulers made of others.
    double rate(std::int64_t k) const { return schedule().rate(k); }

private:
    const LrSchedule& schedule() const { return held(schedule_, "LrScheduler"); }

    Ref<LrSchedule> schedule_;
    std::int64_t next_ = 0;
};

// The configs. init raises an ArgumentError for rates that are no positive numbers and counts below 1.

/// rate(k) = lr
struct ConstantLrSchedulerConfig {
    Required<double> lr;
    BURN_CONFIG(ConstantLrSchedulerConfig, lr)
    LrScheduler init() const;
};

/// From initial_lr to final_lr in num_iters equal steps, and constant from there.
struct LinearLrSchedulerConfig {
    Required<double> initial_lr;
    Required<double> final_lr;
    Required<std::int64_t> num_iters;
    BURN_CONFIG(LinearLrSchedulerConfig, initial_lr, final_lr, num_iters)
    LrScheduler init() const;
};

/// rate(k) = min_lr + (initial_lr - min_lr) (1 + cos(pi k / num_iters)) / 2; it goes on swinging after num_iters.
///
/// Source    Loshchilov, Hutter, "SGDR: stochastic gradient descent with warm restarts", 2017
struct CosineAnnealingLrSchedulerConfig {
    Required<double> initial_lr;
    Required<std::int64_t> num_iters;
    double min_lr = 0;
    BURN_CONFIG(CosineAnnealingLrSchedulerConfig, initial_lr, num_iters, min_lr)
    LrScheduler init() const;
};

/// rate(k) = initial_lr gamma^k
struct ExponentialLrSchedulerConfig {
    Required<double> initial_lr;
    Required<double> gamma;
    BURN_CONFIG(ExponentialLrSchedulerConfig, initial_lr, gamma)
    LrScheduler init() const;
};

/// rate(k) = initial_lr gamma^(k / step_size), the quotient rounded down
struct StepLrSchedulerConfig {
    Required<double> initial_lr;
    Required<std::int64_t> step_size;
    double gamma = 0.1;
    BURN_CONFIG(StepLrSchedulerConfig, initial_lr, step_size, gamma)
    LrScheduler init() const;
};

/// rate(k) = factor model_size^-0.5 min(t^-0.5, t warmup_steps^-1.5),  t = k + 1
///
/// Source    Vaswani et al., "Attention is all you need", 2017
struct NoamLrSchedulerConfig {
    Required<double> factor;
    std::int64_t warmup_steps = 4000;
    std::int64_t model_size = 512;
    BURN_CONFIG(NoamLrSchedulerConfig, factor, warmup_steps, model_size)
    LrScheduler init() const;
};

enum class LrReduction : std::uint8_t { Prod, Sum, Avg };
BURN_ENUM_NAMES(LrReduction, Prod, Sum, Avg)

/// One rate from those of several schedulers.
///
/// Errors    ArgumentError for none
LrScheduler compose(std::vector<LrScheduler> schedulers, LrReduction reduction = LrReduction::Prod);

/// One scheduler after the other: number i + 1 takes over at step milestones[i], from its own first rate.
///
/// Errors    ArgumentError unless milestones ascend and are one fewer than schedulers
LrScheduler in_sequence(std::vector<LrScheduler> schedulers, std::vector<std::int64_t> milestones);

}  // namespace burn::optim
