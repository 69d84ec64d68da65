#pragma once

#include <burn/base/error.h>

#include <cstddef>
#include <initializer_list>
#include <new>
#include <span>
#include <utility>

namespace burn {

/// A growable array that keeps its first `N` elements inside itself.
///
/// Made for short lists (operands, results, axes): no allocation in the common case, and usable on bare metal.
template <class T, std::size_t N>
class SmallVector {
public:
    SmallVector() = default;
    explicit SmallVector(std::size_t size, const T& value = T()) { resize(size, value); }
    SmallVector(std::initializer_list<T> values) {
        for (const T& value : values) push_back(value);
    }
    explicit SmallVector(std::span<const T> values) {
        for (const T& value : values) push_back(value);
    }
    SmallVector(const SmallVector& other) {
        reserve(other.size_);
        for (const T& value : other) push_back(value);
    }
    SmallVector(SmallVector&& other) noexcept { take(other); }
    SmallVector& operator=(const SmallVector& other) {
        if (this != &other) {
            clear();
            reserve(other.size_);
            for (const T& value : other) push_back(value);
        }
        return *this;
    }
    SmallVector& operator=(SmallVector&& other) noexcept {
        if (this != &other) {
            destroy();
            take(other);
        }
        return *this;
    }
    ~SmallVector() { destroy(); }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T& operator[](std::size_t index) { return data_[index]; }
    const T& operator[](std::size_t index) const { return data_[index]; }
    T& back() { return data_[size_ - 1]; }
    const T& back() const { return data_[size_ - 1]; }

    void push_back(const T& value) { emplace_back(value); }
    void push_back(T&& value) { emplace_back(std::move(value)); }
    template <class... Args>
    T& emplace_back(Args&&... args) {
        if (size_ == capacity_) [[unlikely]] {
            T value(std::forward<Args>(args)...);  // made before elements move: an argument may be one of them
            grow(capacity_ * 2);
            new (data_ + size_) T(std::move(value));
        } else {
            new (data_ + size_) T(std::forward<Args>(args)...);
        }
        return data_[size_++];
    }
    void pop_back() { data_[--size_].~T(); }
    void resize(std::size_t size, const T& value = T()) {
        while (size_ > size) pop_back();
        reserve(size);
        while (size_ < size) push_back(value);
    }
    void reserve(std::size_t capacity) {
        if (capacity > capacity_) grow(capacity);
    }
    void clear() {
        while (size_ > 0) pop_back();
    }

    bool operator==(const SmallVector& other) const {
        if (size_ != other.size_) return false;
        for (std::size_t i = 0; i < size_; ++i) {
            if (!(data_[i] == other.data_[i])) return false;
        }
        return true;
    }

private:
    T* inside() { return reinterpret_cast<T*>(inside_); }

    [[gnu::noinline]] void grow(std::size_t capacity) {  // rare; inlined copies would only cost space
        T* moved = static_cast<T*>(::operator new(capacity * sizeof(T)));
        for (std::size_t i = 0; i < size_; ++i) {
            new (moved + i) T(std::move(data_[i]));
            data_[i].~T();
        }
        if (data_ != inside()) ::operator delete(data_);
        data_ = moved;
        capacity_ = capacity;
    }

    void destroy() {
        clear();
        if (data_ != inside()) ::operator delete(data_);
        data_ = inside();
        capacity_ = N;
    }

    /// Moves the elements of `other` into this empty vector.
    void take(SmallVector& other) noexcept {
        if (other.data_ != other.inside()) {
            data_ = std::exchange(other.data_, other.inside());
            size_ = std::exchange(other.size_, 0);
            capacity_ = std::exchange(other.capacity_, N);
            return;
        }
        data_ = inside();
        capacity_ = N;
        size_ = std::exchange(other.size_, 0);
        for (std::size_t i = 0; i < size_; ++i) {
            new (data_ + i) T(std::move(other.data_[i]));
            other.data_[i].~T();
            // One element at a time: a vector of several that were stored singly a moment ago would wait for the stores.
            __asm__ volatile("");
        }
    }

    alignas(T) std::byte inside_[N * sizeof(T)];
    T* data_ = inside();
    std::size_t size_ = 0;
    std::size_t capacity_ = N;
};

}  // namespace burn
