#include <burn/compiler/autotune/key.h>

#include <burn/base/error.h>
#include <burn/base/hash.h>

#include <bit>
#include <cstring>

namespace burn::autotune {

namespace {

/// The first eight characters: words that differ later only are rare, and what is looked up often should be hashed fast.
std::uint64_t beginning_of(const char* word) {
    std::uint64_t characters = 0;
    for (int i = 0; i < 8 && word[i] != '\0'; ++i) characters = characters << 8 | static_cast<unsigned char>(word[i]);
    return characters;
}

}  // namespace

Key& Key::add(const Field& field) {
    require_internal(count_ < kMaxFields, "autotune: a key has too many fields");
    fields_[count_++] = field;
    return *this;
}

bool Key::operator==(const Key& other) const {
    if (count_ != other.count_) return false;
    const auto same = [](const char* a, const char* b) {
        return a == b || (a != nullptr && b != nullptr && std::strcmp(a, b) == 0);
    };
    for (std::size_t i = 0; i < count_; ++i) {
        const Field &a = fields_[i], &b = other.fields_[i];
        if (a.number != b.number || !same(a.name, b.name) || !same(a.word, b.word)) return false;
    }
    return true;
}

std::uint64_t Key::hash() const {
    Hasher hasher;
    for (std::size_t i = 0; i < count_; ++i) {
        const Field& field = fields_[i];
        hasher.add(field.word == nullptr ? static_cast<std::uint64_t>(field.number) : beginning_of(field.word));
    }
    return hasher.value();
}

std::string Key::text() const {
    std::string text;
    for (std::size_t i = 0; i < count_; ++i) {
        const Field& field = fields_[i];
        if (i > 0) text += ' ';
        text += std::string(field.name) + '=' + (field.word != nullptr ? field.word : std::to_string(field.number));
    }
    return text;
}

std::int64_t bucket(std::int64_t size) {
    if (size < 4) return size < 0 ? 0 : size;
    const auto below = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(size)));
    if (size - below < below / 4) return below;
    return size - below < below / 4 * 3 ? below / 2 * 3 : below * 2;
}

}  // namespace burn::autotune
