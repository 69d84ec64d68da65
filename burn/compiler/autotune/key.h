#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace burn::autotune {

/// What makes problems alike enough to be solved in the same way: named numbers and words, in a fixed order.
///
/// Names and words are not copied: they live as long as the program.
///
/// Example   Key().add("dtype", "f32").add("m", bucket(m)).add("n", bucket(n))
class Key {
public:
    static constexpr std::size_t kMaxFields = 16;

    template <std::integral Number>
    Key& add(const char* name, Number number) {
        return add(Field{name, nullptr, static_cast<std::int64_t>(number)});
    }
    Key& add(const char* name, const char* word) { return add(Field{name, word, 0}); }

    bool operator==(const Key& other) const;
    std::uint64_t hash() const;
    /// "dtype=f32 m=1024 n=96": the key as reports and files have it.
    std::string text() const;

private:
    struct Field {
        const char* name;
        const char* word;  ///< null for a number
        std::int64_t number;
    };
    Key& add(const Field& field);

    Field fields_[kMaxFields] = {};
    std::size_t count_ = 0;
};

struct KeyHash {
    std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.hash()); }
};

/// A size rounded to the nearest of 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, ...: powers of two and what lies half-way between them.
std::int64_t bucket(std::int64_t size);

}  // namespace burn::autotune
