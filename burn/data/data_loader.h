#pragma once

#include <burn/base/held.h>
#include <burn/data/dataset.h>
#include <burn/data/ordered_workers.h>
#include <burn/data/random_order.h>

#include <algorithm>
#include <optional>
#include <span>

namespace burn::data {

/// What turns the items of one step into a batch: `batch(std::vector<I>)`.
///
/// Thread    a loader with workers calls `batch` from several threads at the same time. A batcher draws no random numbers
///           from a device: their order would depend on the threads.
template <class T, class I>
concept Batcher = requires(const T& batcher, std::vector<I> items) {
    requires !std::is_void_v<decltype(batcher.batch(std::move(items)))>;
};

/// How far an epoch is.
struct Progress {
    std::size_t items = 0;
    std::size_t items_total = 0;
    std::size_t batches = 0;
    std::size_t batches_total = 0;
};

struct DataLoaderOptions {
    std::size_t batch_size = 1;
    std::optional<std::uint64_t> shuffle_seed;  ///< without a seed, items come in the dataset's order
    std::size_t workers = 0;                    ///< threads that prepare batches ahead; 0: they are made when asked for
    bool drop_last = false;                     ///< leave out a last batch that is not full
};

namespace detail {

/// How many batches. The last batch may be smaller; any batch size will do, also one that means "all".
inline std::size_t batches_of(std::size_t items, std::size_t batch_size) {
    return items / batch_size + (items % batch_size != 0);
}

/// Which items the batches of one epoch have, and how far it is.
class EpochPlan {
public:
    EpochPlan(std::size_t items, const DataLoaderOptions& options, std::size_t epoch);

    std::span<const std::size_t> indices(std::size_t batch) const;
    const Progress& progress() const { return progress_; }
    void batch_given() { progress_.items += indices(progress_.batches++).size(); }

private:
    std::size_t batch_size_;
    std::vector<std::size_t> order_;
    Progress progress_;
};

/// A dataset with its batcher, whatever their types.
template <class Batch>
class BatchSource {
public:
    virtual ~BatchSource() = default;
    virtual std::size_t size() const = 0;
    /// Nothing when `workers` are told to stop.
    virtual std::optional<Batch> make(std::span<const std::size_t> indices, const OrderedWorkers& workers) const = 0;
};

template <class D, class T, class Batch>
class BatchSourceOf final : public BatchSource<Batch> {
public:
    BatchSourceOf(D dataset, T batcher) : dataset_(std::move(dataset)), batcher_(std::move(batcher)) {}

    std::size_t size() const override { return dataset_.size(); }
    std::optional<Batch> make(std::span<const std::size_t> indices, const OrderedWorkers& workers) const override {
        std::vector<ItemOf<D>> items;
        items.reserve(indices.size());
        for (const std::size_t index : indices) {
            if (workers.stopping()) return std::nullopt;
            items.push_back(dataset_.get(index));
        }
        return batcher_.batch(std::move(items));
    }

private:
    D dataset_;
    T batcher_;
};

}  // namespace detail

/// The batches of one epoch, from the first to the last. Made by DataLoader::epoch; may end early by being destroyed.
template <class Batch>
class DataLoaderEpoch {
public:
    DataLoaderEpoch(std::shared_ptr<const detail::BatchSource<Batch>> source, const DataLoaderOptions& options,
                    std::size_t number)
        : run_(std::make_unique<Run>(std::move(source), options, number)) {}

    /// The next batch; nothing after the last one.
    ///
    /// Errors    what the dataset or the batcher threw for it, the same whatever the number of workers; the epoch is over then
    std::optional<Batch> next() { return held(run_, "DataLoaderEpoch").next(); }
    /// What has been given out so far.
    Progress progress() const { return held(run_, "DataLoaderEpoch").plan.progress(); }

    /// For range-based loops.
    class Iterator {
    public:
        explicit Iterator(DataLoaderEpoch& epoch) : epoch_(&epoch), batch_(epoch.next()) {}
        Batch& operator*() { return *batch_; }
        Iterator& operator++() {
            batch_.reset();
            batch_ = epoch_->next();
            return *this;
        }
        bool operator==(std::nullptr_t) const { return !batch_.has_value(); }

