#include <burn/backends/cpu/plugin.h>
#include <burn/kernel/builder.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace burn::cpu {
namespace {

using kernel::Access;
using kernel::Builder;
using kernel::Place;

TEST(CodeGenerator, CompilesAndRunsAKernel) {
    CodeGenerator* generator = code_generator();
    ASSERT_NE(generator, nullptr) << why_no_code_generator();
    Builder k("scale");
    const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
    const kernel::Value factor = k.scalar(DType::F32), i = k.cube_index() * 8;
    y.store(i, x.load(i, 8) * factor);
    std::vector<std::byte> object;
    Message error;
    ASSERT_TRUE(generator->compile(k.finish(), object, error)) << error.text();
    const KernelFunction function = generator->load(object, error);
    ASSERT_NE(function, nullptr) << error.text();

    std::vector<float> in(64), out(64, -1);
    std::iota(in.begin(), in.end(), 0.0f);
    std::byte* buffers[] = {reinterpret_cast<std::byte*>(in.data()), reinterpret_cast<std::byte*>(out.data())};
    const std::uint64_t scalars[] = {kernel::element_bits(DType::F32, 2.5)};
    const LaunchArguments arguments{buffers, scalars};
    function(&arguments, 1, 7);
    for (std::size_t j = 0; j < 64; ++j) EXPECT_EQ(out[j], j >= 8 && j < 56 ? in[j] * 2.5f : -1.0f) << j;
}

}  // namespace
}  // namespace burn::cpu
