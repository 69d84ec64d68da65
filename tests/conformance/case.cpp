#include "tests/conformance/case.h"

#include <burn/base/error.h>
#include <burn/store/safetensors.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace burn::conformance {

namespace {

using Json = nlohmann::ordered_json;

/// An object of the file and what errors call it.
struct Fields {
    const Json& json;
    std::string place;

    const Json& at(const char* field) const {
        const auto found = json.find(field);
        if (found == json.end()) malformed(place, field, "is missing");
        return *found;
    }

    std::string text(const char* field) const {
        const Json& value = at(field);
        if (!value.is_string()) malformed(place, field, "expected a string, got " + shown(value));
        return value.get<std::string>();
    }

    /// "" where the list has null, which only the lists of gradients may.
    std::vector<std::string> names(const char* field, bool or_null) const {
        const Json& list = at(field);
        if (!list.is_array()) malformed(place, field, "expected a list of names, got " + shown(list));
        std::vector<std::string> result;
        for (const Json& name : list) {
            const bool absent = or_null && name.is_null();
            if (!absent && (!name.is_string() || name.get_ref<const std::string&>().empty()))
                malformed(place, field,
                          std::string("expected names") + (or_null ? " or null" : "") + ", got " + shown(name));
            result.push_back(absent ? std::string() : name.get<std::string>());
        }
        return result;
    }
};

bool names_nothing(const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); });
}

void check_length(const Case& parsed, const char* field, std::size_t length, const char* what, std::size_t expected) {
    if (length == expected) return;
    malformed(parsed.place, field,
              "expected " + std::to_string(expected) + " names, one for each of `" + what + "`, got " +
                  std::to_string(length));
}

/// The lists of gradients run parallel to those of the operands and results, and say together what to check.
void check_gradients(const Case& parsed) {
    const bool wanted = !parsed.cotangents.empty();
    if (wanted) check_length(parsed, "cotangents", parsed.cotangents.size(), "outputs", parsed.outputs.size());
    if (wanted || !parsed.input_grads.empty())
        check_length(parsed, "input_grads", parsed.input_grads.size(), "inputs", parsed.inputs.size());
    if (wanted && names_nothing(parsed.cotangents))
        malformed(parsed.place, "cotangents", "expected at least one name, or an empty list, got only null");
    if (wanted && names_nothing(parsed.input_grads))
        malformed(parsed.place, "input_grads", "expected at least one name where there are cotangents, got only null");
    if (!wanted && !names_nothing(parsed.input_grads))
        malformed(parsed.place, "input_grads", "expected only null where there are no cotangents, got a name");
}

double tolerance(const Fields& fields, std::size_t i) {
    const Json& list = fields.at("tolerance");
    const bool pair = list.is_array() && list.size() == 2 && list[0].is_number() && list[1].is_number();
    const double value = pair ? list[i].get<double>() : -1;
    if (!(value >= 0) || !std::isfinite(value))
        malformed(fields.place, "tolerance", "expected [rtol, atol], finite and not negative, got " + shown(list));
    return value;
}

DType dtype(const Fields& fields) {
    try {
        return parse_dtype(fields.text("dtype"));
    } catch (const ArgumentError&) {
        malformed(fields.place, "dtype", "expected the name of a dtype, got " + shown(fields.at("dtype")));
    }
}

