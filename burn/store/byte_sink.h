#pragma once

#include <burn/base/function_ref.h>
#include <burn/store/tensor_directory.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace burn::store {

/// Where a writer of a format puts its bytes, piece by piece.
using ByteSink = FunctionRef<void(std::span<const std::byte>)>;

/// Zeros or other filling.
void write_padding(ByteSink sink, std::uint64_t count, char filling);

/// The values of a plan, each at its place.
void write_values(ByteSink sink, const TensorPlan& plan);

/// Runs `write` into a file that appears whole or not at all.
///
/// Errors    IoError
void write_atomically(const std::string& path, FunctionRef<void(ByteSink)> write);

/// Runs `write` into memory.
std::vector<std::byte> collect_bytes(FunctionRef<void(ByteSink)> write);

}  // namespace burn::store
