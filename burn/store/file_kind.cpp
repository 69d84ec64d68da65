#include <burn/base/error.h>
#include <burn/store/file_kind.h>
#include <burn/store/quote.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string_view>

namespace burn::store {

namespace {

constexpr std::size_t kLook = 512;

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A local header of a zip: the name of the first entry tells whose zip it is.
FileKind kind_of_zip(std::string_view start) {
    constexpr std::size_t kNameLength = 26, kName = 30;
    if (start.size() < kName) return FileKind::Zip;
    const std::size_t length = static_cast<unsigned char>(start[kNameLength]) |
                               static_cast<std::size_t>(static_cast<unsigned char>(start[kNameLength + 1])) << 8;
    const std::string_view name = start.substr(kName, length);
    if (name.ends_with(".npy")) return FileKind::Npz;
    for (std::string_view entry :
         {"/data.pkl", "/version", "/byteorder", "/.format_version", "/.data/serialization_id", "/constants.pkl"}) {
        if (name.ends_with(entry)) return FileKind::PyTorchZip;
    }
    return FileKind::Zip;
}

/// Protocol 2 and above begin with an opcode of their own; PyTorch's old files begin with a pickled magic number.
FileKind kind_of_pickle(std::string_view start) {
    constexpr std::string_view kLegacyMagic = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
    return start.substr(2).starts_with(kLegacyMagic) ? FileKind::PyTorchLegacy : FileKind::Pickle;
}

bool looks_like_safetensors(std::string_view start) {
    if (start.size() < 9 || start[8] != '{') return false;
    // A header longer than 2^32 bytes would be a text that happens to have a brace there.
    return start.substr(4, 4) == std::string_view("\0\0\0\0", 4);
}

/// Two zero bytes, an element type, a number of axes.
bool looks_like_idx(std::string_view start) {
    if (start.size() < 8 || start[0] != 0 || start[1] != 0) return false;
    const auto type = static_cast<unsigned char>(start[2]), axes = static_cast<unsigned char>(start[3]);
    return axes >= 1 && axes <= 8 && (type == 8 || type == 9 || (type >= 0x0B && type <= 0x0E));
}

bool looks_like_html(std::string_view start) {
    std::string lower;
    for (char character : start.substr(0, 64)) {
        const auto code = static_cast<unsigned char>(character);
        if (!lower.empty() || std::isspace(code) == 0) lower += static_cast<char>(std::tolower(code));
    }
    return lower.starts_with("<!doctype html") || lower.starts_with("<html") || lower.starts_with("<?xml");
}

}  // namespace

FileKind file_kind(std::span<const std::byte> bytes) {
    const std::string_view start = text_of(bytes.first(std::min(bytes.size(), kLook)));
    const auto begins = [&](std::string_view magic) { return start.starts_with(magic); };
    if (start.empty()) return FileKind::Empty;
    if (begins("NRUB")) return FileKind::Burnpack;
    if (begins(std::string_view("PK\x03\x04", 4)) || begins(std::string_view("PK\x05\x06", 4)))
        return kind_of_zip(start);
    if (begins("\x1f\x8b")) return FileKind::Gzip;
    if (begins("\x28\xb5\x2f\xfd")) return FileKind::Zstd;
    if (begins("\x89HDF\r\n\x1a\n")) return FileKind::Hdf5;
    if (begins("\x93NUMPY")) return FileKind::Npy;
    if (begins("GGUF")) return FileKind::Gguf;
    if (begins("version https://git-lfs")) return FileKind::GitLfsPointer;
    if (looks_like_safetensors(start)) return FileKind::Safetensors;
    if (start.size() >= 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5) return kind_of_pickle(start);
    if (looks_like_idx(start)) return FileKind::Idx;
    if (start.size() >= 262 && start.substr(257, 5) == "ustar") return FileKind::Tar;
    if (looks_like_html(start)) return FileKind::Html;
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (start[first] == '{' || start[first] == '[')) return FileKind::Json;
    return FileKind::Unknown;
}

FileKind file_kind(const ByteSource& source) {
    std::array<std::byte, kLook> start;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(source.size(), start.size()));
    source.read(0, std::span(start).first(size));
    return file_kind(std::span<const std::byte>(start).first(size));
}

const char* name_of(FileKind kind) {
    switch (kind) {
        case FileKind::Unknown: return "no format known here";
        case FileKind::Empty: return "an empty file";
        case FileKind::Burnpack: return "a burnpack file";
        case FileKind::Safetensors: return "a safetensors file";
        case FileKind::PyTorchZip: return "a PyTorch file (a zip with a pickle inside)";
        case FileKind::PyTorchLegacy: return "a PyTorch file of before 1.6 (pickles)";
        case FileKind::Pickle: return "a Python pickle (perhaps of PyTorch)";
        case FileKind::Zip: return "a zip archive";
        case FileKind::Tar: return "a tar archive";
        case FileKind::Gzip: return "a gzip file";
        case FileKind::Zstd: return "a zstd file";
        case FileKind::Hdf5: return "an HDF5 file (Keras, netCDF)";
        case FileKind::Npy: return "a NumPy array (.npy)";
        case FileKind::Npz: return "a NumPy archive (.npz)";
        case FileKind::Gguf: return "a GGUF file";
        case FileKind::Idx: return "an IDX file";
        case FileKind::Json: return "a JSON text";
        case FileKind::Html: return "a web page";
        case FileKind::GitLfsPointer: return "a Git LFS pointer";
    }
    return "";
}

const char* advice_for(FileKind kind) {
    switch (kind) {
        case FileKind::Burnpack: return "burn::store::open_burnpack reads it";
        case FileKind::Safetensors: return "burn::store::open_safetensors reads it";
        case FileKind::PyTorchZip:
        case FileKind::PyTorchLegacy:
        case FileKind::Pickle:
            return "no PyTorch loader is built in; in Python, safetensors.torch.save_file(torch.load(path), new_path) "
                   "makes a safetensors file of a state dict";
        case FileKind::Hdf5:
        case FileKind::Npy:
        case FileKind::Npz:
        case FileKind::Gguf: return "no loader for it is built in; convert it to safetensors";
        case FileKind::Zip:
        case FileKind::Tar:
        case FileKind::Gzip:
        case FileKind::Zstd: return "unpack it first";
        case FileKind::Idx: return "burn::data::read_idx reads it";
        case FileKind::Json:
            return "it may be a configuration, or the index of a sharded checkpoint, which "
                   "burn::store::open_safetensors_index reads";
        case FileKind::Html: return "the download failed: fetch it again";
        case FileKind::GitLfsPointer: return "the file itself was not downloaded: run git lfs pull";
        case FileKind::Empty:
        case FileKind::Unknown: break;
    }
    return nullptr;
}

void raise_wrong_kind(const char* format, const ByteSource& source, const char* fault) {
    const FileKind kind = file_kind(source);
    Message message;
    message << format << ": " << quote_path(source.name()).c_str() << ": ";
    if (kind == FileKind::Unknown) {
        message << fault << "; the bytes look like " << name_of(kind);
    } else {
        message << "the bytes look like " << name_of(kind) << ", not like " << format;
        if (advice_for(kind) != nullptr) message << "; " << advice_for(kind);
    }
    raise(ErrorKind::Parse, message);
}

}  // namespace burn::store
