#pragma once

#include <burn/data/data_loader.h>
#include <burn/module/module.h>
#include <burn/optim/gradients_params.h>
#include <burn/optim/lr_scheduler.h>
#include <burn/optim/optimizer.h>
#include <burn/store/store.h>
#include <burn/train/metric.h>
#include <burn/train/step_output.h>
#include <burn/train/training_loop.h>

#include <tuple>

namespace burn::training {

/// A model with what changes it: an optimiser and a schedule of learning rates.
template <Module M>
struct Learner {
    M model;
    optim::Optimizer optimizer;
    optim::LrScheduler lr_scheduler;
};
template <class M>
Learner(M, optim::Optimizer, optim::LrScheduler) -> Learner<M>;

namespace detail {

/// Where the module's parameters live; null for a module without any.
class EngineFinder final : public ModuleVisitor {
public:
    void param(const Path& path, const AnyParam& param) override;
    ops::Engine* engine = nullptr;
};

/// The state of a training beside model and optimiser: its schedule and the random numbers of its device.
Record training_state(const optim::LrScheduler& scheduler, const ops::Engine* engine);
void load_training_state(const Record& record, optim::LrScheduler& scheduler, ops::Engine* engine);

/// The settings with a console renderer, unless there is one, and a log in the folder.
TrainingSettings with_default_renderers(TrainingSettings settings, const std::string& folder);

/// A learner with its data and metrics, for the training loop.
template <class M, class TrainBatch, class ValidBatch, class... Ms>
class LearnerTrainee final : public Trainee {
public:
    LearnerTrainee(Learner<M>& learner, const data::DataLoader<TrainBatch>& train,
                   const data::DataLoader<ValidBatch>& valid, std::size_t accumulation,
                   const std::tuple<Ms...>& metrics)
        : learner_(learner), train_loader_(train), valid_loader_(valid), accumulation_(accumulation),
          metrics_(metrics) {}

    std::vector<MetricInfo> metrics() const override {
        return std::apply([](const auto&... each) { return std::vector<MetricInfo>{each.info()...}; }, metrics_);
    }

    void begin(Split split, std::size_t epoch) override {
        end_split();
        infos_ = metrics();
        std::apply([](auto&... each) { (each.clear(), ...); }, metrics_);
        if (split == Split::Train) {
            train_.emplace(train_loader_.epoch(epoch));
        } else {
            valid_.emplace(valid_loader_.epoch(epoch));
            valid_model_.emplace(learner_.model.valid());
        }
    }

    bool step() override { return train_ ? train_step() : valid_step(); }

    data::Progress progress() const override {
        if (train_) return train_->progress();
        return valid_ ? valid_->progress() : data::Progress{};
    }

    std::vector<MetricReading> readings() override {
        std::vector<MetricReading> readings;
        const MetricInfo* info = infos_.data();
        std::apply([&](auto&... each) { (readings.push_back({info++, each.value(), each.running()}), ...); }, metrics_);
        return readings;
    }

    void save(const std::string& folder) const override {
        burn::save(learner_.model, folder + "/model.bpk");
        burn::save(learner_.optimizer, folder + "/optimizer.bpk");
        burn::save(training_state(learner_.lr_scheduler, engine()), folder + "/state.bpk");
    }
    void load(const std::string& folder) override {
        burn::load(learner_.model, folder + "/model.bpk");
        burn::load(learner_.optimizer, folder + "/optimizer.bpk");
        load_training_state(store::read_record(folder + "/state.bpk"), learner_.lr_scheduler, engine());
    }

private:
    using ValidModel = std::remove_cvref_t<decltype(std::declval<const M&>().valid())>;

    bool train_step() {
        std::optional<TrainBatch> batch = train_->next();
        if (!batch) {
            if (accumulated_ > 0) update();
            return false;
        }
        {
            auto [gradients, output] = learner_.model.train_step(std::move(*batch));
            measure(output);
            accumulator_.accumulate(learner_.model, std::move(gradients));
        }
        // Nothing of the step is alive any more, so that parameters can be updated in place.
        if (++accumulated_ == accumulation_) update();
        return true;
    }

    bool valid_step() {
        std::optional<ValidBatch> batch = valid_->next();
        if (!batch) return false;
        measure(valid_model_->valid_step(std::move(*batch)));
        return true;
    }

    void update() {
        const double rate = learner_.lr_scheduler.step();
        learner_.model = learner_.optimizer.step(rate, std::move(learner_.model), accumulator_.grads());
        accumulated_ = 0;
    }

    template <class Output>
    void measure(const Output& output) {
        std::apply([&](auto&... each) { (each.update(output), ...); }, metrics_);
    }

    void end_split() {
        train_.reset();
        valid_.reset();
        valid_model_.reset();
    }

    ops::Engine* engine() const {
        EngineFinder finder;
        visit_module(learner_.model, finder);
        return finder.engine;
    }

