#pragma once

#include <burn/train/interrupter.h>
#include <burn/train/renderer.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace burn::training {

/// What the training loop asks of a model with its data, optimiser and metrics, whose types it does not know.
class Trainee {
public:
    virtual ~Trainee() = default;

    virtual std::vector<MetricInfo> metrics() const = 0;
    /// Starts a split of an epoch (from 1): opens its data, forgets the metrics' values.
    virtual void begin(Split split, std::size_t epoch) = 0;
    /// Works on the next batch of the split. False when there was none left; then whatever was postponed is done, too.
    virtual bool step() = 0;
    virtual data::Progress progress() const = 0;
    /// The metrics of the current split, in the order of `metrics`. Waits for their values.
    virtual std::vector<MetricReading> readings() = 0;

    /// Writes everything that the next epoch depends on into an existing folder, and reads it back.
    virtual void save(const std::string& folder) const = 0;
    virtual void load(const std::string& folder) = 0;
};

/// Where a training begins.
struct ResumeFrom {
    /// The checkpoint of this epoch; the latest one when empty.
    std::optional<std::size_t> epoch;
};

struct TrainingSettings {
    std::size_t epochs = 1;
    /// The folder for checkpoints, one after every epoch; none when empty.
    std::string checkpoints;
    std::size_t keep_checkpoints = 2;
    /// What the training is: its configuration as text. A checkpoint is resumed only by a training of the same identity.
    std::string identity;
    /// Begins from the start when empty. Checkpoints of an earlier training in the folder stay until the first new one.
    std::optional<ResumeFrom> resume;
    Interrupter interrupter;
    std::vector<std::shared_ptr<Renderer>> renderers;
};

struct TrainingOutcome {
    MetricHistory history;
    std::size_t epochs_done = 0;  ///< including those before a resumption
    std::string interrupted;      ///< why the training ended early; empty when it did not
};

/// Trains and validates for the epochs that are left, with a checkpoint after each one.
///
/// A checkpoint is reported to the renderers only when it is safe on the disk; resuming from it gives, bit for bit, what an
/// uninterrupted training gives.
///
/// Errors    IoError when a checkpoint cannot be written; RecordError when there is none to resume from, or it belongs to
///           another training; whatever the trainee throws. Renderers have been told when an error leaves
TrainingOutcome run_training(Trainee& trainee, const TrainingSettings& settings);

}  // namespace burn::training
