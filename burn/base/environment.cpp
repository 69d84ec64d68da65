#include <burn/base/environment.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace burn {

namespace {

std::string_view value_of(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

void warn(const char* name, std::string_view value, const std::string& expected) {
    std::fprintf(stderr, "burn: %s is \"%.*s\"; expected %s\n", name, static_cast<int>(value.size()), value.data(),
                 expected.c_str());
}

}  // namespace

std::string_view environment_choice(const char* name, std::initializer_list<std::string_view> words) {
    const std::string_view value = value_of(name);
    if (value.empty()) return *words.begin();
    const std::string_view said = value == "1" ? "on" : value == "0" ? "off" : value;
    std::string expected;
    for (const std::string_view& word : words) {
        if (value == word || said == word) return word;
        if (word.empty()) continue;
        if (!expected.empty()) expected += &word == words.end() - 1 ? " or " : ", ";
        expected += word;
    }
    warn(name, value, expected);
    return *words.begin();
}

bool environment_switch(const char* name, bool otherwise) {
    const std::string_view word = environment_choice(name, {"", "on", "off", "1", "0"});
    return word.empty() ? otherwise : word == "on" || word == "1";
}

int environment_count(const char* name, int most) {
    const std::string_view value = value_of(name);
    if (value.empty()) return 0;
    int count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    const bool whole = end == value.data() + value.size();
    if (whole && error == std::errc::result_out_of_range && value[0] != '-') return most;
    if (whole && error == std::errc() && count >= 1) return count < most ? count : most;
    warn(name, value, "a whole number from 1");
    return 0;
}

std::string absolute_path(std::string_view path) {
    std::error_code nowhere;  // the program is in a folder that is gone
    const std::filesystem::path absolute = std::filesystem::absolute(path, nowhere);
    return nowhere ? std::string(path) : absolute.string();
}

}  // namespace burn
