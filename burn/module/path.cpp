#include <burn/module/path.h>

namespace burn {

Path::Path(const char* text) : Path() { append(text); }

void Path::append(const char* text) {
    text_.pop_back();
    for (; *text != '\0'; ++text) text_.push_back(*text);
    text_.push_back('\0');
}

void Path::push(const char* name) {
    if (size() > 0) append(".");
    append(name);
}

void Path::push(std::size_t index) {
    Message digits;
    digits << index;
    push(digits.text());
}

void Path::cut(std::size_t size) {
    text_.resize(size);
    text_.push_back('\0');
}

const char* Path::last() const {
    const char* last = text();
    for (const char* at = last; *at != '\0'; ++at) {
        if (*at == '.') last = at + 1;
    }
    return last;
}

bool Path::operator==(const char* other) const {
    const char* at = text();
    while (*at != '\0' && *at == *other) ++at, ++other;
    return *at == *other;
}

Message& operator<<(Message& message, const Path& path) { return message.append(path.text(), path.size()); }

}  // namespace burn
