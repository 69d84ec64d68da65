#include <burn/core/dtype.h>

namespace burn {

const char* name_of(DType dtype) {
    static constexpr const char* kNames[kDTypeCount] = {"f64", "f32", "f16", "bf16", "i64", "i32", "i16",
                                                        "i8",  "u64", "u32", "u16",  "u8",  "bool"};
    return kNames[static_cast<int>(dtype)];
}

const char* name_of(Kind kind) {
    static constexpr const char* kNames[] = {"Float", "Int", "Bool"};
    return kNames[static_cast<int>(kind)];
}

Message& operator<<(Message& message, DType dtype) { return message << name_of(dtype); }

}  // namespace burn
