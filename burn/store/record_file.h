#pragma once

#include <burn/base/function_ref.h>
#include <burn/module/record.h>
#include <burn/store/tensor_file.h>

#include <map>
#include <string>

namespace burn::store {

/// Writes a record to a file, whole or not at all: burnpack for ".bpk", safetensors for ".safetensors". Both keep
/// tensors, parameter ids and numbers bit for bit.
///
/// Errors    ArgumentError for another extension; IoError
void write_record(const std::string& path, const Record& record,
                  const std::map<std::string, std::string>& metadata = {});

/// Opens a burnpack or safetensors file, told by its content, as a record whose tensors are read when asked for.
///
/// Memory    names and shapes; the file stays open as long as the record lives
/// Errors    IoError; ParseError; UnsupportedError for a tensor of a dtype that the library lacks
Record read_record(const std::string& path);
Record read_record(TensorFile file);

/// The file behind, for its metadata and single tensors; the index of a sharded checkpoint ("..safetensors.index.json")
/// opens all of it.
TensorFile open_tensor_file(const std::string& path);
TensorFile open_tensor_file(ByteSource source);

}  // namespace burn::store

namespace burn::detail {

/// The path as messages show it.
std::string quoted_file(const std::string& path);
/// Reads the record of a file and gives it to `take`; a RecordError from there is raised again with the file's name.
void load_into(FunctionRef<void(const Record&)> take, const std::string& path);

}  // namespace burn::detail
