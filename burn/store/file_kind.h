#pragma once

#include <burn/store/byte_source.h>

#include <cstdint>
#include <span>

namespace burn::store {

/// What the first bytes of a file look like.
enum class FileKind : std::uint8_t {
    Unknown,
    Empty,
    Burnpack,
    Safetensors,
    PyTorchZip,     ///< torch.save since 1.6: a zip with a pickle inside
    PyTorchLegacy,  ///< torch.save before 1.6
    Pickle,
    Zip,
    Tar,
    Gzip,
    Zstd,
    Hdf5,
    Npy,
    Npz,
    Gguf,
    Idx,
    Json,
    Html,
    GitLfsPointer,
};

/// Looks at the first bytes of a file, of which a few hundred are enough.
///
/// Safetensors have no magic number: they are told by a plausible header length followed by a brace.
FileKind file_kind(std::span<const std::byte> start);
FileKind file_kind(const ByteSource& source);

/// "a PyTorch file (zip with a pickle inside)", ...
const char* name_of(FileKind kind);

/// What to do with such a file instead: "burn::store::open_safetensors reads it", ... ; null when there is no advice.
const char* advice_for(FileKind kind);

/// Raises the error of a loader that was given another format: which it looks like, and which loader reads it.
///
/// Errors    ParseError, always
[[noreturn]] void raise_wrong_kind(const char* format, const ByteSource& source, const char* fault);

}  // namespace burn::store
