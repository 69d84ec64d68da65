#pragma once

#include <burn/store/tensor_directory.h>

#include <string>

namespace burn::store {

/// Safetensors know tensors and texts only. Parameter ids and numbers travel as texts of the metadata, under
/// "burn.param_id.<tensor>" and "burn.scalar.<name>", where other readers pass over them.

/// Moves ids and numbers into the metadata, before it is written.
///
/// Errors    ArgumentError when the metadata already has such keys
void pack_extras(TensorDirectory& directory);

/// Moves them back. Returns "" or what is wrong.
std::string unpack_extras(TensorDirectory& directory);

}  // namespace burn::store
