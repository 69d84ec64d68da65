#include <burn/base/error.h>
#include <burn/store/closest_name.h>
#include <burn/store/config_file.h>
#include <burn/store/quote.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace burn::detail {

using store::Json;

namespace {

[[noreturn]] void refuse(const JsonPlace& place, const std::string& fault) {
    Message message;
    message << "config: " << store::quote_path(place.document).c_str() << ": ";
    if (!place.key.empty()) message << "key " << store::quote(place.key).c_str() << ": ";
    raise(ErrorKind::Parse, message << fault.c_str());
}

std::string range(const std::string& least, const std::string& most) {
    return "an integer from " + least + " to " + most;
}

}  // namespace

void refuse_value(const JsonPlace& place, const std::string& expected, const Json& found) {
    refuse(place, "expected " + expected + ", found " + found.description());
}

void require_keys(const JsonPlace& place, const Json& value, const char* config, std::span<const char* const> fields,
                  std::size_t required) {
    const Json::Object* object = value.as<Json::Object>();
    if (object == nullptr) refuse_value(place, std::string("an object (") + config + ")", value);
    const std::vector<std::string> names(fields.begin(), fields.end());
    std::string faults;
    const auto add = [&](const std::string& fault) { faults += (faults.empty() ? "" : "; ") + fault; };
    for (const Json::Member& member : *object) {
        if (std::find(names.begin(), names.end(), member.key) != names.end()) continue;
        add("unknown key " + store::quote(member.key) + store::did_you_mean(member.key, names));
    }
    for (std::size_t i = 0; i < required; ++i) {
        if (value.find(names[i]) == nullptr) add("missing key " + store::quote(names[i]));
    }
    if (!faults.empty()) refuse(place, std::string(config) + ": " + faults);
}

bool bool_of(const JsonPlace& place, const Json& value) {
    const bool* boolean = value.as<bool>();
    if (boolean == nullptr) refuse_value(place, "true or false", value);
    return *boolean;
}

std::int64_t signed_of(const JsonPlace& place, const Json& value, std::int64_t least, std::int64_t most) {
    const auto* integer = value.as<std::int64_t>();
    if (integer == nullptr || *integer < least || *integer > most) {
        refuse_value(place, range(std::to_string(least), std::to_string(most)), value);
    }
    return *integer;
}

std::uint64_t unsigned_of(const JsonPlace& place, const Json& value, std::uint64_t most) {
    const auto* integer = value.as<std::int64_t>();
    const auto* natural = value.as<std::uint64_t>();
    const bool is_natural = natural != nullptr || (integer != nullptr && *integer >= 0);
    const std::uint64_t number = natural != nullptr ? *natural : is_natural ? static_cast<std::uint64_t>(*integer) : 0;
    if (!is_natural || number > most) refuse_value(place, range("0", std::to_string(most)), value);
    return number;
}

double floating_of(const JsonPlace& place, const Json& value, double most) {
    if (const auto* text = value.as<std::string>()) {
        if (*text == "inf") return INFINITY;
        if (*text == "-inf") return -INFINITY;
        if (*text == "nan") return NAN;
    }
    double number = 0;
    if (const auto* floating = value.as<double>()) {
        number = *floating;
    } else if (const auto* integer = value.as<std::int64_t>()) {
        number = static_cast<double>(*integer);
    } else if (const auto* natural = value.as<std::uint64_t>()) {
        number = static_cast<double>(*natural);
    } else {
        refuse_value(place, "a number", value);
    }
    if (std::fabs(number) > most) refuse_value(place, "a smaller number", value);
    return number;
}

double shortest(float value) {
    if (!std::isfinite(value)) return static_cast<double>(value);
    char text[32];
    const char* end = std::to_chars(text, text + sizeof text, value).ptr;
    double result = 0;
    std::from_chars(text, end, result);
    return result;
}

const std::string& text_of(const JsonPlace& place, const Json& value) {
    const auto* text = value.as<std::string>();
    if (text == nullptr) refuse_value(place, "a text", value);
    return *text;
}

std::size_t enumerator_of(const JsonPlace& place, const Json& value, std::span<const char* const> names) {
    const auto* text = value.as<std::string>();
    const std::vector<std::string> choices(names.begin(), names.end());
    const auto found = text == nullptr ? choices.end() : std::find(choices.begin(), choices.end(), *text);
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    std::string expected = "one of";
    for (const std::string& choice : choices)
        expected += (&choice == choices.data() ? " " : ", ") + store::quote(choice);
    const std::string hint = text == nullptr ? "" : store::did_you_mean(*text, choices);
    refuse(place, "expected " + expected + ", found " + value.description() + hint);
}

const Json::List& list_of(const JsonPlace& place, const Json& value, std::optional<std::size_t> size) {
    const auto* list = value.as<Json::List>();
    if (list == nullptr || (size && list->size() != *size)) {
        refuse_value(place, size ? "a list of " + std::to_string(*size) : "a list", value);
    }
    return *list;
}

}  // namespace burn::detail
