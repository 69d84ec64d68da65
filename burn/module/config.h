#pragma once

#include <burn/base/exact_integer.h>
#include <burn/module/for_each.h>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

/// Configs: structs of options that can be built field by field, compared, and written to and read from files.
///
/// Example   struct LinearConfig {
///               Required<std::int64_t> d_input;
///               Required<std::int64_t> d_output;
///               bool bias = true;
///               BURN_CONFIG(LinearConfig, d_input, d_output, bias)
///           };
///           LinearConfig{784, 10}.with_bias(false)      LinearConfig{.d_input = 784, .d_output = 10}

namespace burn {

namespace detail {
/// The value of required field number `index`, which `Reader` reads when it is known what type that has.
template <class Reader>
struct RequiredField {
    Reader& reader;
    std::size_t index;
};

/// Whether a field of type `T` takes a number of this other integer type, which it may not have.
template <class Value, class T>
concept OtherIntegerFor = std::integral<T> && std::integral<Value> && !std::same_as<T, Value> && !std::same_as<T, bool>;

/// A field's value of what it is given.
template <class T, class Value>
constexpr T field_value(Value&& value, const char* field) {
    if constexpr (OtherIntegerFor<std::remove_cvref_t<Value>, T>) {
        return exact_integer<T>(value, ErrorKind::Argument, field);
    } else {
        return T(std::forward<Value>(value));
    }
}

}  // namespace detail

/// A field of a config that has no default: a config that leaves it out does not compile. Required fields come first.
///
/// Converts to its value; `*field` and `field->` reach into it.
///
/// Errors    ArgumentError naming the number when it is an integer that T does not have; a fraction for an integer does not
///           compile
template <class T>
class Required {
public:
    using ValueType = T;

    template <class Value>
        requires(std::is_constructible_v<T, Value> &&
                 !(std::integral<T> && std::is_floating_point_v<std::remove_cvref_t<Value>>))
    constexpr Required(Value&& value)  // NOLINT: written as its value
        : value_(detail::field_value<T>(std::forward<Value>(value), "a required field")) {}
    template <class... Parts>
        requires(sizeof...(Parts) > 1 && requires(Parts&&... parts) { T{std::forward<Parts>(parts)...}; })
    constexpr Required(Parts&&... parts) : value_{std::forward<Parts>(parts)...} {}  // NOLINT: {1, 8} for a pair
    template <class Reader>
    constexpr Required(detail::RequiredField<Reader> field)  // NOLINT: for make_config
        : value_(field.reader.template required<T>(field.index)) {}

    constexpr operator const T&() const { return value_; }  // NOLINT: reads like its value
    constexpr const T& operator*() const { return value_; }
    constexpr const T* operator->() const { return &value_; }

    /// A template, so that comparing with a number means comparing values.
    template <std::same_as<Required> R>
    friend constexpr bool operator==(const R& a, const R& b) {
        return a.value_ == b.value_;
    }

private:
    T value_;
};

/// A struct that declares its fields by BURN_CONFIG.
template <class C>
concept Config = requires { std::remove_cvref_t<C>::kConfigName; };

namespace detail {

template <class T>
struct ConfigValue {
    using type = T;
};
template <class T>
struct ConfigValue<Required<T>> {
    using type = T;
};
/// The type of the values of a field.
template <class T>
using ConfigValueType = typename ConfigValue<std::remove_const_t<T>>::type;

template <class C, class Reader, class... Fields>
constexpr C make_config(Reader& reader, Fields... fields) {
    if constexpr (requires { C{fields...}; }) {
        return C{fields...};
    } else {
        static_assert(sizeof...(Fields) < 32, "required fields must come first in a config");
        return make_config<C>(reader, fields..., RequiredField<Reader>{reader, sizeof...(Fields)});
    }
}

}  // namespace detail

template <class T>
constexpr bool is_required = false;
template <class T>
constexpr bool is_required<Required<T>> = true;

/// Calls visit(name, field) for every field of a config, in the order of declaration.
template <class C, class Visit>
    requires Config<C>
constexpr void for_each_config_field(C& config, Visit&& visit) {
    std::remove_const_t<C>::burn_config_fields(config, visit);
}

/// A config whose required fields come from `reader.template required<T>(index)`, T being the type of field number `index`
/// (its name is C::kFieldNames[index]), and whose other fields have their defaults.
template <Config C, class Reader>
constexpr C make_config(Reader& reader) {
    return detail::make_config<C>(reader);
}

/// An enum whose enumerators BURN_ENUM_NAMES has named.
template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E value) {
    { enum_names(value) } -> std::same_as<std::span<const char* const>>;
};

}  // namespace burn

/// Makes a struct a config: BURN_CONFIG(Name, fields...). Stands inside the struct, after its fields.
///
/// Adds a builder `with_<field>(value)` for every field, and equality. Builders check integers as Required does.
// clang-format off
#define BURN_CONFIG(NAME, ...)                                                                               \
    [[maybe_unused]] static constexpr const char* kConfigName = #NAME;                                       \
    [[maybe_unused]] static constexpr const char* kFieldNames[] = {BURN_FOR_EACH(BURN_QUOTED, __VA_ARGS__)}; \
    using BurnConfigSelf = NAME;                                                                             \
    template <class BurnSelf, class BurnVisit>                                                               \
    static constexpr void burn_config_fields(BurnSelf& burn_self, BurnVisit&& burn_visit) {                  \
        BURN_FOR_EACH(BURN_CONFIG_FIELD, __VA_ARGS__)                                                        \
    }                                                                                                        \
    BURN_FOR_EACH(BURN_CONFIG_BUILDER, __VA_ARGS__)                                                          \
    bool operator==(const NAME&) const = default;
// clang-format on

#define BURN_QUOTED(NAME) #NAME,
#define BURN_CONFIG_FIELD(FIELD) burn_visit(#FIELD, burn_self.FIELD);
#define BURN_CONFIG_BUILDER(FIELD)                                                                         \
    constexpr BurnConfigSelf with_##FIELD(::burn::detail::ConfigValueType<decltype(FIELD)> value) const {  \
        BurnConfigSelf burn_copy = *this;                                                                  \
        burn_copy.FIELD = std::move(value);                                                                \
        return burn_copy;                                                                                  \
    }                                                                                                      \
    template <::burn::detail::OtherIntegerFor<::burn::detail::ConfigValueType<decltype(FIELD)>> BurnValue> \
    constexpr BurnConfigSelf with_##FIELD(BurnValue value) const {                                         \
        using BurnField = ::burn::detail::ConfigValueType<decltype(FIELD)>;                                \
        return with_##FIELD(::burn::detail::field_value<BurnField>(value, #FIELD));                        \
    }

/// Names the enumerators of an enum, all of them, for files and printing; they must count from 0. In the enum's namespace.
#define BURN_ENUM_NAMES(ENUM, ...)                                                                      \
    inline constexpr const char* kNamesOf##ENUM[] = {BURN_FOR_EACH(BURN_QUOTED, __VA_ARGS__)};          \
    [[maybe_unused]] constexpr std::span<const char* const> enum_names(ENUM) { return kNamesOf##ENUM; } \
    [[maybe_unused]] constexpr const char* name_of(ENUM value) {                                        \
        return kNamesOf##ENUM[static_cast<std::size_t>(value)];                                         \
    }
