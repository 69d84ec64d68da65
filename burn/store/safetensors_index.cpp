#include <burn/base/error.h>
#include <burn/store/json.h>
#include <burn/store/quote.h>
#include <burn/store/safetensors.h>
#include <burn/store/safetensors_index.h>

#include <map>
#include <utility>

namespace burn::store {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& fault) {
    raise(ErrorKind::Parse, Message() << "safetensors index: " << quote_path(path).c_str() << ": " << fault.c_str());
}

/// A plain name: an index of strangers must not reach other folders.
bool is_file_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

}  // namespace

TensorFile open_safetensors_index(const std::string& path) {
    const Json index = read_json(path);
    const Json* map = index.find("weight_map");
    const Json::Object* entries = map == nullptr ? nullptr : map->as<Json::Object>();
    if (entries == nullptr) refuse(path, "it has no object \"weight_map\"");

    std::map<std::string, std::size_t> counts;  // of tensors in each file
    for (const Json::Member& entry : *entries) {
        const auto* file = entry.value.as<std::string>();
        if (file == nullptr || !is_file_name(*file)) {
            refuse(path, "tensor " + quote(entry.key) + " is in " + entry.value.description() +
                             "; expected a file beside the index");
        }
        ++counts[*file];
    }
    const std::string folder = path.substr(0, path.rfind('/') + 1);  // npos + 1 is 0
    std::map<std::string, TensorFile> files;
    for (const auto& [name, count] : counts) {
        const TensorFile& file = files.emplace(name, open_safetensors(folder + name)).first->second;
        if (file.size() != count) {
            refuse(path, "it has " + std::to_string(count) + " tensors in " + quote(name) + ", the file " +
                             std::to_string(file.size()));
        }
    }
    for (const Json::Member& entry : *entries) {
        const std::string& name = *entry.value.as<std::string>();
        if (!files.at(name).contains(entry.key))
            refuse(path, "tensor " + quote(entry.key) + " is not in " + quote(name));
    }
    std::vector<TensorFile> parts;
    for (auto& [name, file] : files) parts.push_back(std::move(file));
    return TensorFile(path, std::move(parts));
}

}  // namespace burn::store
