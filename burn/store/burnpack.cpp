#include <burn/base/error.h>
#include <burn/store/burnpack.h>
#include <burn/store/byte_sink.h>
#include <burn/store/file_kind.h>
#include <burn/store/quote.h>
#include <burn/store/tensor_directory.h>

#include <cstring>
#include <utility>

namespace burn::store {

namespace {

constexpr const char* kFormat = "burnpack";
constexpr char kMagic[4] = {'N', 'R', 'U', 'B'};
constexpr std::uint16_t kVersion = 1;
constexpr std::uint64_t kHeaderSize = sizeof kMagic + sizeof kVersion + sizeof(std::uint32_t);
constexpr std::uint64_t kAlignment = 256;

constexpr std::uint64_t kLargestMetadata = 100ull << 20;
constexpr std::uint64_t kMostTensors = 100'000;
constexpr std::uint64_t kLargestTensor = 10ull << 30;
constexpr std::uint64_t kLargestFile = 100ull << 30;

std::uint64_t data_start(std::uint64_t metadata_size) {
    return (kHeaderSize + metadata_size + kAlignment - 1) / kAlignment * kAlignment;
}

template <class T>
T number_at(std::span<const std::byte> bytes, std::size_t offset) {
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string read_metadata(const ByteSource& source) {
    const auto refuse = [&](const std::string& fault) { raise_malformed(kFormat, source, fault); };
    if (file_kind(source) != FileKind::Burnpack) {
        raise_wrong_kind(kFormat, source, "the file does not begin with \"NRUB\"");
    }
    if (source.size() < kHeaderSize) refuse("the file ends inside its header");
    if (source.size() > kLargestFile) refuse("the file is larger than 100 GiB");
    std::byte header[kHeaderSize];
    source.read(0, header);
    const auto version = number_at<std::uint16_t>(header, sizeof kMagic);
    if (version != kVersion) {
        raise(ErrorKind::Unsupported, Message() << kFormat << ": " << quote_path(source.name()).c_str() << ": version "
                                                << version << " of the format; expected " << kVersion);
    }
    const std::uint64_t size = number_at<std::uint32_t>(header, sizeof kMagic + sizeof kVersion);
    if (size > kLargestMetadata)
        refuse("the metadata claims " + std::to_string(size) + " bytes; expected at most 100 MiB");
    if (size > source.size() - kHeaderSize) {
        refuse("the metadata claims " + std::to_string(size) + " bytes, the file has " +
               std::to_string(source.size() - kHeaderSize) + " after the header");
    }
    std::string metadata(static_cast<std::size_t>(size), '\0');
    source.read(kHeaderSize, std::as_writable_bytes(std::span(metadata)));
    return metadata;
}

void require_limits(const TensorPlan& plan, std::uint64_t metadata_size) {
    const auto require = [](bool holds, const char* what) {
        if (!holds) raise(ErrorKind::Argument, Message() << kFormat << ": " << what);
    };
    require(plan.order.size() <= kMostTensors, "more than 100,000 tensors");
    require(metadata_size <= kLargestMetadata, "the metadata would take more than 100 MiB");
    require(data_start(metadata_size) + plan.data_size <= kLargestFile, "the file would be larger than 100 GiB");
    for (const NamedTensor* tensor : plan.order) {
        require(tensor->data.bytes().size() <= kLargestTensor, "a tensor is larger than 10 GiB");
    }
}

void write(ByteSink sink, const TensorFileContents& contents) {
    const TensorPlan plan = plan_tensors(contents, burnpack_dtypes(), kAlignment, kLargestMetadata, kFormat);
    const std::string metadata = write_burnpack_metadata(plan.directory);
    require_limits(plan, metadata.size());
    const auto size = static_cast<std::uint32_t>(metadata.size());
    sink(std::as_bytes(std::span(kMagic)));
    sink(std::as_bytes(std::span(&kVersion, 1)));
    sink(std::as_bytes(std::span(&size, 1)));
    sink(std::as_bytes(std::span(metadata)));
    write_padding(sink, data_start(size) - kHeaderSize - size, '\0');
    write_values(sink, plan);
}

}  // namespace

TensorFile open_burnpack(ByteSource source) {
    const std::string metadata = read_metadata(source);
    TensorDirectory directory;
    const std::string fault = read_burnpack_metadata(metadata, directory);
    if (!fault.empty()) raise_malformed(kFormat, source, fault);
    if (directory.tensors.size() > kMostTensors) raise_malformed(kFormat, source, "more than 100,000 tensors");
    const Packing packing{.data_start = data_start(metadata.size()), .alignment = kAlignment};
    std::vector<StoredTensor> tensors = locate_tensors(directory, burnpack_dtypes(), packing, source, kFormat);
    for (const StoredTensor& tensor : tensors) {
        if (tensor.bytes > kLargestTensor) {
            raise_malformed(kFormat, source, "tensor " + quote(tensor.name) + " is larger than 10 GiB");
        }
    }
    return TensorFile(std::move(source), kFormat, std::move(tensors), std::move(directory.metadata),
                      std::move(directory.scalars));
}

TensorFile open_burnpack(const std::string& path) { return open_burnpack(ByteSource::open(path)); }

void write_burnpack(const std::string& path, const TensorFileContents& contents) {
    write_atomically(path, [&](ByteSink sink) { write(sink, contents); });
}

std::vector<std::byte> burnpack_bytes(const TensorFileContents& contents) {
    return collect_bytes([&](ByteSink sink) { write(sink, contents); });
}

}  // namespace burn::store
