#include <burn/ops/pool.h>

#include <burn/ops/checks.h>

#include "tests/support/bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace burn::ops::pool_test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TensorSpec f32(const Shape& shape) { return {shape, DType::F32}; }

struct Options {
    const char* name;
    PoolOptions options;
};

std::vector<Options> with_one_at(std::int64_t value) {
    return {{"kernel", {.kernel = {2, value}}},
            {"stride", {.kernel = {2, 2}, .stride = {value, 1}}},
            {"padding", {.kernel = {2, 2}, .padding = {0, value}}},
            {"dilation", {.kernel = {2, 2}, .dilation = {value, 1}}}};
}

// Near 2^63 the sums and products of sizes would overflow.
TEST(Pool, NamesOptionsThatAreTooLarge) {
    for (const std::int64_t value : {kLargestWindowOption + 1, std::int64_t{1} << 62, kMost}) {
        for (const auto& [name, options] : with_one_at(value)) {
            const auto expect_fault = [&, name = name](auto op) {
                const std::vector<TensorSpec> operands{f32({1, 2, 4, 4})};
                const std::string fault = message_of(ErrorKind::Argument, [&] { op.infer(operands); });
                EXPECT_THAT(fault, HasSubstr((Message() << op.info.name << ": ").text())) << value;
                EXPECT_THAT(fault, HasSubstr(name));
                EXPECT_THAT(fault, HasSubstr(std::to_string(value)));
            };
            expect_fault(MaxPool{options});
            expect_fault(MaxPoolWithIndices{options});
            expect_fault(AvgPool{options});
            expect_fault(AvgPoolGrad{options, {8, 8}});
        }
    }
}

TEST(Pool, RefusesSizesThatNoTensorHas) {
    for (const std::int64_t size : {std::int64_t{-1}, (std::int64_t{1} << 56) + 1, kMost}) {
        const std::vector<TensorSpec> operands{f32({1, 2, 4, 4})};
        EXPECT_THROW((AvgPoolGrad{{.kernel = {2, 2}}, {8, size}}.infer(operands)), ShapeError) << size;
    }
}

}  // namespace
}  // namespace burn::ops::pool_test
