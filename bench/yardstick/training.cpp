#include <bench/yardstick/training.h>

#include <algorithm>
#include <cmath>

namespace burn::bench {

namespace {

void check_gradient(const StepRecord& record, const StepReference& reference, Parameters& moved, std::size_t which,
                    std::size_t element) {
    constexpr double kStep = 1e-6;  // short, for relu has kinks; rounding costs 1e-9 then
    double& value = moved[which][element];
    const double kept = value;
    value = kept + kStep;
    const double above = reference.loss(moved);
    value = kept - kStep;
    const double below = reference.loss(moved);
    value = kept;
    const double expected = (above - below) / (2 * kStep);
    require_close(record.gradients[which][element], expected, 1e-4 * std::fabs(expected) + 2e-6, "gradient",
                  static_cast<std::int64_t>(element));
}

}  // namespace

std::vector<double> read_doubles(const ops::Handle& tensor) {
    const TensorData data = values_of(tensor);
    std::vector<double> values(static_cast<std::size_t>(data.numel()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = data.at(static_cast<std::int64_t>(i));
    return values;
}

std::vector<std::int64_t> read_indices(const ops::Handle& tensor) {
    const TensorData data = values_of(tensor);
    const std::span<const std::int64_t> values = data.values<std::int64_t>();
    return {values.begin(), values.end()};
}

void ParameterReader::param(const Path&, const AnyParam& param) {
    values_.push_back(read_doubles(gradients_ != nullptr ? gradients_->find(param.id()) : param.value()));
}

void check_step(const StepRecord& record, const StepReference& reference, bool quick) {
    require_close(record.loss, reference.loss(record.before), 1e-4 * std::fabs(record.loss), "loss", 0);
    Parameters moved = record.before;
    for (std::size_t p = 0; p < record.before.size(); ++p) {
        const std::vector<double>& gradient = record.gradients[p];
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            const double g = gradient[i], kept = record.before[p][i] * (1 - reference.rate * reference.decay);
            const double expected = kept - reference.rate * g / (std::fabs(g) + 1e-8);
            require_close(record.after[p][i], expected, 1e-6 * (std::fabs(kept) + 1e-1), "parameter after the step",
                          static_cast<std::int64_t>(i));
        }
        const auto largest = std::max_element(gradient.begin(), gradient.end(),
                                              [](double a, double b) { return std::fabs(a) < std::fabs(b); });
        if (quick || p == 0) {
            check_gradient(record, reference, moved, p, static_cast<std::size_t>(largest - gradient.begin()));
        }
        if (quick) check_gradient(record, reference, moved, p, gradient.size() / 2);
    }
}

void add_training_cases(CaseList& cases) {
    cases.push_back({"train.mlp", train_mlp});
    cases.push_back({"train.guide_cnn", train_guide_cnn});
    cases.push_back({"train.gpt", train_gpt});
}

}  // namespace burn::bench
