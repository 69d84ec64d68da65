#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace burn::training {

/// The two parts of an epoch.
enum class Split : std::uint8_t { Train, Valid };

const char* name_of(Split split);

/// How a metric is called and shown.
struct MetricInfo {
    std::string name;
    std::string unit = {};  ///< "%", "s"; empty for none
    bool higher_is_better = false;
    int decimals = 4;

    bool operator==(const MetricInfo&) const = default;
};

/// A value with the metric's decimals and unit: "84.12 %".
std::string show_value(const MetricInfo& info, double value);

/// What the metrics came to at the end of one split of one epoch. Epochs count from 1.
struct EpochMetrics {
    std::size_t epoch = 0;
    Split split = Split::Train;
    std::vector<double> values;  ///< one for each metric

    bool operator==(const EpochMetrics&) const = default;
};

/// What the metrics came to in all epochs so far.
class MetricHistory {
public:
    struct Best {
        double value;
        std::size_t epoch;
    };

    MetricHistory() = default;
    explicit MetricHistory(std::vector<MetricInfo> metrics) : metrics_(std::move(metrics)) {}

    const std::vector<MetricInfo>& metrics() const { return metrics_; }
    const std::vector<EpochMetrics>& epochs() const { return epochs_; }
    /// Errors    ArgumentError when there are not as many values as metrics
    void add(EpochMetrics epoch);

    /// Nothing when that split of the epoch is not there.
    const EpochMetrics* find(std::size_t epoch, Split split) const;
    /// The lowest and the highest value of a metric with their (first) epochs. NaN is passed over.
    std::optional<Best> lowest(std::size_t metric, Split split) const;
    std::optional<Best> highest(std::size_t metric, Split split) const;

    /// A table with a row for each metric and split: lowest and highest value, and in which epoch.
    std::string summary() const;

private:
    template <class Better>
    std::optional<Best> best(std::size_t metric, Split split, Better better) const;

    std::vector<MetricInfo> metrics_;
    std::vector<EpochMetrics> epochs_;
};

}  // namespace burn::training
