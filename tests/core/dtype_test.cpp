#include <burn/core/dtype.h>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace burn::dtype_test {
namespace {

TEST(DType, EveryOneHasANameASizeAndAKind) {
    std::set<std::string> names;
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        names.insert(name_of(dtype));
        visit_dtype(dtype, [dtype]<class T>(T) {
            EXPECT_EQ(dtype_of<T>, dtype);
            EXPECT_EQ(size_of(dtype), sizeof(T));
            const bool half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
            const Kind kind = std::is_same_v<T, bool>               ? Kind::Bool
                              : std::is_floating_point_v<T> || half ? Kind::Float
                                                                    : Kind::Int;
            EXPECT_EQ(kind_of(dtype), kind);
            EXPECT_EQ(is_float(dtype), kind == Kind::Float);
            EXPECT_EQ(is_int(dtype), kind == Kind::Int);
            EXPECT_EQ(is_numeric(dtype), kind != Kind::Bool);
        });
    }
    EXPECT_EQ(names, (std::set<std::string>{"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16",
                                            "u8", "bool"}));
    EXPECT_STREQ((Message() << "" << DType::BF16).text(), "bf16");
    EXPECT_STREQ(name_of(Kind::Float), "Float");
}

}  // namespace
}  // namespace burn::dtype_test
