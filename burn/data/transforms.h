// Datasets made from other datasets.
#pragma once

#include <burn/data/dataset.h>
#include <burn/data/random_order.h>

#include <algorithm>
#include <utility>

namespace burn::data {

/// `map` applied to every item, when it is asked for.
///
/// Thread    `map` is called from several threads at the same time when several ask
/// Example   MapperDataset(files, [](const std::string& path) { return read_image(path); })
template <Dataset D, class Map>
    requires std::regular_invocable<const Map&, ItemOf<D>>
class MapperDataset {
public:
    MapperDataset(D dataset, Map map) : dataset_(std::move(dataset)), map_(std::move(map)) {}

    std::size_t size() const { return dataset_.size(); }
    auto get(std::size_t index) const { return map_(dataset_.get(index)); }

private:
    D dataset_;
    Map map_;
};

/// The items begin to end - 1 of another dataset.
template <Dataset D>
class PartialDataset {
public:
    /// An end beyond the dataset means its end.
    ///
    /// Errors    ArgumentError when begin > end
    PartialDataset(D dataset, std::size_t begin, std::size_t end)
        : dataset_(std::move(dataset)), begin_(begin), end_(std::min<std::size_t>(end, dataset_.size())) {
        if (begin > end) {
            raise(ErrorKind::Argument, Message() << "PartialDataset: begins at " << begin << ", ends at " << end);
        }
        begin_ = std::min(begin_, end_);
    }

    /// Cuts a dataset into `parts` consecutive ones whose sizes differ by at most one, the larger first.
    ///
    /// Errors    ArgumentError when parts is 0
    static std::vector<PartialDataset> split(const D& dataset, std::size_t parts) {
        if (parts == 0) raise(ErrorKind::Argument, Message() << "PartialDataset: a split into 0 parts");
        std::vector<PartialDataset> result;
        const std::size_t size = dataset.size();
        std::size_t begin = 0;
        for (std::size_t i = 0; i < parts; ++i) {
            const std::size_t end = begin + size / parts + (i < size % parts ? 1 : 0);
            result.emplace_back(dataset, begin, end);
            begin = end;
        }
        return result;
    }

    std::size_t size() const { return end_ - begin_; }
    decltype(auto) get(std::size_t index) const {
        require_item(index, size(), "PartialDataset");
        return dataset_.get(begin_ + index);
    }

private:
    D dataset_;
    std::size_t begin_;
    std::size_t end_;
};

/// Chosen items of another dataset, in the order of a list of their numbers; a number may repeat.
template <Dataset D>
class SelectionDataset {
public:
    /// Errors    IndexError when the dataset lacks one of them
    SelectionDataset(D dataset, std::vector<std::size_t> indices)
        : dataset_(std::move(dataset)), indices_(std::make_shared<const std::vector<std::size_t>>(std::move(indices))) {
        const std::size_t size = dataset_.size();
        for (const std::size_t index : *indices_) require_item(index, size, "SelectionDataset");
    }

    std::size_t size() const { return indices().size(); }
    decltype(auto) get(std::size_t index) const {
        require_item(index, size(), "SelectionDataset");
        return dataset_.get(indices()[index]);
    }
    const std::vector<std::size_t>& indices() const { return held(indices_, "SelectionDataset"); }

private:
    D dataset_;
    std::shared_ptr<const std::vector<std::size_t>> indices_;
};

/// Another dataset in a random order that stays the same.
///
/// For a new order in every epoch of a training use DataLoaderBuilder::shuffle instead.
template <Dataset D>
class ShuffledDataset : public SelectionDataset<D> {
public:
    ShuffledDataset(D dataset, std::uint64_t seed) : ShuffledDataset(dataset, dataset.size(), seed) {}

private:
    ShuffledDataset(D& dataset, std::size_t size, std::uint64_t seed)
        : SelectionDataset<D>(std::move(dataset), random_permutation(size, seed, 0)) {}
};

/// Items drawn at random from another dataset, once, when the sampler is made.
template <Dataset D>
class SamplerDataset : public SelectionDataset<D> {
public:
    /// Errors    ArgumentError when `count` items shall be drawn from none
    SamplerDataset(D dataset, std::size_t count, Replacement replacement, std::uint64_t seed)
        : SamplerDataset(dataset, dataset.size(), count, replacement, seed) {}

private:
    SamplerDataset(D& dataset, std::size_t size, std::size_t count, Replacement replacement, std::uint64_t seed)
        : SelectionDataset<D>(std::move(dataset), random_sample(size, count, replacement, seed, 0)) {}
};

/// Runs of `length` consecutive items, one starting every `stride` items; a rest too short for a window is left out.
template <Dataset D>
class WindowsDataset {
public:
    /// Errors    ArgumentError when length or stride is 0
    WindowsDataset(D dataset, std::size_t length, std::size_t stride = 1)
        : dataset_(std::move(dataset)), length_(length), stride_(stride) {
        if (length == 0 || stride == 0) {
            raise(ErrorKind::Argument, Message() << "WindowsDataset: length " << length << ", stride " << stride
                                                 << "; both must be at least 1");
        }
    }

    std::size_t size() const {
        const std::size_t items = dataset_.size();
        return items < length_ ? 0 : (items - length_) / stride_ + 1;
    }
    std::vector<ItemOf<D>> get(std::size_t index) const {
        require_item(index, size(), "WindowsDataset");
        std::vector<ItemOf<D>> window;
        window.reserve(length_);
        for (std::size_t i = 0; i < length_; ++i) window.push_back(dataset_.get(index * stride_ + i));
        return window;
    }

private:
    D dataset_;
    std::size_t length_;
    std::size_t stride_;
};

/// Several datasets one after the other.
template <Dataset D>
class ComposedDataset {
public:
    explicit ComposedDataset(std::vector<D> parts) : parts_(std::move(parts)) {}

    std::size_t size() const {
        std::size_t size = 0;
        for (const D& part : parts_) size += part.size();
        return size;
    }
    ItemOf<D> get(std::size_t index) const {
        std::size_t left = index;
        for (const D& part : parts_) {
            const std::size_t size = part.size();
            if (left < size) return part.get(left);
            left -= size;
        }
        raise(ErrorKind::Index, Message() << "ComposedDataset: item " << index << " of " << size());
    }

private:
    std::vector<D> parts_;
};

}  // namespace burn::data
