#include <burn/backends/cpu/shipped_choices.h>

#include <burn/backends/cpu/convolution_candidates.h>
#include <burn/backends/cpu/product_candidates.h>
#include <burn/base/cpu_features.h>

#include <gtest/gtest.h>

#include <string_view>

namespace burn::cpu::shipped_choices_test {
namespace {

using ndarray::Convolution;
using ndarray::ConvolutionKind;

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

TEST(ShippedChoices, ManyChannelsOfFewPixelsAreOneDnns) {
    if (!isa_supported(Isa::Avx512)) GTEST_SKIP() << "the table is about AVX-512";
    const Isa before = active_isa();
    for (const ConvolutionKind kind : {ConvolutionKind::Forward, ConvolutionKind::InputGrad}) {
        set_active_isa(Isa::Avx512);
        Convolution small = convolution(kind, 256, 14, 3);
        EXPECT_EQ(choice(small), "onednn");
        small.dtype = DType::F64;
        EXPECT_EQ(choice(small), "ours");
        small = convolution(kind, 256, 14, 3);
        small.shape.h.stride = 2;
        EXPECT_EQ(choice(small), "ours");
        small = convolution(kind, 256, 14, 3);
        small.shape.w.dilation = 2;
        EXPECT_EQ(choice(small), "ours");
        small = convolution(kind, 256, 14, 3);
        small.shape.batch = 0;
        EXPECT_EQ(choice(small), "ours") << "fewer images than threads";
        small = convolution(kind, 256, 14, 3);
        small.shape.groups = 256;
        EXPECT_EQ(choice(small), "ours") << "groups of one channel";
        small.kind = ConvolutionKind::WeightGrad;
        small.shape.h.in = small.shape.w.in = 28;
        EXPECT_EQ(choice(small), "ours") << "and their weights' gradient";
        set_active_isa(Isa::Baseline);
        EXPECT_EQ(choice(convolution(kind, 256, 14, 3)), "ours");
    }
    set_active_isa(before);
}

TEST(ShippedChoices, OurKernelsHaveAVersion) { EXPECT_NE(our_kernels_version(), ""); }

}  // namespace
}  // namespace burn::cpu::shipped_choices_test
