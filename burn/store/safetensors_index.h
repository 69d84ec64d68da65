#pragma once

#include <burn/store/tensor_file.h>

namespace burn::store {

/// Opens a checkpoint that is spread over several safetensors files by its index, "model.safetensors.index.json":
///
///   {"metadata": {..}, "weight_map": {"name of a tensor": "name of a file beside the index"}}
///
/// Files that it names lie in the index's own folder, and index and files agree on every tensor.
///
/// Errors    IoError, also for a file that is missing; ParseError naming index, tensor or file
/// Source    the sharded checkpoints of Hugging Face
TensorFile open_safetensors_index(const std::string& path);

}  // namespace burn::store
