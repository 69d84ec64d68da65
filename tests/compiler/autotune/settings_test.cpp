#include <burn/compiler/autotune/settings.h>

#include <gtest/gtest.h>

#include <cstdlib>

#include "fake_timer.h"

namespace burn::autotune::settings_test {
namespace {

/// What the environment says while the variable has this value.
Settings with_variable(const char* name, const char* value) {
    ::setenv(name, value, 1);
    Settings settings = settings_of_environment();
    ::unsetenv(name);
    return settings;
}

TEST(Settings, AreWhatTheEnvironmentSays) {
    EXPECT_EQ(settings_of_environment().tuning, Tuning::Off);
    EXPECT_EQ(with_variable("BURN_AUTOTUNE", "off").tuning, Tuning::Off);
    EXPECT_EQ(with_variable("BURN_AUTOTUNE", "kept").tuning, Tuning::Kept);
    EXPECT_EQ(with_variable("BURN_AUTOTUNE", "on").tuning, Tuning::On);
    EXPECT_EQ(with_variable("BURN_AUTOTUNE", "1").tuning, Tuning::On);
    EXPECT_EQ(with_variable("BURN_AUTOTUNE", "On").tuning, Tuning::Off) << "what is not known is the default";
    EXPECT_FALSE(with_variable("BURN_DETERMINISTIC", "0").deterministic);
    EXPECT_TRUE(with_variable("BURN_DETERMINISTIC", "1").deterministic);
    EXPECT_EQ(settings_of_environment().wanted, "");
    EXPECT_EQ(with_variable("BURN_CANDIDATE", "openblas").wanted, "openblas");
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
}  // namespace burn::autotune::settings_test
