#pragma once

#include <burn/core/tensor_data.h>

#include <cstddef>
#include <span>
#include <string>

namespace burn::data {

/// Reads an IDX file (the format of MNIST), plain or gzip by content.
///
///   0 0 | type | number of axes | u32 size of each axis | values; all big-endian
///
/// Shapes    1 to 8 axes
/// DTypes    U8, I8, I16, I32, F32, F64, as the file says
/// Memory    nothing is allocated beyond what a file of its size can hold
/// Errors    IoError; ParseError naming the file: not IDX, unknown type, too large, shorter or longer than its sizes say
/// Source    Y. LeCun, C. Cortes, C. Burges, "The MNIST database", section "The IDX file format"
TensorData read_idx(const std::string& path);
/// The same of bytes in memory; `name` is what errors call them.
TensorData read_idx(std::span<const std::byte> bytes, std::string name = "<memory>");

}  // namespace burn::data
