#include <burn/base/error.h>
#include <burn/store/atomic_file.h>
#include <burn/store/byte_source.h>
#include <burn/store/json.h>
#include <burn/store/quote.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

namespace burn::store {

namespace {

constexpr std::uint64_t kLargestText = 16 << 20;
constexpr std::size_t kDeepest = 64;

[[noreturn]] void refuse(const std::string& name, const std::string& fault) {
    raise(ErrorKind::Parse, Message() << "json: " << quote_path(name).c_str() << ": " << fault.c_str());
}

std::string line_and_column(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

/// Builds the value from the parser's events. The innermost list or object that is open is the last of `open_`.
class Builder {
public:
    explicit Builder(std::string_view text) : text_(text) {}

    Json result;
    std::string fault;

    bool null() { return add({}); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(std::int64_t value) { return add(value); }
    bool number_unsigned(std::uint64_t value) {
        return add(value <= INT64_MAX ? Json(static_cast<std::int64_t>(value)) : Json(value));
    }
    bool number_float(double value, const std::string& text) {
        if (!std::isfinite(value)) return refuse_value("the number " + quote(text) + " is too large");
        return add(value);
    }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(nlohmann::json::binary_t&) { return refuse_value("binary data"); }

    bool start_object(std::size_t) { return open(Json::Object()); }
    bool start_array(std::size_t) { return open(Json::List()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& key) {
        if (!keys_.back().insert(key).second)
            return refuse_value("the key " + quote(key) + " occurs twice in one object");
        open_.back()->as<Json::Object>()->push_back({std::move(key), {}});
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
        // The library's message ends in what it found and expected, behind a dash.
        const std::string message = error.what();
        const std::size_t dash = message.find(" - ");
        fault = line_and_column(text_, position > 0 ? position - 1 : 0) + ": not valid JSON";
        if (dash != std::string::npos) fault += ": " + quote(message.substr(dash + 3));
        return false;
    }

private:
    bool refuse_value(std::string why) {
        fault = std::move(why);
        return false;
    }
    Json* place() {
        if (open_.empty()) return &result;
        if (auto* list = open_.back()->as<Json::List>()) return &list->emplace_back();
        return &open_.back()->as<Json::Object>()->back().value;
    }
    bool add(Json value) {
        *place() = std::move(value);
        return true;
    }
    bool open(Json value) {
        if (open_.size() == kDeepest) return refuse_value("lists and objects are nested too deeply");
        Json* at = place();
        *at = std::move(value);
        open_.push_back(at);
        keys_.emplace_back();
        return true;
    }
    bool close() {
        open_.pop_back();
        keys_.pop_back();
        return true;
    }

    std::string_view text_;
    std::vector<Json*> open_;
    std::vector<std::unordered_set<std::string>> keys_;
};

template <class T>
std::string digits(T value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string text_of(double value) {
    if (std::isnan(value)) return "\"nan\"";
    if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
    const std::string text = digits(value);  // the shortest that gives the same value back
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string text_of(const std::string& value) {
    if (!is_utf8(value))
        raise(ErrorKind::Argument, Message() << "json: the text " << quote(value).c_str() << " is not UTF-8");
    constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (char character : value) {
        const auto code = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            out += {'\\', character};
        } else if (character == '\n') {
            out += "\\n";
        } else if (code < 0x20) {
            out += {'\\', 'u', '0', '0', kHex[code >> 4], kHex[code & 15]};
        } else {
            out += character;
        }
    }
    return out + '"';
}

}  // namespace

Json::Json() = default;
Json::Json(bool value) : value_(value) {}
Json::Json(std::int64_t value) : value_(value) {}
Json::Json(std::uint64_t value) : value_(value) {}
Json::Json(double value) : value_(value) {}
Json::Json(std::string value) : value_(std::move(value)) {}
Json::Json(const char* value) : value_(std::string(value)) {}
Json::Json(List value) : value_(std::move(value)) {}
Json::Json(Object value) : value_(std::move(value)) {}
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

bool Json::operator==(const Json& other) const { return value_ == other.value_; }

const Json* Json::find(std::string_view key) const {
    const Object* object = as<Object>();
    if (object == nullptr) return nullptr;
    for (const Member& member : *object) {
        if (member.key == key) return &member.value;
    }
    return nullptr;
}

std::string Json::description() const {
    if (const auto* value = as<bool>()) return *value ? "true" : "false";
    if (const auto* value = as<std::int64_t>()) return "the number " + digits(*value);
    if (const auto* value = as<std::uint64_t>()) return "the number " + digits(*value);
    if (const auto* value = as<double>()) return "the number " + text_of(*value);
    if (const auto* value = as<std::string>()) return "the text " + quote(*value);
    if (const auto* value = as<List>()) return "a list of " + std::to_string(value->size());
    return as<Object>() != nullptr ? "an object" : "null";
}

void Json::write(std::string& out, int indent, int depth) const {
    const auto new_line = [&](int level) { out += '\n' + std::string(static_cast<std::size_t>(indent * level), ' '); };
    if (const auto* list = as<List>()) {
        const bool nested =
            std::any_of(list->begin(), list->end(), [](const Json& item) { return item.as<Object>() != nullptr; });
        out += '[';
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (i > 0) out += nested ? "," : ", ";
            if (nested) new_line(depth + 1);
            (*list)[i].write(out, indent, depth + 1);
        }
        if (nested) new_line(depth);
        out += ']';
    } else if (const auto* object = as<Object>()) {
        out += '{';
        for (std::size_t i = 0; i < object->size(); ++i) {
            if (i > 0) out += ',';
            new_line(depth + 1);
            out += text_of((*object)[i].key) + ": ";
            (*object)[i].value.write(out, indent, depth + 1);
        }
        if (!object->empty()) new_line(depth);
        out += '}';
    } else if (const auto* text = as<std::string>()) {
        out += text_of(*text);
    } else if (const auto* number = as<double>()) {
        out += text_of(*number);
    } else if (const auto* integer = as<std::int64_t>()) {
        out += digits(*integer);
    } else if (const auto* natural = as<std::uint64_t>()) {
        out += digits(*natural);
    } else if (const auto* boolean = as<bool>()) {
        out += *boolean ? "true" : "false";
    } else {
        out += "null";
    }
}

std::string Json::text(int indent) const {
    std::string out;
    write(out, indent, 0);
    return out;
}

Json parse_json(std::string_view text, const std::string& name) {
    if (text.size() > kLargestText) refuse(name, "the text is larger than 16 MiB");
    // The parser would take a zero for the end of its input.
    const std::size_t zero = text.find('\0');
    if (zero != std::string_view::npos) refuse(name, line_and_column(text, zero) + ": not valid JSON: a zero byte");
    Builder builder(text);
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    if (!builder.fault.empty()) refuse(name, builder.fault);
    return std::move(builder.result);
}

Json read_json(const std::string& path) {
    const ByteSource source = ByteSource::open(path);
    if (source.size() > kLargestText) refuse(path, "the file is larger than 16 MiB");
    std::string text(static_cast<std::size_t>(source.size()), '\0');
    source.read(0, std::as_writable_bytes(std::span(text)));
    return parse_json(text, path);
}

void write_json(const std::string& path, const Json& value) { write_file(path, value.text() + "\n"); }

}  // namespace burn::store
