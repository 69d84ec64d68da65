#include <burn/base/message.h>

#include <burn/base/config.h>

#if BURN_HOSTED
#include <charconv>
#endif

namespace burn {

namespace {

constexpr char kCutMark[] = "...";
constexpr std::size_t kCutMarkSize = sizeof(kCutMark) - 1;

std::size_t length_of(const char* text) {
    std::size_t size = 0;
    while (text[size] != '\0') ++size;
    return size;
}

#if !BURN_HOSTED
/// Six significant digits, enough to recognise a number in an error message.
std::size_t print_double(char* out, double value) {
    std::size_t size = 0;
    if (value != value) {
        out[0] = 'n', out[1] = 'a', out[2] = 'n';
        return 3;
    }
    if (value < 0) {
        out[size++] = '-';
        value = -value;
    }
    if (value > 1e300) {
        out[size++] = 'i', out[size++] = 'n', out[size++] = 'f';
        return size;
    }
    int exponent = 0;
    while (value >= 1e6) value /= 10, ++exponent;
    while (value != 0 && value < 1e-4) value *= 10, --exponent;
    value += 0.5e-6;  // rounds the last digit printed
    auto whole = static_cast<std::uint32_t>(value);
    double rest = value - whole;
    char digits[10];
    int count = 0;
    do digits[count++] = static_cast<char>('0' + whole % 10), whole /= 10;
    while (whole != 0);
    while (count > 0) out[size++] = digits[--count];
    out[size++] = '.';
    for (int i = 0; i < 6; ++i) {
        rest *= 10;
        int digit = static_cast<int>(rest);
        out[size++] = static_cast<char>('0' + digit);
        rest -= digit;
    }
    if (exponent != 0) {
        out[size++] = 'e';
        if (exponent < 0) out[size++] = '-', exponent = -exponent;
        if (exponent >= 100) out[size++] = static_cast<char>('0' + exponent / 100);
        if (exponent >= 10) out[size++] = static_cast<char>('0' + exponent / 10 % 10);
        out[size++] = static_cast<char>('0' + exponent % 10);
    }
    return size;
}
#endif

}  // namespace

Message& Message::append(const char* text, std::size_t size) {
    const std::size_t room = kCapacity - 1 - size_;
    const std::size_t taken = size <= room ? size : room;
    for (std::size_t i = 0; i < taken; ++i) text_[size_ + i] = text[i];
    size_ += taken;
    if (taken < size) {
        for (std::size_t i = 0; i < kCutMarkSize; ++i) text_[kCapacity - 1 - kCutMarkSize + i] = kCutMark[i];
    }
    text_[size_] = '\0';
    return *this;
}

Message& Message::operator<<(const char* text) { return append(text, length_of(text)); }

Message& Message::operator<<(char character) { return append(&character, 1); }

Message& Message::operator<<(double value) {
    char digits[64];
#if BURN_HOSTED
    const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
    return append(digits, static_cast<std::size_t>(end - digits));
#else
    return append(digits, print_double(digits, value));
#endif
}

Message& Message::append_unsigned(std::uint64_t value) {
    char digits[20];
    std::size_t first = sizeof(digits);
    do {
        digits[--first] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return append(digits + first, sizeof(digits) - first);
}

Message& Message::append_signed(std::int64_t value) {
    if (value >= 0) return append_unsigned(static_cast<std::uint64_t>(value));
    *this << '-';
    return append_unsigned(0 - static_cast<std::uint64_t>(value));
}

}  // namespace burn
