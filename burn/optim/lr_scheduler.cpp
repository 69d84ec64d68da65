#include <burn/optim/lr_scheduler.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace burn::optim {

Record LrScheduler::record() const {
    schedule();
    Record record;
    record.add("step", next_);
    return record;
}

void LrScheduler::load_record(const Record& record) {
    if (record.tensors().size() != 0 || record.numbers().size() != 1) {
        raise(ErrorKind::Record, Message() << "learning-rate scheduler: the record has " << record.tensors().size()
                                           << " tensors and " << record.numbers().size()
                                           << " numbers; expected the number \"step\"");
    }
    const auto step = record.number("step").as<std::int64_t>();
    if (step < 0)
        raise(ErrorKind::Record, Message() << "learning-rate scheduler: step is " << step << "; expected at least 0");
    next_ = step;
}

namespace {

template <class Rate>
class Schedule final : public LrSchedule {
public:
    explicit Schedule(Rate rate) : rate_(std::move(rate)) {}
    double rate(std::int64_t k) const override { return rate_(k); }

private:
    Rate rate_;
};

template <class Rate>
LrScheduler scheduler(Rate rate) {
    return LrScheduler(make_ref<Schedule<Rate>>(std::move(rate)));
}

void require_positive(const char* schedule, const char* name, double value) {
    if (value > 0 && value - value == 0) return;
    raise(ErrorKind::Argument,
          Message() << schedule << ": " << name << " is " << value << "; expected a positive number");
}

void require_rate(const char* schedule, const char* name, double value) {
    if (value >= 0 && value - value == 0) return;
    raise(ErrorKind::Argument, Message() << schedule << ": " << name << " is " << value << "; expected at least 0");
}

}  // namespace

LrScheduler ConstantLrSchedulerConfig::init() const {
    require_positive("ConstantLr", "lr", lr);
    return scheduler([lr = *lr](std::int64_t) { return lr; });
}

LrScheduler LinearLrSchedulerConfig::init() const {
    require_positive("LinearLr", "initial_lr", initial_lr);
    require_rate("LinearLr", "final_lr", final_lr);
    require_positive("LinearLr", "num_iters", static_cast<double>(num_iters));
    return scheduler([config = *this](std::int64_t k) {
        const auto share =
            static_cast<double>(std::min<std::int64_t>(k, config.num_iters)) / static_cast<double>(config.num_iters);
        return config.initial_lr + (config.final_lr - config.initial_lr) * share;
    });
}

LrScheduler CosineAnnealingLrSchedulerConfig::init() const {
    require_positive("CosineAnnealingLr", "initial_lr", initial_lr);
    require_rate("CosineAnnealingLr", "min_lr", min_lr);
    require_positive("CosineAnnealingLr", "num_iters", static_cast<double>(num_iters));
    return scheduler([config = *this](std::int64_t k) {
        const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(config.num_iters);
        return config.min_lr + 0.5 * (config.initial_lr - config.min_lr) * (1 + std::cos(angle));
    });
}

LrScheduler ExponentialLrSchedulerConfig::init() const {
    require_positive("ExponentialLr", "initial_lr", initial_lr);
    require_positive("ExponentialLr", "gamma", gamma);
    return scheduler([config = *this](std::int64_t k) {
        return config.initial_lr * std::pow(config.gamma, static_cast<double>(k));
    });
}

LrScheduler StepLrSchedulerConfig::init() const {
    require_positive("StepLr", "initial_lr", initial_lr);
    require_positive("StepLr", "gamma", gamma);
    require_positive("StepLr", "step_size", static_cast<double>(step_size));
    return scheduler([config = *this](std::int64_t k) {
        return config.initial_lr * std::pow(config.gamma, static_cast<double>(k / config.step_size));
    });
}

LrScheduler NoamLrSchedulerConfig::init() const {
    require_positive("NoamLr", "factor", factor);
    require_positive("NoamLr", "warmup_steps", static_cast<double>(warmup_steps));
    require_positive("NoamLr", "model_size", static_cast<double>(model_size));
    return scheduler([config = *this](std::int64_t k) {
        const auto t = static_cast<double>(k + 1);
        const double rise = t * std::pow(static_cast<double>(config.warmup_steps), -1.5);
        return config.factor * std::pow(static_cast<double>(config.model_size), -0.5) *
               std::min(std::pow(t, -0.5), rise);
    });
}

namespace {

/// Raises for one that was moved from, here and not at the first step.
void require_schedulers(const std::vector<LrScheduler>& schedulers) {
    for (const LrScheduler& part : schedulers) part.rate(0);
}

}  // namespace

LrScheduler compose(std::vector<LrScheduler> schedulers, LrReduction reduction) {
    if (schedulers.empty())
        raise(ErrorKind::Argument, Message() << "compose: there are no schedulers; expected at least one");
    require_schedulers(schedulers);
    return scheduler([schedulers = std::move(schedulers), reduction](std::int64_t k) {
        double result = reduction == LrReduction::Prod ? 1 : 0;
        for (const LrScheduler& part : schedulers) {
            if (reduction == LrReduction::Prod) {
                result *= part.rate(k);
            } else {
                result += part.rate(k);
            }
        }
        return reduction == LrReduction::Avg ? result / static_cast<double>(schedulers.size()) : result;
    });
}

LrScheduler in_sequence(std::vector<LrScheduler> schedulers, std::vector<std::int64_t> milestones) {
    if (schedulers.size() != milestones.size() + 1) {
        raise(ErrorKind::Argument, Message() << "in_sequence: " << schedulers.size() << " schedulers and "
                                             << milestones.size()
                                             << " milestones; expected one milestone fewer than schedulers");
    }
    require_schedulers(schedulers);
    std::int64_t last = 0;
    for (const std::int64_t milestone : milestones) {
        if (milestone <= last) {
            raise(ErrorKind::Argument,
                  Message() << "in_sequence: milestone " << milestone << " does not come after " << last);
        }
        last = milestone;
    }
    return scheduler([schedulers = std::move(schedulers), milestones = std::move(milestones)](std::int64_t k) {
        const auto at =
            static_cast<std::size_t>(std::upper_bound(milestones.begin(), milestones.end(), k) - milestones.begin());
        return schedulers[at].rate(k - (at == 0 ? 0 : milestones[at - 1]));
    });
}

}  // namespace burn::optim
