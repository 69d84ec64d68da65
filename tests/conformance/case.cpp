#include "tests/conformance/case.h"

#include <burn/base/error.h>
#include <burn/store/safetensors.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace burn::conformance {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> names(const Json& list) {
    std::vector<std::string> result;
    for (const Json& name : list) result.push_back(name.is_null() ? std::string() : name.get<std::string>());
    return result;
}

Case parse_case(const Json& json) {
    Case result;
    result.name = json.at("name").get<std::string>();
    result.op = json.at("op").get<std::string>();
    result.args = json.at("args");
    result.inputs = names(json.at("inputs"));
    result.outputs = names(json.at("outputs"));
    result.cotangents = names(json.at("cotangents"));
    result.input_grads = names(json.at("input_grads"));
    result.rtol = json.at("tolerance").at(0).get<double>();
    result.atol = json.at("tolerance").at(1).get<double>();
    if (json.contains("dtype")) result.dtype = parse_dtype(json["dtype"].get<std::string>());
    result.special = json.value("special", false);
    return result;
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

Family load_family(const std::string& stem) {
    const std::string path = stem + ".json";
    std::ifstream file(path);
    if (!file) raise(ErrorKind::Io, Message() << "oracle: cannot read " << path.c_str());
    std::string name = "(none)";
    try {
        const Json json = Json::parse(file);
        if (json.at("format").get<int>() != 1)
            raise(ErrorKind::Parse, Message() << "oracle: " << path.c_str() << " is not of format 1");
        Family family{json.at("family").get<std::string>(), {}, store::open_safetensors(stem + ".safetensors")};
        for (const Json& entry : json.at("cases")) {
            name = entry.value("name", "(unnamed)");
            family.cases.push_back(parse_case(entry));
        }
        return family;
    } catch (const nlohmann::json::exception& error) {
        raise(ErrorKind::Parse, Message()
                                    << "oracle: " << path.c_str() << ", case " << name.c_str() << ": " << error.what());
    }
}

std::vector<std::string> find_families(const std::string& directory) {
    std::vector<std::string> stems;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
        std::filesystem::path path = entry.path();
        if (path.extension() != ".json") continue;
        path.replace_extension();
        if (std::filesystem::exists(path.string() + ".safetensors")) stems.push_back(path.string());
    }
    if (failed)
        raise(ErrorKind::Io,
              Message() << "oracle: cannot read " << directory.c_str() << ": " << failed.message().c_str());
    if (stems.empty()) {
        raise(ErrorKind::Argument, Message()
                                       << "oracle: no pair of .json and .safetensors files in " << directory.c_str());
    }
    std::sort(stems.begin(), stems.end());
    return stems;
}

}  // namespace burn::conformance
