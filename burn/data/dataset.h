#pragma once

#include <burn/base/held.h>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace burn::data {

/// Items that can be asked for by number: any type with a `size` and a `get`.
///
/// Copies are cheap and share the items, since transforms and loaders hold datasets by value.
///
/// Errors    get raises IndexError for numbers from `size()` on; whatever else it throws reaches who consumes the items
/// Thread    several threads may call `get` of one dataset at the same time
/// Example   struct Squares {
///               std::size_t size() const { return 100; }
///               int get(std::size_t i) const { return static_cast<int>(i * i); }
///           };
template <class D>
concept Dataset = std::copy_constructible<D> && requires(const D& dataset, std::size_t index) {
    { dataset.size() } -> std::convertible_to<std::size_t>;
    requires !std::is_void_v<decltype(dataset.get(index))>;
};

/// What a dataset holds.
template <Dataset D>
using ItemOf = std::remove_cvref_t<decltype(std::declval<const D&>().get(0))>;

/// Raises IndexError when a dataset of `size` items has no item `index`.
inline void require_item(std::size_t index, std::size_t size, const char* dataset) {
    if (index >= size) {
        raise(ErrorKind::Index, Message() << dataset << ": item " << index << " of " << size);
    }
}

/// A dataset whose items are in memory.
template <class I>
class InMemoryDataset {
public:
    explicit InMemoryDataset(std::vector<I> items) : items_(std::make_shared<const std::vector<I>>(std::move(items))) {}

    std::size_t size() const { return items().size(); }
    const I& get(std::size_t index) const {
        require_item(index, size(), "InMemoryDataset");
        return items()[index];
    }

private:
    const std::vector<I>& items() const { return held(items_, "InMemoryDataset"); }

    std::shared_ptr<const std::vector<I>> items_;
};

/// Any dataset of items `I`, for where its type is chosen at run time.
template <class I>
class AnyDataset {
public:
    template <class D>
        requires(!std::same_as<D, AnyDataset>) && Dataset<D> && std::convertible_to<ItemOf<D>, I>
    AnyDataset(D dataset)  // NOLINT: any dataset is one
        : dataset_(std::make_shared<const Holder<D>>(std::move(dataset))) {}

    std::size_t size() const { return dataset().size(); }
    I get(std::size_t index) const { return dataset().get(index); }

private:
    struct Interface {
        virtual ~Interface() = default;
        virtual std::size_t size() const = 0;
        virtual I get(std::size_t index) const = 0;
    };
    template <class D>
    struct Holder final : Interface {
        explicit Holder(D held) : dataset(std::move(held)) {}
        std::size_t size() const override { return dataset.size(); }
        I get(std::size_t index) const override { return dataset.get(index); }
        D dataset;
    };

    const Interface& dataset() const { return held(dataset_, "AnyDataset"); }

    std::shared_ptr<const Interface> dataset_;
};

}  // namespace burn::data
