#include <burn/base/error.h>
#include <burn/core/shape.h>
#include <burn/store/quote.h>
#include <burn/store/tensor_directory.h>

#include <algorithm>
#include <tuple>

namespace burn::store {

namespace {

std::string text_of(std::span<const std::uint64_t> numbers) {
    std::string text = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
    return text + "]";
}

/// The bytes that dtype and shape demand; false when no tensor has this shape, or their number is no whole number.
bool byte_size(std::span<const std::uint64_t> shape, std::size_t bits, std::uint64_t& bytes) {
    constexpr auto kMost = static_cast<std::uint64_t>(kMostElements);
    std::uint64_t elements = 1, without_zeros = 1;
    for (const std::uint64_t size : shape) {
        elements *= size;
        if (size == 0) continue;  // the other sizes must still be sizes that a shape can have
        if (without_zeros > kMost / size) return false;
        without_zeros *= size;
    }
    bytes = elements * bits / 8;
    return elements * bits % 8 == 0;
}

}  // namespace

void raise_malformed(const char* format, const ByteSource& source, const std::string& fault) {
    raise(ErrorKind::Parse, Message() << format << ": " << quote_path(source.name()).c_str() << ": " << fault.c_str());
}

std::vector<StoredTensor> locate_tensors(const TensorDirectory& directory, DTypeNames dtypes, Packing packing,
                                         const ByteSource& source, const char* format) {
    const auto refuse = [&](const std::string& fault) { raise_malformed(format, source, fault); };
    // A file without tensors may end before its padding.
    const std::uint64_t data_size = source.size() - std::min(source.size(), packing.data_start);

    std::vector<StoredTensor> located;
    located.reserve(directory.tensors.size());
    for (const TensorDescription& tensor : directory.tensors) {
        // Texts are made when there is a fault only: a file may have many tensors.
        const auto refuse_tensor = [&](const std::string& fault) {
            refuse("tensor " + quote(tensor.name) + ": " + fault);
        };
        const auto offsets = [&] { return "data_offsets " + text_of(tensor.offsets); };
        const auto type = [&] { return tensor.dtype + " " + text_of(tensor.shape); };
        const StoredDType* known = find_dtype(dtypes, tensor.dtype);
        if (known == nullptr) {
            refuse_tensor("unknown dtype " + quote(tensor.dtype) + "; expected one of " + readable_names(dtypes));
        }
        const std::uint64_t begin = tensor.offsets[0], end = tensor.offsets[1];
        if (begin > end) refuse_tensor(offsets() + " are reversed; expected begin <= end");
        if (end > data_size) {
            refuse_tensor(offsets() + " go past the end of the file; it holds " + std::to_string(data_size) +
                          " bytes of values");
        }
        std::uint64_t bytes = 0;
        const bool size_is_known = known->bits != 0;
        if (!byte_size(tensor.shape, size_is_known ? known->bits : 8, bytes)) {
            refuse_tensor("a tensor of " + type() + " has no representable size; " + offsets());
        }
        if (size_is_known && bytes != end - begin) {
            refuse_tensor(offsets() + " span " + std::to_string(end - begin) + " bytes; expected " +
                          std::to_string(bytes) + " for " + type());
        }
        StoredTensor stored;
        stored.name = tensor.name;
        stored.stored_dtype = tensor.dtype;
        stored.dtype = known->dtype;
        for (std::uint64_t size : tensor.shape) stored.shape.push_back(static_cast<std::int64_t>(size));
        stored.offset = packing.data_start + begin;
        stored.bytes = end - begin;
        stored.param_id = tensor.param_id;
        located.push_back(std::move(stored));
    }
    std::sort(located.begin(), located.end(), [](const StoredTensor& a, const StoredTensor& b) {
        return std::tie(a.offset, a.bytes, a.name) < std::tie(b.offset, b.bytes, b.name);
    });

    std::uint64_t expected = packing.data_start;
    const StoredTensor* previous = nullptr;
    for (const StoredTensor& tensor : located) {
        const auto should = [&] { return std::to_string(expected - packing.data_start); };
        if (tensor.offset < expected) {
            refuse("tensors " + quote(previous->name) + " and " + quote(tensor.name) +
                   " overlap: the second begins at " + std::to_string(tensor.offset - packing.data_start) +
                   "; expected " + should() + " or more");
        }
        if (tensor.offset - expected >= packing.alignment) {
            refuse("there is a hole of " + std::to_string(tensor.offset - expected) + " bytes before tensor " +
                   quote(tensor.name) + "; expected it to begin at " + should());
        }
        expected = tensor.offset + tensor.bytes;
        previous = &tensor;
    }
    if (source.size() > expected && source.size() - expected >= packing.alignment) {
        refuse(std::to_string(source.size() - expected) +
               " bytes after the last tensor belong to none; expected the file to end there");
    }
    return located;
}

}  // namespace burn::store
