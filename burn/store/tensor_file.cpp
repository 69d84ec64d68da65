#include <burn/base/error.h>
#include <burn/store/closest_name.h>
#include <burn/store/quote.h>
#include <burn/store/tensor_file.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace burn::store {

static_assert(std::endian::native == std::endian::little,
              "the formats are little-endian and are read without swapping");

TensorFile::TensorFile(ByteSource source, const char* format, std::vector<StoredTensor> tensors,
                       std::map<std::string, std::string> metadata, std::map<std::string, StoredScalar> scalars)
    : name_(source.name()), sources_{std::move(source)}, format_(format), tensors_(std::move(tensors)),
      metadata_(std::move(metadata)), scalars_(std::move(scalars)) {
    sort_names();
}

TensorFile::TensorFile(std::string name, std::vector<TensorFile> parts) : name_(std::move(name)) {
    for (TensorFile& part : parts) {
        format_ = part.format_;
        for (StoredTensor& tensor : part.tensors_) {
            tensor.source += sources_.size();
            tensors_.push_back(std::move(tensor));
        }
        sources_.insert(sources_.end(), part.sources_.begin(), part.sources_.end());
        metadata_.merge(part.metadata_);
        scalars_.merge(part.scalars_);
    }
    sort_names();
    for (std::size_t i = 1; i < by_name_.size(); ++i) {
        const StoredTensor& a = tensors_[by_name_[i - 1]];
        const StoredTensor& b = tensors_[by_name_[i]];
        if (a.name != b.name) continue;
        raise(ErrorKind::Parse, Message() << format_ << ": " << quote_path(name_).c_str() << ": tensor "
                                          << quote(a.name).c_str() << " is in two files, "
                                          << quote_path(sources_[a.source].name()).c_str() << " and "
                                          << quote_path(sources_[b.source].name()).c_str());
    }
}

void TensorFile::sort_names() {
    by_name_.resize(tensors_.size());
    for (std::size_t i = 0; i < by_name_.size(); ++i) by_name_[i] = static_cast<std::uint32_t>(i);
    std::sort(by_name_.begin(), by_name_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return tensors_[a].name < tensors_[b].name; });
}

const StoredTensor* TensorFile::find(std::string_view name) const {
    const auto at =
        std::lower_bound(by_name_.begin(), by_name_.end(), name,
                         [&](std::uint32_t index, std::string_view key) { return tensors_[index].name < key; });
    return at != by_name_.end() && tensors_[*at].name == name ? &tensors_[*at] : nullptr;
}

TensorData TensorFile::read(std::string_view name) const {
    const StoredTensor* tensor = find(name);
    if (tensor == nullptr) {
        std::vector<std::string> names;
        for (const StoredTensor& each : tensors_) names.push_back(each.name);
        raise(ErrorKind::Record, Message() << format_ << ": " << quote_path(this->name()).c_str() << ": no tensor "
                                           << quote(name).c_str() << " among " << tensors_.size()
                                           << did_you_mean(name, names).c_str());
    }
    return read(*tensor);
}

TensorData TensorFile::read(const StoredTensor& tensor) const {
    if (tensor.source >= sources_.size()) {
        raise(ErrorKind::Argument, Message() << "TensorFile: tensor " << quote(tensor.name).c_str()
                                             << " lies in none of its files: it is another file's, or this object was "
                                                "moved from");
    }
    const auto where = [&] {
        return Message() << format_ << ": " << quote_path(sources_[tensor.source].name()).c_str() << ": tensor "
                         << quote(tensor.name).c_str();
    };
    if (!tensor.dtype) {
        raise(ErrorKind::Unsupported, where()
                                          << " has dtype " << quote(tensor.stored_dtype).c_str()
                                          << ", which no tensor here can hold; expected a float of 16 to 64 bits, an "
                                             "integer of 8 to 64 bits, or a bool");
    }
    Ref<Block> block = Block::make(static_cast<std::size_t>(tensor.bytes));
    const std::span<std::byte> values(block->data(), static_cast<std::size_t>(tensor.bytes));
    sources_[tensor.source].read(tensor.offset, values);
    if (*tensor.dtype == DType::Bool) {
        const auto bad =
            std::find_if(values.begin(), values.end(), [](std::byte value) { return value > std::byte{1}; });
        if (bad != values.end()) {
            raise(ErrorKind::Parse, where() << ": element " << (bad - values.begin()) << " is "
                                            << std::to_integer<int>(*bad) << "; expected a bool, 0 or 1");
        }
    }
    return TensorData::from_block(std::move(block), tensor.shape, *tensor.dtype);
}

}  // namespace burn::store
