#include <burn/base/error.h>
#include <burn/store/quote.h>
#include <burn/store/safetensors_extras.h>

#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace burn::store {

namespace {

constexpr std::string_view kParamId = "burn.param_id.";
constexpr std::string_view kScalar = "burn.scalar.";

template <class T>
std::optional<T> number_of(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// The shortest text that gives the same double back.
std::string text_of(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string text_of(const StoredScalar& scalar) {
    if (const auto* value = std::get_if<std::int64_t>(&scalar)) return "Int " + std::to_string(*value);
    if (const auto* value = std::get_if<std::uint64_t>(&scalar)) return "UInt " + std::to_string(*value);
    if (const auto* value = std::get_if<double>(&scalar)) return "Float " + text_of(*value);
    return std::get<bool>(scalar) ? "Bool true" : "Bool false";
}

template <class T>
std::optional<StoredScalar> scalar_as(std::string_view text) {
    const std::optional<T> value = number_of<T>(text);
    return value ? std::optional<StoredScalar>(*value) : std::nullopt;
}

std::optional<StoredScalar> scalar_of(std::string_view text) {
    if (text == "Bool true") return true;
    if (text == "Bool false") return false;
    if (text.starts_with("Int ")) return scalar_as<std::int64_t>(text.substr(4));
    if (text.starts_with("UInt ")) return scalar_as<std::uint64_t>(text.substr(5));
    if (text.starts_with("Float ")) return scalar_as<double>(text.substr(6));
    return std::nullopt;
}

}  // namespace

void pack_extras(TensorDirectory& directory) {
    for (const auto& [key, value] : directory.metadata) {
        if (!key.starts_with(kParamId) && !key.starts_with(kScalar)) continue;
        raise(ErrorKind::Argument, Message() << "safetensors: the metadata has the key " << quote(key).c_str()
                                             << "; keys with this start are for parameter ids and scalars");
    }
    for (TensorDescription& tensor : directory.tensors) {
        if (!tensor.param_id) continue;
        directory.metadata.emplace(std::string(kParamId) + tensor.name, std::to_string(*tensor.param_id));
    }
    for (const auto& [name, scalar] : directory.scalars) {
        directory.metadata.emplace(std::string(kScalar) + name, text_of(scalar));
    }
}

std::string unpack_extras(TensorDirectory& directory) {
    std::unordered_map<std::string_view, TensorDescription*> by_name;
    for (TensorDescription& tensor : directory.tensors) by_name.emplace(tensor.name, &tensor);
    std::map<std::string, std::string> rest;
    for (auto& [key, value] : directory.metadata) {
        const std::string_view view = key;
        if (view.starts_with(kParamId)) {
            const auto tensor = by_name.find(view.substr(kParamId.size()));
            const std::optional<std::uint64_t> id = number_of<std::uint64_t>(value);
            if (tensor == by_name.end()) return "metadata " + quote(key) + " belongs to no tensor";
            if (!id)
                return "metadata " + quote(key) + " is " + quote(value) + "; expected an integer from 0 to 2^64 - 1";
            tensor->second->param_id = id;
        } else if (view.starts_with(kScalar)) {
            const std::optional<StoredScalar> scalar = scalar_of(value);
            if (!scalar)
                return "metadata " + quote(key) + " is " + quote(value) +
                       "; expected a type and a number, as in \"Int 3\"";
            directory.scalars.emplace(view.substr(kScalar.size()), *scalar);
        } else {
            rest.emplace(key, std::move(value));
        }
    }
    directory.metadata = std::move(rest);
    return "";
}

}  // namespace burn::store
