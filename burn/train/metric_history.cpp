#include <burn/base/error.h>
#include <burn/train/metric_history.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace burn::training {

const char* name_of(Split split) { return split == Split::Train ? "train" : "valid"; }

std::string show_value(const MetricInfo& info, double value) {
    std::array<char, 400> text{};  // the largest double has 309 digits
    std::snprintf(text.data(), text.size(), "%.*f", info.decimals, value);
    return std::string(text.data()) + (info.unit.empty() ? "" : " " + info.unit);
}

void MetricHistory::add(EpochMetrics epoch) {
    if (epoch.values.size() != metrics_.size()) {
        raise(ErrorKind::Argument, Message() << "MetricHistory: " << epoch.values.size()
                                             << " values; expected one for each of " << metrics_.size() << " metrics");
    }
    epochs_.push_back(std::move(epoch));
}

const EpochMetrics* MetricHistory::find(std::size_t epoch, Split split) const {
    for (const EpochMetrics& entry : epochs_) {
        if (entry.epoch == epoch && entry.split == split) return &entry;
    }
    return nullptr;
}

template <class Better>
std::optional<MetricHistory::Best> MetricHistory::best(std::size_t metric, Split split, Better better) const {
    std::optional<Best> best;
    for (const EpochMetrics& entry : epochs_) {
        const double value = entry.values.at(metric);
        if (entry.split != split || std::isnan(value)) continue;
        if (!best || better(value, best->value)) best = {value, entry.epoch};
    }
    return best;
}

std::optional<MetricHistory::Best> MetricHistory::lowest(std::size_t metric, Split split) const {
    return best(metric, split, [](double a, double b) { return a < b; });
}

std::optional<MetricHistory::Best> MetricHistory::highest(std::size_t metric, Split split) const {
    return best(metric, split, [](double a, double b) { return a > b; });
}

std::string MetricHistory::summary() const {
    using Row = std::array<std::string, 6>;
    std::vector<Row> rows = {{"metric", "split", "min", "epoch", "max", "epoch"}};
    for (std::size_t metric = 0; metric < metrics_.size(); ++metric) {
        for (const Split split : {Split::Train, Split::Valid}) {
            const auto low = lowest(metric, split);
            const auto high = highest(metric, split);
            if (!low || !high) continue;
            const MetricInfo& info = metrics_[metric];
            rows.push_back({info.name, name_of(split), show_value(info, low->value), std::to_string(low->epoch),
                            show_value(info, high->value), std::to_string(high->epoch)});
        }
    }
    std::array<std::size_t, 6> widths{};
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - row[i].size(), ' ');
            if (i > 0) text += "  ";
            text += i < 2 ? row[i] + padding : padding + row[i];  // words to the left, numbers to the right
        }
        text += '\n';
        if (&row == &rows.front()) {
            std::size_t total = 2 * (widths.size() - 1);
            for (const std::size_t width : widths) total += width;
            text += std::string(total, '-') + '\n';
        }
    }
    return text;
}

}  // namespace burn::training
