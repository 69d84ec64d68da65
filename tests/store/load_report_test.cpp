#include <burn/store/load_report.h>

#include <gtest/gtest.h>

namespace burn::load_report_test {
namespace {

TEST(LoadReport, FitsWhatTheOptionsAllow) {
    EXPECT_TRUE(LoadReport{}.fits({}));
    LoadReport missing, unused, mismatched;
    missing.missing = {"a"};
    unused.unused = {"a"};
    mismatched.mismatched = {{"a", "fault"}};
    EXPECT_FALSE(missing.fits({.allow_unused = true}));
    EXPECT_TRUE(missing.fits({.allow_partial = true}));
    EXPECT_FALSE(unused.fits({.allow_partial = true}));
    EXPECT_TRUE(unused.fits({.allow_unused = true}));
    EXPECT_FALSE(mismatched.fits({.allow_partial = true, .allow_unused = true}));
}

TEST(LoadReport, ShowsTheFirstOfEachKind) {
    LoadReport report;
    report.applied = {"x"};
    report.missing = {"fc1.weight", "fc2.weight", "fc3.weight"};
    report.unused = {"fc1.wieght"};
    report.mismatched = {{"fc1.bias", "the record has f32 [2], the module f32 [3]"}};
    EXPECT_EQ(report.text(2),
              "1 applied, 3 missing, 1 unused, 1 mismatched\n"
              "  mismatched \"fc1.bias\": the record has f32 [2], the module f32 [3]\n"
              "  missing \"fc1.weight\" (did you mean \"fc1.wieght\"?)\n"
              "  missing \"fc2.weight\" (did you mean \"fc1.wieght\"?)\n"
              "  missing 1 more\n"
              "  unused \"fc1.wieght\"");
    EXPECT_NE(report.text().find("\"fc3.weight\""), std::string::npos);
}

}  // namespace
}  // namespace burn::load_report_test
