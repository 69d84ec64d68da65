#pragma once

#include <burn/core/dtype.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace burn::store {

/// A dtype as a format names it.
struct StoredDType {
    const char* name;
    std::size_t bits;            ///< of one element; 0 when a tensor's size does not follow from its shape
    std::optional<DType> dtype;  ///< empty when the library has no such type
};

/// The names that a format defines. A dtype's first entry is the name it is written under.
using DTypeNames = std::span<const StoredDType>;

/// Source    the enumeration Dtype of the reference implementation, version 0.6
DTypeNames safetensors_dtypes();
/// Source    burnpack version 1; "Bool(U8)" is the variant Bool with the payload U8
DTypeNames burnpack_dtypes();

/// Null for names that the format does not define.
const StoredDType* find_dtype(DTypeNames names, std::string_view name);
/// The name `dtype` is written under.
const char* stored_name(DTypeNames names, DType dtype);
/// "F64, F32, ...": those that can be read.
std::string readable_names(DTypeNames names);

}  // namespace burn::store
