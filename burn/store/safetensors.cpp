#include <burn/base/error.h>
#include <burn/store/byte_sink.h>
#include <burn/store/file_kind.h>
#include <burn/store/safetensors.h>
#include <burn/store/safetensors_extras.h>
#include <burn/store/tensor_directory.h>

#include <cstring>
#include <utility>

namespace burn::store {

namespace {

constexpr std::uint64_t kLargestHeader = 100'000'000;
constexpr const char* kFormat = "safetensors";

std::string read_header(const ByteSource& source) {
    std::byte length_bytes[8] = {};
    if (source.size() < sizeof length_bytes) {
        raise_wrong_kind(kFormat, source, "the file is shorter than the length of a header");
    }
    source.read(0, length_bytes);
    std::uint64_t length = 0;
    std::memcpy(&length, length_bytes, sizeof length);
    const std::uint64_t rest = source.size() - sizeof length_bytes;

    const FileKind kind = file_kind(source);
    const bool plausible = length <= kLargestHeader && length <= rest;
    if (!plausible && kind != FileKind::Safetensors) {
        raise_wrong_kind(kFormat, source, "the first 8 bytes are no plausible length of a header");
    }
    if (length > kLargestHeader) {
        raise_malformed(kFormat, source,
                        "the header claims " + std::to_string(length) + " bytes; expected at most " +
                            std::to_string(kLargestHeader));
    }
    if (!plausible) {
        raise_malformed(kFormat, source,
                        "the header claims " + std::to_string(length) + " bytes, the file has " + std::to_string(rest) +
                            " after the length");
    }
    std::string header(static_cast<std::size_t>(length), '\0');
    source.read(sizeof length_bytes, std::as_writable_bytes(std::span(header)));
    if (!header.starts_with('{')) {
        if (kind != FileKind::Unknown) raise_wrong_kind(kFormat, source, "");
        raise_malformed(kFormat, source, "the header does not begin with a brace");
    }
    return header;
}

void write(ByteSink sink, const TensorFileContents& contents) {
    TensorPlan plan = plan_tensors(contents, safetensors_dtypes(), 1, kLargestHeader, kFormat);
    for (const NamedTensor* tensor : plan.order) {
        if (tensor->name == "__metadata__") {
            raise(ErrorKind::Argument, Message() << kFormat << ": no tensor can have the name \"__metadata__\"");
        }
    }
    pack_extras(plan.directory);
    std::string header = write_safetensors_header(plan.directory);
    header.resize((header.size() + 7) / 8 * 8, ' ');
    if (header.size() > kLargestHeader) {
        raise(ErrorKind::Argument, Message() << kFormat << ": the header would take " << header.size()
                                             << " bytes; expected at most " << kLargestHeader);
    }
    const std::uint64_t length = header.size();
    sink(std::as_bytes(std::span(&length, 1)));
    sink(std::as_bytes(std::span(header)));
    write_values(sink, plan);
}

}  // namespace

TensorFile open_safetensors(ByteSource source) {
    const std::string header = read_header(source);
    TensorDirectory directory;
    std::string fault = read_safetensors_header(header, directory);
    if (fault.empty()) fault = unpack_extras(directory);
    if (!fault.empty()) raise_malformed(kFormat, source, fault);
    const Packing packing{.data_start = sizeof(std::uint64_t) + header.size(), .alignment = 1};
    std::vector<StoredTensor> tensors = locate_tensors(directory, safetensors_dtypes(), packing, source, kFormat);
    return TensorFile(std::move(source), kFormat, std::move(tensors), std::move(directory.metadata),
                      std::move(directory.scalars));
}

TensorFile open_safetensors(const std::string& path) { return open_safetensors(ByteSource::open(path)); }

void write_safetensors(const std::string& path, const TensorFileContents& contents) {
    write_atomically(path, [&](ByteSink sink) { write(sink, contents); });
}

std::vector<std::byte> safetensors_bytes(const TensorFileContents& contents) {
    return collect_bytes([&](ByteSink sink) { write(sink, contents); });
}

}  // namespace burn::store
