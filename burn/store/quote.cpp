#include <burn/store/quote.h>

namespace burn::store {

namespace {

bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

/// The longest piece of at most `limit` bytes from the start that does not split a UTF-8 character.
std::string_view start_of(std::string_view text, std::size_t limit) {
    while (limit > 0 && limit < text.size() && is_continuation(text[limit])) --limit;
    return text.substr(0, limit);
}

std::string_view end_of(std::string_view text, std::size_t limit) {
    std::size_t begin = text.size() - limit;
    while (begin < text.size() && is_continuation(text[begin])) ++begin;
    return text.substr(begin);
}

std::string escaped(std::string_view text) {
    constexpr char kHex[] = "0123456789abcdef";
    std::string out;
    for (char character : text) {
        const auto code = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            out += '\\';
            out += character;
        } else if (code < 0x20 || code == 0x7F) {
            out += "\\x";
            out += kHex[code >> 4];
            out += kHex[code & 15];
        } else {
            out += character;
        }
    }
    return out;
}

}  // namespace

std::string quote(std::string_view name) {
    constexpr std::size_t kLimit = 96;
    if (name.size() <= kLimit) return '"' + escaped(name) + '"';
    return '"' + escaped(start_of(name, kLimit / 2)) + "..." + escaped(end_of(name, kLimit / 2)) + '"';
}

std::string quote_path(std::string_view path) {
    constexpr std::size_t kLimit = 200;
    if (path.size() <= kLimit) return '"' + escaped(path) + '"';
    return "\"..." + escaped(end_of(path, kLimit)) + '"';
}

}  // namespace burn::store
