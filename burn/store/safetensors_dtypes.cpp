#include <burn/store/safetensors_dtypes.h>

namespace burn::store {

namespace {

constexpr SafetensorsDType kDTypes[] = {
    {"F64", 64, true, DType::F64},
    {"F32", 32, true, DType::F32},
    {"F16", 16, true, DType::F16},
    {"BF16", 16, true, DType::BF16},
    {"I64", 64, true, DType::I64},
    {"I32", 32, true, DType::I32},
    {"I16", 16, true, DType::I16},
    {"I8", 8, true, DType::I8},
    {"U64", 64, true, DType::U64},
    {"U32", 32, true, DType::U32},
    {"U16", 16, true, DType::U16},
    {"U8", 8, true, DType::U8},
    {"BOOL", 8, true, DType::Bool},
    {"F8_E5M2", 8, false},
    {"F8_E4M3", 8, false},
    {"F8_E8M0", 8, false},
    {"F6_E2M3", 6, false},
    {"F6_E3M2", 6, false},
    {"F4", 4, false},
    {"C64", 64, false},
};

}  // namespace

const SafetensorsDType* find_safetensors_dtype(std::string_view name) {
    for (const SafetensorsDType& dtype : kDTypes) {
        if (dtype.name == name) return &dtype;
    }
    return nullptr;
}

const char* safetensors_name(DType dtype) {
    for (const SafetensorsDType& each : kDTypes) {
        if (each.readable && each.dtype == dtype) return each.name;
    }
    return "";
}

}  // namespace burn::store
