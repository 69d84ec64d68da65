#include <burn/backends/cpu/shipped_choices.h>

#include <burn/backends/cpu/convolution_candidates.h>
#include <burn/backends/cpu/product_candidates.h>
#include <burn/base/cpu_features.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace burn::cpu::shipped_choices_test {
namespace {

using ndarray::Convolution;
using ndarray::ConvolutionKind;
using testing::WithThreads;

Convolution convolution(ConvolutionKind kind, std::int64_t channels, std::int64_t pixels, std::int64_t kernel) {
    Convolution made;
    made.kind = kind;
    const ndarray::ConvAxis axis{pixels, kernel, 1, 1, kernel / 2, kernel / 2};
    made.shape = {64, channels, channels, 1, axis, axis};
    return made;
}

std::string_view choice(const Convolution& convolution) {
    return convolution_candidates()[shipped_choice(convolution)].name;
}

TEST(ShippedChoices, OursAreChosenWhereTheTableIsSilent) {
    ndarray::Product product;
    product.shape = {1024, 1024, 1024};
    EXPECT_STREQ(product_candidates()[shipped_choice(product)].name, "ours");
    EXPECT_EQ(choice(convolution(ConvolutionKind::Forward, 64, 56, 3)), "ours");
    EXPECT_EQ(choice(convolution(ConvolutionKind::Forward, 256, 14, 1)), "ours");
    EXPECT_EQ(choice(convolution(ConvolutionKind::WeightGrad, 256, 14, 3)), "ours");
}

TEST(ShippedChoices, InputGradientsOfManyChannelsOfFewPixelsAreOneDnns) {
    if (!isa_supported(Isa::Avx512)) GTEST_SKIP() << "the table is about AVX-512";
    const Isa before = active_isa();
    set_active_isa(Isa::Avx512);
    const Convolution small = convolution(ConvolutionKind::InputGrad, 256, 14, 3);
    EXPECT_EQ(choice(small), "onednn");
    EXPECT_EQ(choice(convolution(ConvolutionKind::Forward, 256, 14, 3)), "ours");
    Convolution other = small;
    other.dtype = DType::F64;
    EXPECT_EQ(choice(other), "ours");
    other = small;
    other.shape.h.stride = 2;
    EXPECT_EQ(choice(other), "ours");
    other = small;
    other.shape.w.dilation = 2;
    EXPECT_EQ(choice(other), "ours");
    other = small;
    other.shape.batch = 63;
    EXPECT_EQ(choice(other), "ours") << "few images";
    other = small;
    other.shape.groups = 256;
    EXPECT_EQ(choice(other), "ours") << "groups of one channel";
    other.kind = ConvolutionKind::WeightGrad;
    other.shape.h.in = other.shape.w.in = 28;
    EXPECT_EQ(choice(other), "ours") << "and their weights' gradient";
    set_active_isa(Isa::Baseline);
    EXPECT_EQ(choice(small), "ours");
    set_active_isa(before);
}

TEST(ShippedChoices, DoNotDependOnTheNumberOfThreads) {
    for (const ConvolutionKind kind :
         {ConvolutionKind::Forward, ConvolutionKind::InputGrad, ConvolutionKind::WeightGrad}) {
        for (const std::int64_t batch : {1, 2, 6, 7, 63, 64, 100}) {
            for (const std::int64_t channels : {1, 64, 128, 512}) {
                for (const std::int64_t pixels : {7, 14, 20, 56}) {
                    Convolution made = convolution(kind, channels, pixels, 3);
                    made.shape.batch = batch;
                    const WithThreads alone(1);
                    const std::size_t chosen = shipped_choice(made);
                    for (const int threads : {2, 7, 65}) {
                        const WithThreads with(threads);
                        EXPECT_EQ(shipped_choice(made), chosen)
                            << batch << ' ' << channels << ' ' << pixels << ' ' << threads;
                    }
                }
            }
        }
    }
}

TEST(ShippedChoices, GiveTheSameBitsForAnyNumberOfThreads) {
    const std::int64_t channels = 128, pixels = 7;
    Convolution made = convolution(ConvolutionKind::InputGrad, channels, pixels, 3);
    const std::size_t chosen = shipped_choice(made);
    if (!can_convolve(chosen, made)) GTEST_SKIP() << convolution_candidates()[chosen].why_missing();
    std::vector<float> dy(64 * channels * pixels * pixels), w(channels * channels * 9), dx(dy.size());
    for (std::size_t i = 0; i < dy.size(); ++i) dy[i] = static_cast<float>(i % 101) / 101 - 0.5f;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i % 103) / 103 - 0.5f;
    made.left = reinterpret_cast<const std::byte*>(dy.data());
    made.right = reinterpret_cast<const std::byte*>(w.data());
    made.result = reinterpret_cast<std::byte*>(dx.data());
    std::vector<float> alone;
    for (const int threads : {1, 2, 7, 64}) {
        const WithThreads with(threads);
        convolve_by(chosen, made);
        if (threads == 1) alone = dx;
        EXPECT_EQ(dx, alone) << threads;
    }
}

TEST(ShippedChoices, OurKernelsHaveAVersion) { EXPECT_NE(our_kernels_version(), ""); }

}  // namespace
}  // namespace burn::cpu::shipped_choices_test
