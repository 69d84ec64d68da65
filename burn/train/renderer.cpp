#include <burn/train/renderer.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>

namespace burn::training {

namespace {

constexpr double kLineInterval = 30.0;   // seconds between plain lines inside an epoch
constexpr double kDrawInterval = 0.1;    // seconds between two frames of the bar
constexpr std::size_t kLongestBar = 30;  // characters
constexpr std::size_t kShortestBar = 6;
constexpr std::string_view kClearLine = "\r\x1b[K";

std::string epoch_of(std::size_t epoch, std::size_t epochs) {
    return "epoch " + std::to_string(epoch) + "/" + std::to_string(epochs);
}

std::string metrics_of(const StepReport& report) {
    std::string text;
    for (const MetricReading& metric : report.metrics) {
        text += (text.empty() ? "" : ", ") + metric.info->name + " " + show_value(*metric.info, metric.running);
    }
    return text;
}

std::string count_of(const data::Progress& progress) {
    return std::to_string(progress.batches) + "/" + std::to_string(progress.batches_total);
}

/// "0:42", "1:02:07".
std::string show_duration(double seconds) {
    const auto whole = static_cast<long>(std::ceil(std::clamp(seconds, 0.0, 359'999.0)));
    std::array<char, 32> text{};
    if (whole < 3600) {
        std::snprintf(text.data(), text.size(), "%ld:%02ld", whole / 60, whole % 60);
    } else {
        std::snprintf(text.data(), text.size(), "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    }
    return text.data();
}

std::string bar_of(const data::Progress& progress, std::size_t length) {
    const std::size_t total = std::max<std::size_t>(progress.batches_total, 1);
    const std::size_t done = length * std::min(progress.batches, total) / total;
    std::string bar(done, '=');
    if (done < length) bar += '>';
    bar.resize(length, ' ');
    return "[" + bar + "]";
}

}  // namespace

double monotonic_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

PlainRenderer::PlainRenderer(std::shared_ptr<TextOutput> output, Clock clock)
    : output_(std::move(output)), clock_(clock), epoch_began_(clock()), last_line_(epoch_began_) {}

bool PlainRenderer::wants_step() { return now() - last_line_ >= kLineInterval; }

void PlainRenderer::step(const StepReport& report) {
    message(epoch_of(report.epoch, report.epochs) + "  " + name_of(report.split) + " " + count_of(report.progress) +
            ": " + metrics_of(report));
}

void PlainRenderer::epoch(std::size_t epoch, std::size_t epochs, const MetricHistory& history) {
    std::string line = epoch_of(epoch, epochs);
    const char* separator = "  ";
    for (const Split split : {Split::Train, Split::Valid}) {
        const EpochMetrics* entry = history.find(epoch, split);
        if (entry == nullptr) continue;
        line += separator + std::string(name_of(split)) + ":";
        separator = ";  ";
        for (std::size_t i = 0; i < entry->values.size(); ++i) {
            const MetricInfo& info = history.metrics()[i];
            line += (i == 0 ? " " : ", ") + info.name + " " + show_value(info, entry->values[i]);
        }
    }
    std::array<char, 40> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "  (%.1f s)", now() - epoch_began_);
    epoch_began_ = now();
    message(line + seconds.data());
}

void PlainRenderer::message(std::string_view line) {
    last_line_ = now();
    output_->write(std::string(line) + "\n");
}

void PlainRenderer::finish(const MetricHistory& history) {
    if (!history.epochs().empty()) output_->write("\n" + history.summary());
}

void PlainRenderer::fail(std::string_view error) noexcept {
    try {
        output_->write("error: " + std::string(error) + "\n");
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the error itself goes on to the caller
    }
}

ProgressBarRenderer::ProgressBarRenderer(std::shared_ptr<TextOutput> output, Clock clock)
    : PlainRenderer(std::move(output), clock), last_drawn_(now() - 1) {}

ProgressBarRenderer::~ProgressBarRenderer() {
    try {
        clear();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): nobody can see the bar any more
    }
}

bool ProgressBarRenderer::wants_step() { return now() - last_drawn_ >= kDrawInterval; }

void ProgressBarRenderer::step(const StepReport& report) {
    const data::Progress& progress = report.progress;
    if (report.epoch != epoch_ || report.split != split_ || began_ == 0) {
        epoch_ = report.epoch;
        split_ = report.split;
        began_ = now();
        batches_at_start_ = progress.batches;
    }
    last_drawn_ = now();
    const std::size_t width = output().width();
    const std::string head = epoch_of(report.epoch, report.epochs) + " " + name_of(report.split) + " ";
    std::string tail = " " + count_of(progress);
    const std::string metrics = metrics_of(report);
    if (!metrics.empty()) tail += "  " + metrics;
    const std::size_t made = progress.batches - batches_at_start_;
    if (made > 0) {
        const double each = (now() - began_) / static_cast<double>(made);
        tail += "  " + show_duration(each * static_cast<double>(progress.batches_total - progress.batches)) + " left";
    }
    // The last column stays empty: some terminals begin a new line as soon as it is filled.
    const std::size_t used = head.size() + tail.size() + 3;
    std::string line = head;
    if (width >= used + kShortestBar) line += bar_of(progress, std::min(kLongestBar, width - used));
    line += line.size() == head.size() ? tail.substr(1) : tail;
    if (line.size() >= width) line.resize(width > 0 ? width - 1 : 0);
    output().write(std::string(kClearLine) + line);
    drawn_ = true;
}

void ProgressBarRenderer::clear() {
    if (!drawn_) return;
    drawn_ = false;
    output().write(kClearLine);
}

void ProgressBarRenderer::epoch(std::size_t epoch, std::size_t epochs, const MetricHistory& history) {
    clear();
    PlainRenderer::epoch(epoch, epochs, history);
}

void ProgressBarRenderer::message(std::string_view line) {
    clear();
    PlainRenderer::message(line);
}

void ProgressBarRenderer::finish(const MetricHistory& history) {
    clear();
    PlainRenderer::finish(history);
}

void ProgressBarRenderer::fail(std::string_view) noexcept {
    // Whoever catches the error prints it; the bar that was drawn last stays above it, to show where it happened.
    try {
        if (drawn_) output().write("\n");
        drawn_ = false;
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the error itself goes on to the caller
    }
}

namespace {

/// Standard output that is no terminal. The program reports its errors on standard error itself.
class ConsoleLines final : public PlainRenderer {
public:
    using PlainRenderer::PlainRenderer;
    void fail(std::string_view) noexcept override {}
};

}  // namespace

std::unique_ptr<Renderer> make_console_renderer() {
    auto output = std::make_shared<StandardOutput>();
    if (output->width() > 0) return std::make_unique<ProgressBarRenderer>(std::move(output));
    return std::make_unique<ConsoleLines>(std::move(output));
}

}  // namespace burn::training
