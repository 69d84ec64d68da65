#pragma once

#include <burn/base/error.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace burn {

/// The most axes a tensor may have.
constexpr std::size_t kMaxRank = 8;

/// A short list of integers, one an axis: sizes, strides, axes, paddings. Never allocates.
class Dims {
public:
    constexpr Dims() = default;
    constexpr Dims(std::initializer_list<std::int64_t> values) {
        for (std::int64_t value : values) push_back(value);
    }
    constexpr explicit Dims(std::span<const std::int64_t> values) {
        for (std::int64_t value : values) push_back(value);
    }
    /// `size` times `value`.
    static constexpr Dims filled(std::size_t size, std::int64_t value) {
        Dims dims;
        for (std::size_t i = 0; i < size; ++i) dims.push_back(value);
        return dims;
    }

    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr std::int64_t& operator[](std::size_t index) { return values_[index]; }
    constexpr std::int64_t operator[](std::size_t index) const { return values_[index]; }
    constexpr std::int64_t* begin() { return values_; }
    constexpr std::int64_t* end() { return values_ + size_; }
    constexpr const std::int64_t* begin() const { return values_; }
    constexpr const std::int64_t* end() const { return values_ + size_; }
    constexpr std::int64_t back() const { return values_[size_ - 1]; }
    constexpr std::int64_t& back() { return values_[size_ - 1]; }

    constexpr bool contains(std::int64_t value) const {
        for (std::int64_t entry : *this) {
            if (entry == value) return true;
        }
        return false;
    }

    /// Errors    ShapeError beyond kMaxRank entries
    constexpr void push_back(std::int64_t value) {
        if (size_ == kMaxRank) raise(ErrorKind::Shape, Message() << "a tensor has at most " << kMaxRank << " axes");
        values_[size_++] = value;
    }
    constexpr void insert(std::size_t index, std::int64_t value) {
        push_back(value);
        for (std::size_t i = size_ - 1; i > index; --i) values_[i] = values_[i - 1];
        values_[index] = value;
    }
    constexpr void erase(std::size_t index) {
        --size_;
        for (std::size_t i = index; i < size_; ++i) values_[i] = values_[i + 1];
    }
    constexpr void clear() { size_ = 0; }

    constexpr bool operator==(const Dims& other) const {
        if (size_ != other.size_) return false;
        for (std::size_t i = 0; i < size_; ++i) {
            if (values_[i] != other.values_[i]) return false;
        }
        return true;
    }

private:
    std::int64_t values_[kMaxRank] = {};
    std::size_t size_ = 0;
};

/// The sizes of a tensor's axes, outermost first. Rank 0 (one element) exists for files only.
class Shape : public Dims {
public:
    using Dims::Dims;
    constexpr Shape(const Dims& dims) : Dims(dims) {}  // NOLINT: sizes are a list of integers

    constexpr std::size_t rank() const { return size(); }

    /// The number of elements: the product of all sizes.
    constexpr std::int64_t numel() const {
        std::int64_t product = 1;
        for (std::int64_t size : *this) product *= size;
        return product;
    }
};

/// Writes "[2, 3]".
Message& operator<<(Message& message, const Dims& dims);

/// Turns a possibly negative axis into one of 0 .. rank - 1.
///
/// Errors    IndexError when axis is outside [-rank, rank); `op` names the operation
std::size_t normalize_axis(std::int64_t axis, std::size_t rank, const char* op);

/// The shape two operands of equal rank broadcast to: each axis equal, or 1 in one of them.
///
/// Errors    ShapeError; `op` names the operation
Shape broadcast_shapes(const Shape& lhs, const Shape& rhs, const char* op);

/// The most elements of a tensor: low enough that no count of bytes overflows, above what any processor addresses.
constexpr std::int64_t kMostElements = std::int64_t{1} << 56;

/// Whether a tensor can have this shape: no size is negative, and the product of those above 0 is at most kMostElements.
bool is_valid_shape(const Shape& shape);

/// Checks that a tensor can have this shape.
///
/// Errors    ShapeError; `op` names the operation
void require_valid_shape(const Shape& shape, const char* op);

}  // namespace burn