Case parse_case(const Json& json, const std::string& path, std::size_t index) {
    Fields fields{json, path + ", cases[" + std::to_string(index) + "]"};
    if (!json.is_object())
        raise(ErrorKind::Parse,
              Message() << "oracle: " << fields.place.c_str() << ": expected an object, got " << shown(json).c_str());
    Case result;
    result.name = fields.text("name");
    result.place = fields.place = path + ", case " + result.name;
    result.op = fields.text("op");
    result.args = fields.at("args");
    if (!result.args.is_object()) malformed(result.place, "args", "expected an object, got " + shown(result.args));
    result.inputs = fields.names("inputs", false);
    result.outputs = fields.names("outputs", false);
    if (result.outputs.empty()) malformed(result.place, "outputs", "expected at least one name, got none");
    result.cotangents = fields.names("cotangents", true);
    result.input_grads = fields.names("input_grads", true);
    check_gradients(result);
    result.rtol = tolerance(fields, 0);
    result.atol = tolerance(fields, 1);
    if (json.contains("dtype")) result.dtype = dtype(fields);
    if (json.contains("special")) {
        const Json& special = fields.at("special");
        if (!special.is_boolean()) malformed(result.place, "special", "expected true or false, got " + shown(special));
        result.special = special.get<bool>();
    }
    return result;
}

Json parse_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) raise(ErrorKind::Io, Message() << "oracle: cannot read " << path.c_str());
    try {
        return Json::parse(file);
    } catch (const Json::exception& error) {
        raise(ErrorKind::Parse, Message() << "oracle: " << path.c_str() << ": " << plain_text(error).c_str());
    }
}

}  // namespace

DType parse_dtype(const std::string& name) {
    for (int i = 0; i < kDTypeCount; ++i) {
        if (name == name_of(static_cast<DType>(i))) return static_cast<DType>(i);
    }
    raise(ErrorKind::Argument, Message() << "oracle: there is no dtype \"" << name.c_str() << '"');
}

TensorData Family::read(const std::string& name, std::optional<DType> dtype) const {
    TensorData data = tensors.read(name);
    if (data.dtype() == DType::U8) data = data.convert(DType::Bool);
    if (dtype && kind_of(*dtype) == kind_of(data.dtype())) data = data.convert(*dtype);
    return data;
}

void malformed(const std::string& place, const std::string& field, const std::string& what) {
    raise(ErrorKind::Parse,
          Message() << "oracle: " << place.c_str() << ", field " << field.c_str() << ": " << what.c_str());
}

std::string shown(const Json& json) {
    constexpr std::size_t kLongest = 60;
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

std::string plain_text(const Json::exception& error) {
    const std::string text = error.what();
    const std::size_t end = text.find("] ");
    return end == std::string::npos ? text : text.substr(end + 2);
}

Family load_family(const std::string& stem) {
    const std::string path = stem + ".json";
    const std::string tensors = stem + ".safetensors";
    const Json json = parse_file(path);
    if (!json.is_object())
        raise(ErrorKind::Parse,
              Message() << "oracle: " << path.c_str() << ": expected an object, got " << shown(json).c_str());
    const Fields fields{json, path};
    if (fields.at("format") != 1) malformed(path, "format", "expected 1, got " + shown(json["format"]));
    const Json& cases = fields.at("cases");
    if (!cases.is_array() || cases.empty())
        malformed(path, "cases", "expected a list of at least one case, got " + shown(cases));
    if (!std::filesystem::exists(tensors)) {
        raise(ErrorKind::Io,
              Message() << "oracle: " << path.c_str() << " has no " << tensors.c_str() << " with its tensors");
    }
    Family family{fields.text("family"), {}, store::open_safetensors(tensors)};
    for (const Json& entry : cases) family.cases.push_back(parse_case(entry, path, family.cases.size()));
    return family;
}

std::vector<std::string> find_families(const std::string& directory) {
    std::vector<std::string> stems;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
        std::filesystem::path path = entry.path();
        if (path.extension() != ".json" && path.extension() != ".safetensors") continue;
        stems.push_back(path.replace_extension().string());
    }
    if (failed)
        raise(ErrorKind::Io,
              Message() << "oracle: cannot read " << directory.c_str() << ": " << failed.message().c_str());
    if (stems.empty()) {
        raise(ErrorKind::Argument, Message()
                                       << "oracle: no pair of .json and .safetensors files in " << directory.c_str());
    }
    std::sort(stems.begin(), stems.end());
    stems.erase(std::unique(stems.begin(), stems.end()), stems.end());
    return stems;
}

}  // namespace burn::conformance
