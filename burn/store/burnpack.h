#pragma once

#include <burn/store/tensor_file.h>

#include <string>
#include <vector>

namespace burn::store {

/// Opens a burnpack file (.bpk): reads and checks its metadata, leaves the values in the file.
///
///   "NRUB" | u16 version 1 | u32 length of the metadata | metadata: CBOR | padding | values
///
/// The metadata: tensors: name -> {dtype, shape, data_offsets, param_id}; metadata: texts; scalars: name -> {Int, UInt,
/// Float or Bool: value}. The values begin at a multiple of 256, and so does each tensor.
///
/// Checked as safetensors are; limits: metadata of 100 MiB, 100,000 tensors, 10 GiB a tensor, 100 GiB a file.
///
/// DTypes    those of the library; quantised tensors open, and only they cannot be read
/// Memory    a small multiple of the metadata's size
/// Errors    IoError; ParseError names the file, the tensor and what was expected, or, when the file is of another
///           format, which one and what reads it; UnsupportedError for a later version
/// Source    the burnpack format of Burn, version 1
TensorFile open_burnpack(const std::string& path);
TensorFile open_burnpack(ByteSource source);

/// Writes a burnpack file, whole or not at all.
///
/// Errors    ArgumentError for two tensors of one name, a name that is no UTF-8, or beyond the limits; IoError
void write_burnpack(const std::string& path, const TensorFileContents& contents);
std::vector<std::byte> burnpack_bytes(const TensorFileContents& contents);

}  // namespace burn::store
