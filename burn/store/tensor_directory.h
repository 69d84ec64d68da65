#pragma once

#include <burn/store/stored_dtype.h>
#include <burn/store/tensor_file.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace burn::store {

/// What a file says of a tensor, before any of it is checked.
struct TensorDescription {
    std::string name;
    std::string dtype;
    std::vector<std::uint64_t> shape;
    std::vector<std::uint64_t> offsets;  ///< begin and end, from the start of the values
    std::optional<std::uint64_t> param_id;
};

/// The part of a file that says what it holds.
struct TensorDirectory {
    std::vector<TensorDescription> tensors;
    std::map<std::string, std::string> metadata;
    std::map<std::string, StoredScalar> scalars;
};

/// Reads the header of safetensors, JSON: name -> {dtype, shape, data_offsets}, "__metadata__" -> strings.
///
/// Returns "" or what is wrong: no JSON, a key twice, a field of the wrong type or missing, too many axes, too deep.
///
/// Memory    no tree is built: in proportion to the names and numbers kept
std::string read_safetensors_header(const std::string& json, TensorDirectory& directory);

/// Reads the metadata of burnpack, CBOR: {tensors: name -> {dtype, shape, data_offsets, param_id}, metadata, scalars}.
std::string read_burnpack_metadata(const std::string& cbor, TensorDirectory& directory);

/// How far apart tensors may lie: padding up to an alignment, or none (1).
struct Packing {
    std::uint64_t data_start;
    std::uint64_t alignment;
};

/// Checks every description against the file: dtype known, size of dtype and shape equal to that of the offsets, offsets
/// in order and inside the file, no overlap, no hole wider than padding, nothing behind the last tensor.
///
/// Returns the tensors in the order in which they lie.
///
/// Errors    ParseError; `format` names the format
std::vector<StoredTensor> locate_tensors(const TensorDirectory& directory, DTypeNames dtypes, Packing packing,
                                         const ByteSource& source, const char* format);

/// Where every tensor of a file to be written goes: wide elements first, so that all are aligned, then by name.
struct TensorPlan {
    std::vector<const NamedTensor*> order;
    TensorDirectory directory;  ///< tensors in the same order
    std::uint64_t data_size = 0;
};

/// Errors    ArgumentError for a name that occurs twice or is no UTF-8, and when names and metadata alone are larger than
///           `largest`; `format` names the format
TensorPlan plan_tensors(const TensorFileContents& contents, DTypeNames dtypes, std::uint64_t alignment,
                        std::uint64_t largest, const char* format);

/// Inverse of read_safetensors_header, read_burnpack_metadata.
std::string write_safetensors_header(const TensorDirectory& directory);
std::string write_burnpack_metadata(const TensorDirectory& directory);

/// Raises the ParseError of a file: "format: "path": fault".
[[noreturn]] void raise_malformed(const char* format, const ByteSource& source, const std::string& fault);

}  // namespace burn::store
