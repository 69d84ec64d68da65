#include "tests/conformance/call.h"

#include <limits>

namespace burn::conformance {

Scalar parse_scalar(const nlohmann::ordered_json& json) {
    if (json.is_string()) {
        const std::string word = json.get<std::string>();
        if (word == "inf") return std::numeric_limits<double>::infinity();
        if (word == "-inf") return -std::numeric_limits<double>::infinity();
    }
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<std::int64_t>();
    return json.get<double>();
}

Slice parse_slice(const nlohmann::ordered_json& json) {
    const std::int64_t end = json.at(1).is_null() ? Slice::kToEnd : json.at(1).get<std::int64_t>();
    return Slice(json.at(0).get<std::int64_t>(), end, json.at(2).get<std::int64_t>());
}

std::size_t Call::index_of(const char* operand) const {
    for (std::size_t i = 0; i < case_.inputs.size(); ++i) {
        const std::string& name = case_.inputs[i];
        if (name.substr(name.find('/') + 1) == operand) return i;
    }
    return case_.inputs.size();
}

ops::Handle Call::in(int i) {
    const auto index = static_cast<std::size_t>(i);
    if (index >= inputs_.size() || !inputs_[index]) {
        raise(ErrorKind::Argument,
              Message() << case_.name.c_str() << ": operand " << i << " is not there, or was fetched before");
    }
    return std::move(inputs_[index]);
}

ops::Handle Call::in(const char* operand) { return in(static_cast<int>(index_of(operand))); }

bool Call::has_input(const char* operand) const { return index_of(operand) < case_.inputs.size(); }

bool Call::has(const char* name) const { return case_.args.contains(name) && !case_.args.at(name).is_null(); }

const nlohmann::ordered_json& Call::arg(const char* name) const {
    last_field_ = std::string("args.") + name;
    const auto found = case_.args.find(name);
    if (found == case_.args.end()) malformed(case_.place, last_field_, "is missing");
    return *found;
}

void Call::expected(const char* what, const nlohmann::ordered_json& got) const {
    malformed(case_.place, last_field_, std::string("expected ") + what + ", got " + shown(got));
}

std::int64_t Call::integer(const char* name) const {
    const auto& value = arg(name);
    if (!value.is_number_integer()) expected("an integer", value);
    return value.get<std::int64_t>();
}

double Call::number(const char* name) const { return scalar(name).to<double>(); }

bool Call::flag(const char* name) const {
    const auto& value = arg(name);
    if (!value.is_boolean()) expected("true or false", value);
    return value.get<bool>();
}

std::string Call::text(const char* name) const {
    const auto& value = arg(name);
    if (!value.is_string()) expected("a string", value);
    return value.get<std::string>();
}

Dims Call::dims(const char* name) const {
    const auto& list = arg(name);
    if (!list.is_array()) expected("a list of integers", list);
    Dims result;
    for (const auto& value : list) {
        if (!value.is_number_integer()) expected("a list of integers", list);
        result.push_back(value.get<std::int64_t>());
    }
    return result;
}

Scalar Call::scalar(const char* name) const {
    const auto& value = arg(name);
    const bool infinite = value == "inf" || value == "-inf";
    if (!infinite && !value.is_number() && !value.is_boolean()) expected("a number", value);
    return parse_scalar(value);
}

ops::SliceList Call::slices(const char* name) const {
    ops::SliceList result;
    for (const auto& range : arg(name)) result.push_back(parse_slice(range));
    return result;
}

SmallVector<Scalar, 2> Call::scalars() const {
    SmallVector<Scalar, 2> result;
    for (const auto& value : case_.args) {
        if (value.is_number() || (value.is_string() && (value == "inf" || value == "-inf")))
            result.push_back(parse_scalar(value));
    }
    return result;
}

}  // namespace burn::conformance
