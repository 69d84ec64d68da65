#include <burn/store/quote.h>

namespace burn::store {

namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }

/// The bytes of the UTF-8 character that `text` begins with; 0 when it begins with none.
///
/// Source    RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if (!is_continuation(text[i])) return 0;
    }
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return size;
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
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        const auto lead = static_cast<unsigned char>(text[0]);
        // U+0080 to U+009F are control characters of two bytes.
        const bool is_control =
            lead < 0x20 || lead == 0x7F || (lead == 0xC2 && size == 2 && static_cast<unsigned char>(text[1]) < 0xA0);
        const std::size_t taken = size == 0 ? 1 : size;
        if (size == 0 || is_control) {
            for (char character : text.substr(0, taken)) {
                const auto code = static_cast<unsigned char>(character);
                out += {'\\', 'x', kHex[code >> 4], kHex[code & 15]};
            }
        } else {
            if (text[0] == '"' || text[0] == '\\') out += '\\';
            out += text.substr(0, taken);
        }
        text.remove_prefix(taken);
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

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

}  // namespace burn::store
