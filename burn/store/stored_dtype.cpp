#include <burn/store/stored_dtype.h>

namespace burn::store {

namespace {

constexpr StoredDType kSafetensors[] = {
    {"F64", 64, DType::F64},  {"F32", 32, DType::F32}, {"F16", 16, DType::F16}, {"BF16", 16, DType::BF16},
    {"I64", 64, DType::I64},  {"I32", 32, DType::I32}, {"I16", 16, DType::I16}, {"I8", 8, DType::I8},
    {"U64", 64, DType::U64},  {"U32", 32, DType::U32}, {"U16", 16, DType::U16}, {"U8", 8, DType::U8},
    {"BOOL", 8, DType::Bool}, {"F8_E5M2", 8, {}},      {"F8_E4M3", 8, {}},      {"F8_E8M0", 8, {}},
    {"F6_E2M3", 6, {}},       {"F6_E3M2", 6, {}},      {"F4", 4, {}},           {"C64", 64, {}},
};

// Flex32 is stored as F32. Early files have Bool without a payload.
constexpr StoredDType kBurnpack[] = {
    {"F64", 64, DType::F64},      {"F32", 32, DType::F32},
    {"Flex32", 32, DType::F32},   {"F16", 16, DType::F16},
    {"BF16", 16, DType::BF16},    {"I64", 64, DType::I64},
    {"I32", 32, DType::I32},      {"I16", 16, DType::I16},
    {"I8", 8, DType::I8},         {"U64", 64, DType::U64},
    {"U32", 32, DType::U32},      {"U16", 16, DType::U16},
    {"U8", 8, DType::U8},         {"Bool(Native)", 8, DType::Bool},
    {"Bool(U8)", 8, DType::Bool}, {"Bool", 8, DType::Bool},
    {"Bool(U32)", 32, {}},        {"QFloat", 0, {}},
};

}  // namespace

DTypeNames safetensors_dtypes() { return kSafetensors; }

DTypeNames burnpack_dtypes() { return kBurnpack; }

const StoredDType* find_dtype(DTypeNames names, std::string_view name) {
    for (const StoredDType& each : names) {
        if (each.name == name) return &each;
    }
    return nullptr;
}

const char* stored_name(DTypeNames names, DType dtype) {
    for (const StoredDType& each : names) {
        if (each.dtype == dtype) return each.name;
    }
    return "";
}

std::string readable_names(DTypeNames names) {
    std::string text;
    for (const StoredDType& each : names) {
        if (each.dtype) text += (text.empty() ? "" : ", ") + std::string(each.name);
    }
    return text;
}

}  // namespace burn::store
