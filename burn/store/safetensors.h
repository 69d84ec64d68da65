#pragma once

#include <burn/store/tensor_file.h>

namespace burn::store {

/// Opens a safetensors file: reads and checks its header, leaves the values in the file.
///
///   u64 length of the header | header: JSON, name -> {dtype, shape, data_offsets}, "__metadata__" -> strings | values
///
/// Checked: the length (at most 100 MB and inside the file), the JSON (nothing after it, no key twice, no deep nesting),
/// each dtype, shape and pair of offsets against each other, and that the values fill the rest of the file without
/// overlap, hole or remainder.
///
/// DTypes    those of the library; files with others (float8, complex) open, and only these tensors cannot be read
/// Memory    a small multiple of the header's size
/// Errors    IoError; ParseError names the file, the tensor and what was expected, or, when the file is of another
///           format, which one and what reads it
/// Example   TensorData weight = open_safetensors("model.safetensors").read("fc.weight");
/// Source    https://github.com/huggingface/safetensors, "Format"
TensorFile open_safetensors(const std::string& path);
TensorFile open_safetensors(ByteSource source);

/// Writes a safetensors file, whole or not at all: wide elements first, then by name, the values aligned to 8 bytes.
/// Parameter ids and scalars, which the format lacks, become entries of its metadata and come back from
/// `open_safetensors`.
///
/// Errors    ArgumentError for two tensors of one name, the name "__metadata__", a name that is no UTF-8, or a header
///           beyond 100 MB; IoError
void write_safetensors(const std::string& path, const TensorFileContents& contents);
std::vector<std::byte> safetensors_bytes(const TensorFileContents& contents);

}  // namespace burn::store
