#pragma once

#include <burn/ops/pending.h>
#include <burn/tensor/tensor.h>
#include <burn/train/metric_history.h>

#include <optional>

namespace burn::training {

/// Something measured on what every step gives: `update` takes a step's output, `value` is the last step's, `running` that
/// of all steps since `clear`.
///
/// `update` should not wait for a device; `value` and `running` do.
template <class M, class Output>
concept Metric = std::copy_constructible<M> && requires(M& metric, const M& constant, const Output& output) {
    { constant.info() } -> std::convertible_to<MetricInfo>;
    metric.update(output);
    { metric.value() } -> std::convertible_to<double>;
    { metric.running() } -> std::convertible_to<double>;
    metric.clear();
};

/// A mean over steps that count by their weights, of values that devices may still be computing.
///
///   running = sum of totals / sum of weights
class RunningMean {
public:
    /// The total of a step is `scale` times the one element of `reading`.
    void add(Pending<TensorData> reading, double scale, double weight);
    /// The last step's total over its weight; NaN before the first.
    double value();
    double running();
    void clear();

private:
    struct Step {
        Pending<TensorData> reading;
        double scale;
        double weight;
    };
    void settle();

    std::optional<Step> waiting_;
    double value_ = 0;
    double total_ = 0;
    double weight_ = 0;
};

/// The mean loss, each step counting by the size of its batch.
///
/// Takes outputs with `loss` (the mean over the batch) and `output` (whose first axis is the batch).
class LossMetric {
public:
    MetricInfo info() const { return {.name = "loss"}; }
    template <class Output>
    void update(const Output& output) {
        const auto batch = static_cast<double>(output.output.dim(0));
        mean_.add(output.loss.to_data_async(), batch, batch);
    }
    double value() { return mean_.value(); }
    double running() { return mean_.running(); }
    void clear() { mean_.clear(); }

private:
    RunningMean mean_;
};

/// The share of items whose largest output is that of their class.
///
/// Takes outputs with `output` [items, classes] and `targets` [items].
/// Units     per cent
class AccuracyMetric {
public:
    MetricInfo info() const { return {.name = "accuracy", .unit = "%", .higher_is_better = true, .decimals = 2}; }
    template <class Output>
    void update(const Output& output) {
        const std::int64_t items = output.output.dim(0);
        auto predicted = output.output.argmax(1).template reshape<1>({items});
        auto hits = std::move(predicted).equal(output.targets).int_().sum();
        mean_.add(hits.to_data_async(), 100, static_cast<double>(items));
    }
    double value() { return mean_.value(); }
    double running() { return mean_.running(); }
    void clear() { mean_.clear(); }

private:
    RunningMean mean_;
};

}  // namespace burn::training
