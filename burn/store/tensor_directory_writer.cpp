#include <burn/store/tensor_directory.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace burn::store {

namespace {

nlohmann::json burnpack_scalar(const StoredScalar& scalar) {
    if (const auto* value = std::get_if<std::int64_t>(&scalar)) return {{"Int", *value}};
    if (const auto* value = std::get_if<std::uint64_t>(&scalar)) return {{"UInt", *value}};
    if (const auto* value = std::get_if<double>(&scalar)) return {{"Float", *value}};
    return {{"Bool", std::get<bool>(scalar)}};
}

/// "F32", or {"Bool": "Native"} of "Bool(Native)": a variant with a payload is a map of one entry.
nlohmann::json burnpack_dtype(const std::string& name) {
    const std::size_t open = name.find('(');
    if (open == std::string::npos) return name;
    return {{name.substr(0, open), name.substr(open + 1, name.size() - open - 2)}};
}

}  // namespace

std::string write_safetensors_header(const TensorDirectory& directory) {
    // Ordered: readers that stream want the tensors in the order of their bytes.
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!directory.metadata.empty()) header["__metadata__"] = directory.metadata;
    std::string text = header.dump();
    text.pop_back();
    for (const TensorDescription& tensor : directory.tensors) {
        const nlohmann::ordered_json value = {
            {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", tensor.offsets}};
        if (text.size() > 1) text += ',';
        text += nlohmann::ordered_json(tensor.name).dump() + ":" + value.dump();
    }
    return text + "}";
}

std::string write_burnpack_metadata(const TensorDirectory& directory) {
    nlohmann::json tensors = nlohmann::json::object();
    for (const TensorDescription& tensor : directory.tensors) {
        nlohmann::json& value = tensors[tensor.name];
        value = {{"dtype", burnpack_dtype(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", tensor.offsets}};
        if (tensor.param_id) value["param_id"] = *tensor.param_id;
    }
    nlohmann::json metadata = {{"tensors", std::move(tensors)}};
    if (!directory.metadata.empty()) metadata["metadata"] = directory.metadata;
    for (const auto& [name, scalar] : directory.scalars) metadata["scalars"][name] = burnpack_scalar(scalar);
    std::string cbor;
    nlohmann::json::to_cbor(metadata, cbor);
    return cbor;
}

}  // namespace burn::store
