#include <burn/base/cpu_features.h>
#include <burn/base/error.h>

#include <gtest/gtest.h>

namespace burn::cpu_features_test {
namespace {

TEST(CpuFeatures, BaselineIsAlwaysThereAndStrongerImpliesWeaker) {
    EXPECT_TRUE(isa_supported(Isa::Baseline));
    EXPECT_TRUE(isa_supported(Isa::Avx2) || !isa_supported(Isa::Avx512));
}

TEST(CpuFeatures, NamesAreThoseOfTheEnvironmentVariable) {
    EXPECT_STREQ(isa_name(Isa::Baseline), "baseline");
    EXPECT_STREQ(isa_name(Isa::Avx2), "avx2");
    EXPECT_STREQ(isa_name(Isa::Avx512), "avx512");
}

TEST(CpuFeatures, TheActiveOneCanBeChosenIfSupported) {
    const Isa before = active_isa();
    EXPECT_TRUE(isa_supported(before));
    for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
        if (isa_supported(isa)) {
            set_active_isa(isa);
            EXPECT_EQ(active_isa(), isa);
        } else {
            EXPECT_THROW(set_active_isa(isa), ArgumentError);
        }
    }
    set_active_isa(before);
}

}  // namespace
}  // namespace burn::cpu_features_test
