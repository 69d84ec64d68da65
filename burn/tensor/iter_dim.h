#pragma once

#include <cstddef>
#include <cstdint>

namespace burn {

/// The slices of size 1 along one axis of a tensor, made one by one as they are asked for.
///
/// Example   for (auto row : x.iter_dim(0)) ..
template <class Tensor>
class IterDim {
public:
    IterDim(Tensor tensor, std::size_t axis)
        : tensor_(static_cast<Tensor&&>(tensor)), axis_(static_cast<std::int64_t>(axis)) {}

    std::int64_t size() const { return tensor_.dim(axis_); }
    /// Errors    IndexError when there are fewer
    Tensor operator[](std::int64_t index) const { return tensor_.narrow(axis_, index, 1); }

    class Iterator {
    public:
        using value_type = Tensor;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const IterDim& slices, std::int64_t index) : slices_(&slices), index_(index) {}

        Tensor operator*() const { return (*slices_)[index_]; }
        Iterator& operator++() { return ++index_, *this; }
        Iterator& operator--() { return --index_, *this; }
        Iterator operator++(int) { return {*slices_, index_++}; }
        Iterator operator--(int) { return {*slices_, index_--}; }
        bool operator==(const Iterator& other) const { return index_ == other.index_; }

    private:
        const IterDim* slices_ = nullptr;
        std::int64_t index_ = 0;
    };

    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    Tensor tensor_;
    std::int64_t axis_;
};

}  // namespace burn
