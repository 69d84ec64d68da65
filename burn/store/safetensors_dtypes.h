#pragma once

#include <burn/core/dtype.h>

#include <cstddef>
#include <string_view>

namespace burn::store {

/// A dtype as safetensors files name it.
struct SafetensorsDType {
    const char* name;
    std::size_t bits;  ///< of one element
    bool readable;     ///< whether the library has it; then `dtype` is set
    DType dtype = DType::U8;
};

/// Null for names that the format does not define.
///
/// Source    the enumeration Dtype of the reference implementation, version 0.6
const SafetensorsDType* find_safetensors_dtype(std::string_view name);

/// "F32", "BOOL", ...
const char* safetensors_name(DType dtype);

}  // namespace burn::store
