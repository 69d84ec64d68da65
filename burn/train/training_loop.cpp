#include <burn/base/error.h>
#include <burn/store/burnpack.h>
#include <burn/store/quote.h>
#include <burn/train/checkpoint_folder.h>
#include <burn/train/training_loop.h>

#include <exception>
#include <functional>

namespace burn::training {

namespace {

constexpr const char* kProgressFile = "/progress.bpk";

std::string metric_key(std::size_t metric) { return "metric." + std::to_string(metric); }

/// The history as a file: the training's identity, the metrics' names, and a row "epoch, split, values.." for each entry.
void save_history(const MetricHistory& history, const std::string& identity, const std::string& path) {
    store::TensorFileContents contents;
    contents.metadata["identity"] = identity;
    for (std::size_t i = 0; i < history.metrics().size(); ++i)
        contents.metadata[metric_key(i)] = history.metrics()[i].name;
    std::vector<double> rows;
    for (const EpochMetrics& entry : history.epochs()) {
        rows.push_back(static_cast<double>(entry.epoch));
        rows.push_back(entry.split == Split::Train ? 0 : 1);
        rows.insert(rows.end(), entry.values.begin(), entry.values.end());
    }
    const Shape shape{static_cast<std::int64_t>(history.epochs().size()),
                      static_cast<std::int64_t>(history.metrics().size() + 2)};
    contents.tensors.push_back({"history", TensorData::from(std::span<const double>(rows), shape)});
    store::write_burnpack(path, contents);
}

MetricHistory load_history(std::vector<MetricInfo> metrics, const std::string& identity, const std::string& path) {
    const store::TensorFile file = store::open_burnpack(path);
    const auto refuse = [&](const std::string& what) {
        raise(ErrorKind::Record,
              Message() << "cannot resume from " << store::quote_path(path).c_str() << ": " << what.c_str());
    };
    const auto stored_identity = file.metadata().find("identity");
    if (stored_identity == file.metadata().end()) refuse("it lacks the training's identity");
    if (stored_identity->second != identity) {
        refuse("it is of another training: " + store::quote(stored_identity->second) + ", this one is " +
               store::quote(identity));
    }
    for (std::size_t i = 0; i <= metrics.size(); ++i) {
        const auto stored = file.metadata().find(metric_key(i));
        const bool has = stored != file.metadata().end();
        if (has != (i < metrics.size())) refuse("it has another number of metrics than this training");
        if (has && stored->second != metrics[i].name) {
            refuse("its metric " + store::quote(stored->second) + " is " + store::quote(metrics[i].name) +
                   " in this training");
        }
    }
    const TensorData rows = file.read("history");
    const auto columns = static_cast<std::int64_t>(metrics.size() + 2);
    if (rows.shape().rank() != 2 || rows.shape()[1] != columns || rows.dtype() != DType::F64) {
        refuse("its history is not a table of F64");
    }
    MetricHistory history(std::move(metrics));
    for (auto row = rows.values<double>(); !row.empty(); row = row.subspan(static_cast<std::size_t>(columns))) {
        history.add({.epoch = static_cast<std::size_t>(row[0]),
                     .split = row[1] == 0 ? Split::Train : Split::Valid,
                     .values = std::vector<double>(row.begin() + 2, row.begin() + columns)});
    }
    return history;
}

class TrainingLoop {
public:
    TrainingLoop(Trainee& trainee, const TrainingSettings& settings) : trainee_(trainee), settings_(settings) {
        if (!settings.checkpoints.empty()) folder_.emplace(settings.checkpoints);
    }

    TrainingOutcome run() {
        outcome_.history = MetricHistory(trainee_.metrics());
        if (folder_) folder_->remove_partial();
        if (settings_.resume) resume(*settings_.resume);
        first_epoch_ = outcome_.epochs_done + 1;
        while (outcome_.epochs_done < settings_.epochs && epoch(outcome_.epochs_done + 1)) ++outcome_.epochs_done;
        tell([&](Renderer& renderer) { renderer.finish(outcome_.history); });
        return std::move(outcome_);
    }

private:
    void tell(const std::function<void(Renderer&)>& what) {
        for (const auto& renderer : settings_.renderers) what(*renderer);
    }
    void say(const std::string& line) {
        tell([&](Renderer& renderer) { renderer.message(line); });
    }

