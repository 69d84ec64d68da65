#include <burn/compiler/autotune/settings.h>

#include <gtest/gtest.h>

#include "fake_timer.h"

namespace burn::autotune {
namespace {

TEST(Settings, AreWhatTheEnvironmentSays) {
    EXPECT_EQ(parse_settings("", "", "").tuning, Tuning::Off);
    EXPECT_EQ(parse_settings("off", "", "").tuning, Tuning::Off);
    EXPECT_EQ(parse_settings("kept", "", "").tuning, Tuning::Kept);
    EXPECT_EQ(parse_settings("on", "", "").tuning, Tuning::On);
    EXPECT_EQ(parse_settings("On", "", "").tuning, Tuning::Off) << "what is not known is the default";
    EXPECT_FALSE(parse_settings("on", "", "").deterministic);
    EXPECT_FALSE(parse_settings("on", "0", "").deterministic);
    EXPECT_TRUE(parse_settings("on", "1", "").deterministic);
    EXPECT_EQ(parse_settings("on", "1", "").wanted, "");
    EXPECT_EQ(parse_settings("", "", "openblas").wanted, "openblas");
}

TEST(Settings, CanBeSet) {
    const Tuning before = settings().tuning;
    {
        const WithSettings with({.tuning = Tuning::Kept, .deterministic = true});
        EXPECT_EQ(settings().tuning, Tuning::Kept);
        EXPECT_TRUE(settings().deterministic);
    }
    EXPECT_EQ(settings().tuning, before);
}

TEST(Settings, AnythingButTheTableIsSaid) {
    const WithSettings with({});
    EXPECT_TRUE(choices_are_shipped());
    for (const Settings& settings : {Settings{.tuning = Tuning::Kept}, Settings{.tuning = Tuning::On},
                                     Settings{.deterministic = true}, Settings{.wanted = "openblas"}}) {
        const WithSettings others(settings);
        EXPECT_FALSE(choices_are_shipped());
    }
    EXPECT_TRUE(choices_are_shipped());
}

}  // namespace
}  // namespace burn::autotune
