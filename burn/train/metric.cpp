#include <burn/train/metric.h>

#include <limits>

namespace burn::training {

void RunningMean::add(Pending<TensorData> reading, double scale, double weight) {
    settle();
    waiting_.emplace(std::move(reading), scale, weight);
}

void RunningMean::settle() {
    if (!waiting_) return;
    Step step = std::move(*waiting_);
    waiting_.reset();
    const double total = step.scale * std::move(step.reading).wait().at(0);
    value_ = total / step.weight;
    total_ += total;
    weight_ += step.weight;
}

double RunningMean::value() {
    settle();
    return weight_ > 0 ? value_ : std::numeric_limits<double>::quiet_NaN();
}

double RunningMean::running() {
    settle();
    return weight_ > 0 ? total_ / weight_ : std::numeric_limits<double>::quiet_NaN();
}

void RunningMean::clear() { *this = RunningMean(); }

}  // namespace burn::training
