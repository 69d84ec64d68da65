#pragma once

#include <burn/base/small_vector.h>
#include <burn/core/dtype.h>
#include <burn/core/scalar.h>
#include <burn/core/shape.h>
#include <burn/core/slice.h>

#include <cstdint>
#include <type_traits>

namespace burn::ops {

using SliceList = SmallVector<Slice, kMaxRank>;

/// What type an attribute of an operation has.
enum class FieldType : std::uint8_t { Bool, Int, Float, Scalar, DType, Dims, Slices, Enum };

/// One attribute of an operation, seen through a pointer of its type.
struct Field {
    const char* name;
    FieldType type;
    void* value;  ///< points to bool, int64_t, double, Scalar, DType, Dims, SliceList or a one-byte enum
    /// Structural attributes are part of a plan's identity; run-time ones (a learning rate, a random counter) are bound at
    /// launch.
    bool structural;
};

/// Sees every attribute of an operation in the order of its declaration. Hash, equality, text and wire format are visitors.
class FieldVisitor {
public:
    virtual void field(const Field& field) = 0;

    void structural(const char* name, auto& value) { field({name, type_of(value), pointer(value), true}); }
    void runtime(const char* name, auto& value) { field({name, type_of(value), pointer(value), false}); }

protected:
    ~FieldVisitor() = default;

private:
    template <class T>
    static void* pointer(T& value) {
        return const_cast<std::remove_const_t<T>*>(&value);
    }
    template <class T>
    static constexpr FieldType type_of(T&) {
        using Value = std::remove_const_t<T>;
        if constexpr (std::is_same_v<Value, bool>) {
            return FieldType::Bool;
        } else if constexpr (std::is_same_v<Value, std::int64_t>) {
            return FieldType::Int;
        } else if constexpr (std::is_same_v<Value, double>) {
            return FieldType::Float;
        } else if constexpr (std::is_same_v<Value, Scalar>) {
            return FieldType::Scalar;
        } else if constexpr (std::is_same_v<Value, DType>) {
            return FieldType::DType;
        } else if constexpr (std::is_base_of_v<Dims, Value>) {
            return FieldType::Dims;
        } else if constexpr (std::is_same_v<Value, SliceList>) {
            return FieldType::Slices;
        } else {
            static_assert(std::is_enum_v<Value> && sizeof(Value) == 1,
                          "an attribute must have one of the types of FieldType");
            return FieldType::Enum;
        }
    }
};

}  // namespace burn::ops
