#pragma once

#include <burn/base/message.h>
#include <burn/base/small_vector.h>

#include <cstddef>
#include <utility>

namespace burn {

/// Where a field stands in a module: "encoder.layers.0.weight". Fields by name, elements of lists by number.
class Path {
public:
    Path() { text_.push_back('\0'); }
    explicit Path(const char* text);
    Path(const Path&) = default;
    Path& operator=(const Path&) = default;
    /// The other one is the module itself from here on.
    Path(Path&& other) noexcept : text_(std::move(other.text_)) { other.text_.push_back('\0'); }
    Path& operator=(Path&& other) noexcept {
        std::swap(text_, other.text_);
        other.cut(0);
        return *this;
    }
    ~Path() = default;

    /// The path, ended by a zero; "" for the module itself.
    const char* text() const { return text_.data(); }
    std::size_t size() const { return text_.size() - 1; }
    /// The part behind the last dot.
    const char* last() const;

    void push(const char* name);
    void push(std::size_t index);
    /// Cuts the path back to `size` characters.
    void cut(std::size_t size);

    bool operator==(const Path& other) const { return text_ == other.text_; }
    bool operator==(const char* text) const;

private:
    void append(const char* text);

    SmallVector<char, 56> text_;
};

Message& operator<<(Message& message, const Path& path);

}  // namespace burn
