#pragma once

#include <burn/base/message.h>
#include <burn/core/half.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace burn {

/// The type of a tensor's elements.
enum class DType : std::uint8_t { F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, Bool };

constexpr int kDTypeCount = 13;

/// The three kinds of tensors that the type system tells apart.
enum class Kind : std::uint8_t { Float, Int, Bool };

/// Size of one element in bytes. A Bool takes one byte that is 0 or 1.
constexpr std::size_t size_of(DType dtype) {
    switch (dtype) {
        case DType::F64:
        case DType::I64:
        case DType::U64: return 8;
        case DType::F32:
        case DType::I32:
        case DType::U32: return 4;
        case DType::F16:
        case DType::BF16:
        case DType::I16:
        case DType::U16: return 2;
        case DType::I8:
        case DType::U8:
        case DType::Bool: return 1;
    }
    return 0;
}

constexpr Kind kind_of(DType dtype) {
    if (dtype <= DType::BF16) return Kind::Float;
    return dtype == DType::Bool ? Kind::Bool : Kind::Int;
}

constexpr bool is_float(DType dtype) { return kind_of(dtype) == Kind::Float; }
constexpr bool is_int(DType dtype) { return kind_of(dtype) == Kind::Int; }
constexpr bool is_unsigned(DType dtype) { return dtype >= DType::U64 && dtype <= DType::U8; }
constexpr bool is_numeric(DType dtype) { return dtype != DType::Bool; }

/// "f32", "bool", ...
const char* name_of(DType dtype);
/// "Float", "Int" or "Bool".
const char* name_of(Kind kind);

Message& operator<<(Message& message, DType dtype);

/// The DType that stores the C++ type `T`.
template <class T>
struct DTypeOf;

#define BURN_DTYPE_OF(TYPE, DTYPE)                   \
    template <>                                      \
    struct DTypeOf<TYPE> {                           \
        static constexpr DType value = DType::DTYPE; \
    };

BURN_DTYPE_OF(double, F64)
BURN_DTYPE_OF(float, F32)
BURN_DTYPE_OF(f16, F16)
BURN_DTYPE_OF(bf16, BF16)
BURN_DTYPE_OF(std::int64_t, I64)
BURN_DTYPE_OF(std::int32_t, I32)
BURN_DTYPE_OF(std::int16_t, I16)
BURN_DTYPE_OF(std::int8_t, I8)
BURN_DTYPE_OF(std::uint64_t, U64)
BURN_DTYPE_OF(std::uint32_t, U32)
BURN_DTYPE_OF(std::uint16_t, U16)
BURN_DTYPE_OF(std::uint8_t, U8)
BURN_DTYPE_OF(bool, Bool)

#undef BURN_DTYPE_OF

template <class T>
constexpr DType dtype_of = DTypeOf<T>::value;

/// A C++ type that tensor elements are stored as.
template <class T>
concept Element = requires { DTypeOf<T>::value; };

/// Calls `body(T())` with the C++ type of `dtype`.
template <class Body>
constexpr decltype(auto) visit_dtype(DType dtype, Body&& body) {
    switch (dtype) {
        case DType::F64: return body(double());
        case DType::F32: return body(float());
        case DType::F16: return body(f16());
        case DType::BF16: return body(bf16());
        case DType::I64: return body(std::int64_t());
        case DType::I32: return body(std::int32_t());
        case DType::I16: return body(std::int16_t());
        case DType::I8: return body(std::int8_t());
        case DType::U64: return body(std::uint64_t());
        case DType::U32: return body(std::uint32_t());
        case DType::U16: return body(std::uint16_t());
        case DType::U8: return body(std::uint8_t());
        case DType::Bool: break;
    }
    return body(bool());
}

}  // namespace burn