    void resume(const ResumeFrom& from) {
        if (!folder_)
            raise(ErrorKind::Argument, Message() << "training: it shall resume, but has no folder of checkpoints");
        const std::vector<std::size_t> epochs = folder_->epochs();
        if (epochs.empty()) {
            raise(ErrorKind::Record, Message() << "cannot resume: there is no checkpoint in "
                                               << store::quote_path(folder_->path()).c_str());
        }
        const std::size_t epoch = from.epoch.value_or(epochs.back());
        if (!folder_->contains(epoch)) {
            raise(ErrorKind::Record, Message() << "cannot resume: there is no checkpoint of epoch " << epoch << " in "
                                               << store::quote_path(folder_->path()).c_str()
                                               << "; the latest is of epoch " << epochs.back());
        }
        const std::string path = folder_->path_of(epoch);
        outcome_.history = load_history(trainee_.metrics(), settings_.identity, path + kProgressFile);
        trainee_.load(path);
        outcome_.epochs_done = epoch;
        say("resuming after epoch " + std::to_string(epoch) + " from " + path);
    }

    /// False when it was interrupted.
    bool epoch(std::size_t epoch) {
        MetricHistory history = outcome_.history;
        for (const Split split : {Split::Train, Split::Valid}) {
            trainee_.begin(split, epoch);
            while (true) {
                if (settings_.interrupter.stopped()) {
                    interrupted(epoch, split);
                    return false;
                }
                if (!trainee_.step()) break;
                show_step(epoch, split);
            }
            EpochMetrics entry{.epoch = epoch, .split = split, .values = {}};
            for (const MetricReading& reading : trainee_.readings()) entry.values.push_back(reading.running);
            history.add(std::move(entry));
        }
        outcome_.history = std::move(history);
        tell([&](Renderer& renderer) { renderer.epoch(epoch, settings_.epochs, outcome_.history); });
        if (folder_) checkpoint(epoch);
        return true;
    }

    void show_step(std::size_t epoch, Split split) {
        std::vector<MetricReading> readings;
        for (const auto& renderer : settings_.renderers) {
            if (!renderer->wants_step()) continue;
            if (readings.empty()) readings = trainee_.readings();
            renderer->step({.epoch = epoch,
                            .epochs = settings_.epochs,
                            .split = split,
                            .progress = trainee_.progress(),
                            .metrics = readings});
        }
    }

    void interrupted(std::size_t epoch, Split split) {
        outcome_.interrupted = settings_.interrupter.reason();
        const data::Progress progress = trainee_.progress();
        std::string line = "interrupted (" + outcome_.interrupted + ") in epoch " + std::to_string(epoch) + ", " +
                           name_of(split) + " batch " + std::to_string(progress.batches) + " of " +
                           std::to_string(progress.batches_total);
        if (folder_ && outcome_.epochs_done > 0) {
            line += "; the last checkpoint is " + folder_->path_of(outcome_.epochs_done);
        } else {
            line += "; there is no checkpoint yet";
        }
        say(line);
    }

    void checkpoint(std::size_t epoch) {
        CheckpointFolder::Writer writer(*folder_, epoch);
        trainee_.save(writer.path());
        save_history(outcome_.history, settings_.identity, writer.path() + kProgressFile);
        writer.commit();
        if (epoch == first_epoch_) {
            // Later ones are of an earlier training, which this one replaces from here on. They go after this one is safe: until
            // then they may be all there is.
            for (const std::size_t old : folder_->epochs()) {
                if (old > epoch) folder_->remove(old);
            }
        }
        folder_->keep_last(settings_.keep_checkpoints);
        say("checkpoint: " + folder_->path_of(epoch));
    }

    Trainee& trainee_;
    const TrainingSettings& settings_;
    std::optional<CheckpointFolder> folder_;
    TrainingOutcome outcome_;
    std::size_t first_epoch_ = 1;
};

void tell_failure(const TrainingSettings& settings, const char* error) {
    for (const auto& renderer : settings.renderers) renderer->fail(error);
}

}  // namespace

TrainingOutcome run_training(Trainee& trainee, const TrainingSettings& settings) {
    if (settings.keep_checkpoints == 0) {
        raise(ErrorKind::Argument, Message() << "training: 0 checkpoints to keep; expected at least 1");
    }
    try {
        return TrainingLoop(trainee, settings).run();
    } catch (const std::exception& error) {
        tell_failure(settings, error.what());
        throw;
    } catch (...) {
        tell_failure(settings, "unknown");
        throw;
    }
}

}  // namespace burn::training
