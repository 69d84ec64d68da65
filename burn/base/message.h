#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace burn {

/// A short text built piece by piece without allocating; what does not fit is cut and marked with "...".
///
/// Error messages are made with it, so that the same code works on bare metal.
///
/// Example   Message() << "matmul: inner sizes differ: lhs " << lhs << ", rhs " << rhs
class Message {
public:
    static constexpr std::size_t kCapacity = 1024;

    Message() = default;

    Message& operator<<(const char* text);
    Message& operator<<(char character);
    Message& operator<<(bool value) { return *this << (value ? "true" : "false"); }
    Message& operator<<(double value);

    template <std::integral T>
    Message& operator<<(T value) {
        if constexpr (std::signed_integral<T>) {
            return append_signed(static_cast<std::int64_t>(value));
        } else {
            return append_unsigned(static_cast<std::uint64_t>(value));
        }
    }

    /// Appends `size` characters, which need not end in a zero.
    Message& append(const char* text, std::size_t size);

    /// The text so far, ended by a zero.
    const char* text() const { return text_; }
    std::size_t size() const { return size_; }

private:
    Message& append_signed(std::int64_t value);
    Message& append_unsigned(std::uint64_t value);

    std::size_t size_ = 0;
    char text_[kCapacity] = {};
};

}  // namespace burn
