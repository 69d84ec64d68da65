#pragma once

#include <burn/module/config.h>
#include <burn/module/reflect.h>
#include <burn/store/json.h>

#include <limits>
#include <optional>
#include <span>
#include <string>

/// Configs as JSON: an object with a member for every field.
///
/// Fields with a default may be left out; keys that are no fields, wrong types and numbers out of range are faults that name
/// the key: "block.kernel.1". Enums (BURN_ENUM_NAMES) are texts, absent optionals null, infinities and NaN texts.
///
/// Example   burn::save_config(config, "model.json");
///           auto config = burn::load_config<ModelConfig>("model.json");

namespace burn {

namespace detail {

/// Where in a document a value stands.
struct JsonPlace {
    const std::string& document;
    std::string key;  ///< "" for the whole

    JsonPlace below(const std::string& name) const { return {document, key.empty() ? name : key + "." + name}; }
};

/// Errors    ParseError "config: document: key: expected .., found .."
[[noreturn]] void refuse_value(const JsonPlace& place, const std::string& expected, const store::Json& found);
/// Errors    ParseError listing every unknown key, with the field that may have been meant, and every missing one
///
/// The first `required` fields must be there.
void require_keys(const JsonPlace& place, const store::Json& value, const char* config,
                  std::span<const char* const> fields, std::size_t required);

bool bool_of(const JsonPlace& place, const store::Json& value);
std::int64_t signed_of(const JsonPlace& place, const store::Json& value, std::int64_t least, std::int64_t most);
std::uint64_t unsigned_of(const JsonPlace& place, const store::Json& value, std::uint64_t most);
double floating_of(const JsonPlace& place, const store::Json& value, double most);
/// The double with the fewest digits that is this float when rounded: 0.1f becomes 0.1.
double shortest(float value);
const std::string& text_of(const JsonPlace& place, const store::Json& value);
std::size_t enumerator_of(const JsonPlace& place, const store::Json& value, std::span<const char* const> names);
/// `size`: how many there must be, if that is fixed.
const store::Json::List& list_of(const JsonPlace& place, const store::Json& value, std::optional<std::size_t> size);

template <class T>
constexpr bool is_text = requires(T text) { text.c_str(); };
template <class T>
constexpr bool can_grow = requires(T list) { list.push_back(list[0]); };

template <class T>
T from_json(const store::Json& value, const JsonPlace& place);

template <Config C>
struct ConfigReader {
    const store::Json& value;
    const JsonPlace& place;

    template <class T>
    T required(std::size_t index) const {
        const char* name = C::kFieldNames[index];
        return from_json<T>(*value.find(name), place.below(name));
    }
};

/// How many fields have no default: as many as it takes until the rest can be left out.
template <Config C, class... Fields>
consteval std::size_t required_fields() {
    if constexpr (requires { C{std::declval<Fields>()...}; }) {
        return sizeof...(Fields);
    } else {
        return required_fields<C, Fields..., RequiredField<const ConfigReader<C>>>();
    }
}

template <Config C>
C config_of(const store::Json& value, const JsonPlace& place) {
    require_keys(place, value, C::kConfigName, C::kFieldNames, required_fields<C>());
    const ConfigReader<C> reader{value, place};
    C config = make_config<C>(reader);
    for_each_config_field(config, [&]<class T>(const char* name, T& field) {
        if constexpr (!is_required<T>) {
            if (const store::Json* member = value.find(name)) field = from_json<T>(*member, place.below(name));
        }
    });
    return config;
}

template <class T>
T from_json(const store::Json& value, const JsonPlace& place) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<T, bool>) {
        return bool_of(place, value);
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        return static_cast<T>(signed_of(place, value, Limits::min(), Limits::max()));
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(unsigned_of(place, value, Limits::max()));
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(floating_of(place, value, static_cast<double>(Limits::max())));
    } else if constexpr (NamedEnum<T>) {
        return static_cast<T>(enumerator_of(place, value, enum_names(T())));
    } else if constexpr (is_text<T>) {
        return text_of(place, value);
    } else if constexpr (is_optional<T>) {
        if (value.as<store::Json::Null>() != nullptr) return std::nullopt;
        return from_json<typename T::value_type>(value, place);
    } else if constexpr (Config<T>) {
        return config_of<T>(value, place);
    } else {
        static_assert(Sequence<T>, "no JSON form for this type of field; enums need BURN_ENUM_NAMES");
        using Item = std::remove_cvref_t<decltype(std::declval<T&>()[0])>;
        T list{};
        if constexpr (can_grow<T>) {
            for (const store::Json& item : list_of(place, value, std::nullopt)) {
                list.push_back(from_json<Item>(item, place.below(std::to_string(list.size()))));
            }
        } else {
            const store::Json::List& items = list_of(place, value, list.size());
            for (std::size_t i = 0; i < list.size(); ++i)
                list[i] = from_json<Item>(items[i], place.below(std::to_string(i)));
        }
        return list;
    }
}

template <class T>
store::Json json_of(const T& value) {
    if constexpr (is_required<T>) {
        return json_of(*value);
    } else if constexpr (std::is_same_v<T, bool>) {
        return value;
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        return static_cast<std::int64_t>(value);
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<std::uint64_t>(value);
    } else if constexpr (std::is_same_v<T, float>) {
        return shortest(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<double>(value);
    } else if constexpr (NamedEnum<T>) {
        return enum_names(value)[static_cast<std::size_t>(value)];
    } else if constexpr (is_text<T>) {
        return std::string(value);
    } else if constexpr (is_optional<T>) {
        return value.has_value() ? json_of(*value) : store::Json();
    } else if constexpr (Config<T>) {
        store::Json::Object object;
        for_each_config_field(value,
                              [&](const char* name, const auto& field) { object.push_back({name, json_of(field)}); });
        return object;
    } else {
        static_assert(Sequence<T>, "no JSON form for this type of field; enums need BURN_ENUM_NAMES");
        store::Json::List list;
        for (std::size_t i = 0; i < value.size(); ++i) list.push_back(json_of(value[i]));
        return list;
    }
}

}  // namespace detail

/// The config as a JSON text.
template <Config C>
std::string to_json(const C& config) {
    return detail::json_of(config).text();
}

/// Errors    ParseError naming the document and the key
template <Config C>
C config_from_json(std::string_view text, const std::string& document = "<text>") {
    return detail::config_of<C>(store::parse_json(text, document), {document, ""});
}

/// Writes the config to a file, whole or not at all.
///
/// Errors    IoError
template <Config C>
void save_config(const C& config, const std::string& path) {
    store::write_json(path, detail::json_of(config));
}

/// Errors    IoError; ParseError naming the file and the key
template <Config C>
C load_config(const std::string& path) {
    return detail::config_of<C>(store::read_json(path), {path, ""});
}

}  // namespace burn
