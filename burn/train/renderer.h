#pragma once

#include <burn/base/held.h>
#include <burn/data/data_loader.h>
#include <burn/train/metric_history.h>
#include <burn/train/text_output.h>

#include <memory>
#include <span>
#include <string_view>

namespace burn::training {

/// A metric in the middle of an epoch.
struct MetricReading {
    const MetricInfo* info;
    double value;    ///< of the last step
    double running;  ///< of the split so far
};

/// A step that was just made.
struct StepReport {
    std::size_t epoch = 0;  ///< from 1
    std::size_t epochs = 0;
    Split split = Split::Train;
    data::Progress progress;
    std::span<const MetricReading> metrics;
};

/// Shows a training to people. Every function is called by the training's own thread.
///
/// Errors    what it throws ends the training
class Renderer {
public:
    virtual ~Renderer() = default;
    /// Whether `step` would show anything now; when not, it is not called, and nobody waits for the metrics' values.
    virtual bool wants_step() = 0;
    virtual void step(const StepReport& report) = 0;
    /// Both splits of epoch `epoch` are over, and `history` has their metrics.
    virtual void epoch(std::size_t epoch, std::size_t epochs, const MetricHistory& history) = 0;
    /// One line about what happened: a checkpoint, an interruption.
    virtual void message(std::string_view line) = 0;
    virtual void finish(const MetricHistory& history) = 0;
    /// The training ends by an error, which goes on to whoever started it.
    virtual void fail(std::string_view error) noexcept = 0;
};

/// Seconds since some moment; replaced in tests.
using Clock = double (*)();
double monotonic_seconds();

/// Lines of plain text: one at the end of an epoch, one every half a minute before, and what is said. For pipes and logs.
class PlainRenderer : public Renderer {
public:
    explicit PlainRenderer(std::shared_ptr<TextOutput> output, Clock clock = monotonic_seconds);

    bool wants_step() override;
    void step(const StepReport& report) override;
    void epoch(std::size_t epoch, std::size_t epochs, const MetricHistory& history) override;
    void message(std::string_view line) override;
    void finish(const MetricHistory& history) override;
    void fail(std::string_view error) noexcept override;

protected:
    TextOutput& output() { return held(output_, "Renderer"); }
    double now() const { return clock_(); }

private:
    std::shared_ptr<TextOutput> output_;
    Clock clock_;
    double epoch_began_;
    double last_line_;
};

/// The same lines above one that is drawn again and again: a progress bar with the metrics and the time left.
///
/// The terminal's settings are never changed, so that nothing has to be restored however the program ends.
class ProgressBarRenderer final : public PlainRenderer {
public:
    explicit ProgressBarRenderer(std::shared_ptr<TextOutput> output, Clock clock = monotonic_seconds);
    ~ProgressBarRenderer() override;

    bool wants_step() override;
    void step(const StepReport& report) override;
    void epoch(std::size_t epoch, std::size_t epochs, const MetricHistory& history) override;
    void message(std::string_view line) override;
    void finish(const MetricHistory& history) override;
    void fail(std::string_view error) noexcept override;

private:
    void clear();

    double last_drawn_;
    bool drawn_ = false;
    // When the current split began, and how much was done then.
    std::size_t epoch_ = 0;
    Split split_ = Split::Train;
    double began_ = 0;
    std::size_t batches_at_start_ = 0;
};

/// A progress bar when standard output is a terminal, plain lines otherwise.
std::unique_ptr<Renderer> make_console_renderer();

}  // namespace burn::training