    private:
        DataLoaderEpoch* epoch_;
        std::optional<Batch> batch_;
    };
    Iterator begin() { return Iterator(*this); }
    std::nullptr_t end() const { return nullptr; }

private:
    class Run final : public OrderedWorkers::Job {
    public:
        Run(std::shared_ptr<const detail::BatchSource<Batch>> source, const DataLoaderOptions& options,
            std::size_t number)
            : plan(source->size(), options, number), source_(std::move(source)) {
            const std::size_t batches = plan.progress().batches_total;
            // Two batches a worker are enough to even out slow ones; one more place is the consumer's.
            const std::size_t workers = std::min(options.workers, batches);
            slots_.resize(2 * workers + 1);
            workers_.emplace(*this, batches, workers, slots_.size());
        }

        std::optional<Batch> next() {
            const std::optional<std::size_t> slot = workers_->next();
            if (!slot) return std::nullopt;
            plan.batch_given();
            return std::exchange(slots_[*slot], std::nullopt);
        }

        void run(std::size_t index, std::size_t slot, const OrderedWorkers& workers) override {
            slots_[slot] = source_->make(plan.indices(index), workers);
        }

        detail::EpochPlan plan;

    private:
        std::shared_ptr<const detail::BatchSource<Batch>> source_;
        std::vector<std::optional<Batch>> slots_;
        std::optional<OrderedWorkers> workers_;  // last: its threads end before what they work on goes
    };

    std::unique_ptr<Run> run_;
};

/// Gives a dataset's items as batches, in the dataset's order or shuffled anew for every epoch.
///
/// The batches of an epoch, their order and contents, depend only on the dataset, the batcher, the options and the epoch's
/// number, never on the number of workers nor on what was loaded before.
///
/// Example   for (auto& batch : loader.epoch(3)) train(batch);
template <class Batch>
class DataLoader {
public:
    using BatchType = Batch;

    /// Errors    ArgumentError when batch_size is 0
    template <Dataset D, Batcher<ItemOf<D>> T>
    DataLoader(D dataset, T batcher, const DataLoaderOptions& options)
        : source_(std::make_shared<const detail::BatchSourceOf<D, T, Batch>>(std::move(dataset), std::move(batcher))),
          options_(options) {
        if (options.batch_size == 0)
            raise(ErrorKind::Argument, Message() << "DataLoader: batch_size is 0; expected at least 1");
    }

    /// The batches of epoch `number`, from its start.
    DataLoaderEpoch<Batch> epoch(std::size_t number) const {
        held(source_, "DataLoader");
        return {source_, options_, number};
    }

    /// Items and batches of one epoch.
    std::size_t num_items() const {
        const std::size_t size = held(source_, "DataLoader").size();
        return options_.drop_last ? size - size % options_.batch_size : size;
    }
    std::size_t num_batches() const { return detail::batches_of(num_items(), options_.batch_size); }
    const DataLoaderOptions& options() const { return options_; }

private:
    std::shared_ptr<const detail::BatchSource<Batch>> source_;
    DataLoaderOptions options_;
};

template <Dataset D, Batcher<ItemOf<D>> T>
DataLoader(D, T, const DataLoaderOptions&) -> DataLoader<
    std::remove_cvref_t<decltype(std::declval<const T&>().batch(std::declval<std::vector<ItemOf<D>>>()))>>;

/// Builds a DataLoader step by step.
///
/// Example   auto loader = DataLoaderBuilder(batcher).batch_size(64).shuffle(seed).num_workers(2).build(dataset);
template <class T>
class DataLoaderBuilder {
public:
    explicit DataLoaderBuilder(T batcher) : batcher_(std::move(batcher)) {}

    DataLoaderBuilder& batch_size(std::size_t items) {
        options_.batch_size = items;
        return *this;
    }
    /// A new order in every epoch; the same orders again for the same seed.
    DataLoaderBuilder& shuffle(std::uint64_t seed) {
        options_.shuffle_seed = seed;
        return *this;
    }
    DataLoaderBuilder& num_workers(std::size_t threads) {
        options_.workers = threads;
        return *this;
    }
    DataLoaderBuilder& drop_last() {
        options_.drop_last = true;
        return *this;
    }

    /// Errors    ArgumentError when batch_size is 0
    template <Dataset D>
        requires Batcher<T, ItemOf<D>>
    auto build(D dataset) const {
        return DataLoader(std::move(dataset), batcher_, options_);
    }

private:
    T batcher_;
    DataLoaderOptions options_;
};

}  // namespace burn::data