    Learner<M>& learner_;
    const data::DataLoader<TrainBatch>& train_loader_;
    const data::DataLoader<ValidBatch>& valid_loader_;
    std::size_t accumulation_;
    std::tuple<Ms...> metrics_;
    std::vector<MetricInfo> infos_;
    std::optional<data::DataLoaderEpoch<TrainBatch>> train_;
    std::optional<data::DataLoaderEpoch<ValidBatch>> valid_;
    std::optional<ValidModel> valid_model_;
    optim::GradientsAccumulator accumulator_;
    std::size_t accumulated_ = 0;
};

}  // namespace detail

/// What a training gives back.
template <Module M>
struct TrainingResult {
    Learner<M> learner;
    TrainingOutcome outcome;
};

/// Trains a learner on one set of batches and validates it on another, epoch by epoch, with checkpoints, progress and a
/// summary.
///
/// Its folder gets "checkpoints/epoch-N" and "training.log". Data order and random numbers follow from the seeds of loaders
/// and device, so that a resumed training continues as if it had never stopped.
///
/// Example   auto result = SupervisedTraining("artifacts", train_loader, valid_loader)
///               .metrics(LossMetric(), AccuracyMetric())
///               .num_epochs(5)
///               .launch(Learner{model, optimizer, scheduler});
template <class TrainBatch, class ValidBatch, class... Ms>
class SupervisedTraining {
public:
    SupervisedTraining(std::string folder, data::DataLoader<TrainBatch> train, data::DataLoader<ValidBatch> valid)
        : folder_(std::move(folder)), train_(std::move(train)), valid_(std::move(valid)) {
        settings_.checkpoints = folder_ + "/checkpoints";
    }

    /// What to measure in both splits; replaces what was there.
    template <class... Others>
    SupervisedTraining<TrainBatch, ValidBatch, Others...> metrics(Others... metrics) const {
        return {*this, std::tuple<Others...>(std::move(metrics)...)};
    }
    SupervisedTraining& num_epochs(std::size_t epochs) {
        settings_.epochs = epochs;
        return *this;
    }
    /// Updates the model after every `batches` batches, with the sum of their gradients. A rest at the end of an epoch is an
    /// update, too.
    ///
    /// Errors    ArgumentError when it is 0
    SupervisedTraining& grads_accumulation(std::size_t batches) {
        if (batches == 0)
            raise(ErrorKind::Argument, Message() << "SupervisedTraining: gradients of 0 batches; expected at least 1");
        accumulation_ = batches;
        return *this;
    }
    SupervisedTraining& keep_checkpoints(std::size_t count) {
        settings_.keep_checkpoints = count;
        return *this;
    }
    SupervisedTraining& without_checkpoints() {
        settings_.checkpoints.clear();
        return *this;
    }
    /// What the training is, as text: a checkpoint of another one is not resumed.
    SupervisedTraining& identity(std::string text) {
        settings_.identity = std::move(text);
        return *this;
    }
    /// Goes on from the latest checkpoint, or from that of an epoch.
    SupervisedTraining& resume(std::optional<std::size_t> epoch = std::nullopt) {
        settings_.resume = ResumeFrom{epoch};
        return *this;
    }
    SupervisedTraining& interrupter(Interrupter interrupter) {
        settings_.interrupter = std::move(interrupter);
        return *this;
    }
    /// Replaces the progress on standard output.
    SupervisedTraining& renderer(std::shared_ptr<Renderer> renderer) {
        settings_.renderers = {std::move(renderer)};
        return *this;
    }

    /// Errors    IoError for what cannot be written; RecordError when there is nothing to resume from; whatever the data, the
    ///           model and the optimiser throw
    template <TrainStep<TrainBatch> M>
        requires ValidStep<decltype(std::declval<const M&>().valid()), ValidBatch>
    TrainingResult<M> launch(Learner<M> learner) const {
        detail::LearnerTrainee trainee(learner, train_, valid_, accumulation_, metrics_);
        TrainingOutcome outcome = run_training(trainee, detail::with_default_renderers(settings_, folder_));
        return {std::move(learner), std::move(outcome)};
    }

private:
    template <class, class, class...>
    friend class SupervisedTraining;

    template <class... Others>
    SupervisedTraining(const SupervisedTraining<TrainBatch, ValidBatch, Others...>& other, std::tuple<Ms...> metrics)
        : folder_(other.folder_), train_(other.train_), valid_(other.valid_), settings_(other.settings_),
          accumulation_(other.accumulation_), metrics_(std::move(metrics)) {}

    std::string folder_;
    data::DataLoader<TrainBatch> train_;
    data::DataLoader<ValidBatch> valid_;
    TrainingSettings settings_;
    std::size_t accumulation_ = 1;
    std::tuple<Ms...> metrics_;
};
template <class TrainBatch, class ValidBatch>
SupervisedTraining(std::string, data::DataLoader<TrainBatch>, data::DataLoader<ValidBatch>)
    -> SupervisedTraining<TrainBatch, ValidBatch>;

}  // namespace burn::training
