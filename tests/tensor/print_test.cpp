#include <burn/tensor/print.h>

#include <burn/backends/ndarray/ndarray.h>

#include <gtest/gtest.h>

#include <iomanip>
#include <limits>
#include <sstream>

namespace burn::print_test {
namespace {

using B = Autodiff<NdArray>;

std::string printed(const auto& tensor) {
    std::ostringstream out;
    out << tensor;
    return out.str();
}

TEST(Print, WritesEveryFieldOnALine) {
    EXPECT_EQ(printed(Tensor<NdArray, 2>::from({{1.0, 2.5, -3.0}, {0.1, 1e20, 1e-6}}, {})),
              "Tensor {\n"
              "  data:\n"
              "[[1.0, 2.5, -3.0],\n"
              " [0.1, 1e+20, 1e-06]],\n"
              "  shape:  [2, 3],\n"
              "  device:  ndarray,\n"
              "  kind:  \"Float\",\n"
              "  dtype:  \"f32\",\n"
              "}");
}

TEST(Print, IndentsInnerRowsByTheirDepth) {
    EXPECT_EQ(printed(Tensor<B, 3, Int>::from({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, {})),
              "Tensor {\n"
              "  data:\n"
              "[[[1, 2],\n"
              "  [3, 4]],\n"
              " [[5, 6],\n"
              "  [7, 8]]],\n"
              "  shape:  [2, 2, 2],\n"
              "  device:  autodiff(ndarray),\n"
              "  kind:  \"Int\",\n"
              "  dtype:  \"i64\",\n"
              "}");
}

TEST(Print, WritesEveryKindOfNumber) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(to_string(TensorData::from({kInf, -kInf, std::numeric_limits<float>::quiet_NaN(), -0.0f})),
              "[inf, -inf, NaN, -0.0]");
    EXPECT_EQ(to_string(TensorData::from({true, false})), "[true, false]");
    EXPECT_EQ(to_string(TensorData::from<std::uint64_t>({~0ull})), "[18446744073709551615]");
    EXPECT_EQ(to_string(TensorData::from<std::int8_t>({-128, 65})), "[-128, 65]");
    EXPECT_EQ(to_string(TensorData::from({f16(0.5f), f16(65504.0f)})), "[0.5, 65504.0]");
    EXPECT_EQ(to_string(TensorData::from({0.1})), "[0.1]");
    EXPECT_EQ(to_string(TensorData(Shape{2, 0}, DType::F32)), "[[],\n []]");
    EXPECT_EQ(to_string(TensorData(Shape{0}, DType::F32)), "[]");
}

TEST(Print, AbridgesEveryLongAxis) {
    TensorData data(Shape{8, 9}, DType::I32);
    auto values = data.mutable_values<std::int32_t>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
    EXPECT_EQ(to_string(data, {.threshold = 71, .edge_items = 2}),
              "[[0, 1, ..., 7, 8],\n"
              " [9, 10, ..., 16, 17],\n"
              " ...,\n"
              " [54, 55, ..., 61, 62],\n"
              " [63, 64, ..., 70, 71]]");
    EXPECT_EQ(to_string(data, {.threshold = 71, .edge_items = 4}).find("..."), std::string("[[0, 1, 2, 3, ").size());
    EXPECT_EQ(to_string(data, {.threshold = 72}).find("..."), std::string::npos);
}

TEST(Print, PrecisionComesFromTheOptionsOrTheStream) {
    const TensorData data = TensorData::from({0.125, 2.0 / 3});
    EXPECT_EQ(to_string(data, {.precision = 2}), "[0.12, 0.67]");
    std::ostringstream out;
    out << std::fixed << std::setprecision(1) << Tensor<NdArray, 1>::from({1.25, 7.0}, {});
    EXPECT_NE(out.str().find("[1.2, 7.0]"), std::string::npos) << out.str();
}

TEST(Print, OptionsAreShared) {
    set_print_options({.threshold = 2, .edge_items = 1, .precision = 0});
    EXPECT_EQ(to_string(TensorData::from({1.0, 2.0, 3.0})), "[1, ..., 3]");
    set_print_options({});
    EXPECT_EQ(to_string(TensorData::from({1.0, 2.0, 3.0})), "[1.0, 2.0, 3.0]");
    EXPECT_THROW(set_print_options({.edge_items = 0}), ArgumentError);
}

TEST(Print, ClosenessGivesTheShareForEachEpsilon) {
    std::ostringstream out;
    // 1 differs by 0.05: within 0.1 + 0.1, not within 0.01 + 0.01
    check_closeness(out, Tensor<NdArray, 1>::from({1.0, 2.0}, {}), Tensor<NdArray, 1>::from({1.05, 2.0}, {}));
    EXPECT_EQ(
        out.str().find(
            "epsilon 1e-1: 100.00 % within tolerance  \033[32mPASS\033[0m\nepsilon 1e-2:  50.00 % within tolerance  "
            "\033[31mFAIL\033[0m\n"),
        0u)
        << out.str();
    EXPECT_THROW(check_closeness(out, TensorData(Shape{1}, DType::F32), TensorData(Shape{2}, DType::F32)), ShapeError);
}

}  // namespace
}  // namespace burn::print_test
