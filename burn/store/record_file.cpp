#include <burn/base/error.h>
#include <burn/store/burnpack.h>
#include <burn/store/file_kind.h>
#include <burn/store/quote.h>
#include <burn/store/record_file.h>
#include <burn/store/safetensors.h>
#include <burn/store/safetensors_index.h>

#include <memory>
#include <utility>

namespace burn::store {

namespace {

class ValuesInFile final : public RecordValues {
public:
    ValuesInFile(std::shared_ptr<const TensorFile> file, const StoredTensor& tensor)
        : file_(std::move(file)), tensor_(tensor) {}
    TensorData read() const override { return file_->read(tensor_); }

private:
    std::shared_ptr<const TensorFile> file_;
    const StoredTensor& tensor_;
};

StoredScalar stored(const RecordNumber& number) {
    switch (number.type()) {
        case RecordNumber::Type::Int: return number.as<std::int64_t>();
        case RecordNumber::Type::UInt: return number.as<std::uint64_t>();
        case RecordNumber::Type::Float: return number.as<double>();
        case RecordNumber::Type::Bool: break;
    }
    return number.as<bool>();
}

std::string extension_of(const std::string& path) {
    const std::size_t slash = path.rfind('/'), dot = path.rfind('.');
    return dot == std::string::npos || (slash != std::string::npos && dot < slash) ? "" : path.substr(dot);
}

}  // namespace

void write_record(const std::string& path, const Record& record, const std::map<std::string, std::string>& metadata) {
    const std::string extension = extension_of(path);
    if (extension != ".bpk" && extension != ".safetensors") {
        raise(ErrorKind::Argument, Message() << "save: " << quote_path(path).c_str() << ": unknown extension "
                                             << quote(extension).c_str() << "; expected .bpk or .safetensors");
    }
    TensorFileContents contents;
    contents.metadata = metadata;
    for (const Record::Tensor& tensor : record.tensors()) {
        NamedTensor named{tensor.path.text(), tensor.read()};
        if (tensor.id != 0) named.param_id = tensor.id;
        contents.tensors.push_back(std::move(named));
    }
    for (const Record::Number& number : record.numbers())
        contents.scalars.emplace(number.path.text(), stored(number.value));
    extension == ".bpk" ? write_burnpack(path, contents) : write_safetensors(path, contents);
}

TensorFile open_tensor_file(ByteSource source) {
    switch (file_kind(source)) {
        case FileKind::Burnpack: return open_burnpack(std::move(source));
        case FileKind::Safetensors: return open_safetensors(std::move(source));
        default: raise_wrong_kind("burnpack or safetensors", source, "neither format begins so");
    }
}

TensorFile open_tensor_file(const std::string& path) {
    if (path.ends_with(".safetensors.index.json")) return open_safetensors_index(path);
    return open_tensor_file(ByteSource::open(path));
}

Record read_record(TensorFile opened) {
    const auto file = std::make_shared<const TensorFile>(std::move(opened));
    Record record;
    for (const StoredTensor& tensor : file->tensors()) {
        if (!tensor.dtype) file->read(tensor);  // raises: no record can hold it
        record.add(tensor.name.c_str(), {tensor.shape, *tensor.dtype}, make_ref<ValuesInFile>(file, tensor),
                   tensor.param_id.value_or(0));
    }
    for (const auto& [name, scalar] : file->scalars()) {
        std::visit([&](auto value) { record.add(name.c_str(), RecordNumber(value)); }, scalar);
    }
    return record;
}

Record read_record(const std::string& path) { return read_record(open_tensor_file(path)); }

}  // namespace burn::store

namespace burn::detail {

std::string quoted_file(const std::string& path) { return store::quote_path(path); }

void load_into(FunctionRef<void(const Record&)> take, const std::string& path) {
    const Record record = store::read_record(path);
    try {
        take(record);
    } catch (const RecordError& error) {
        raise(ErrorKind::Record, Message() << "load: " << store::quote_path(path).c_str() << ": " << error.what());
    }
}

}  // namespace burn::detail
