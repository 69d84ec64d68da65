#include <burn/backends/cpu/processor.h>

#include <gtest/gtest.h>
#include <sched.h>

namespace burn::cpu::processor_test {
namespace {

TEST(Processor, HasANameOfOneLine) {
    EXPECT_NE(processor_name(), "");
    EXPECT_EQ(processor_name().find_first_of("\n\t"), std::string::npos);
    EXPECT_EQ(&processor_name(), &processor_name());
}

#if defined(__x86_64__)
TEST(Processor, IsTheSameToACompilerOnEveryCore) {
    cpu_set_t before, one;
    ASSERT_EQ(::sched_getaffinity(0, sizeof(before), &before), 0);
    const std::string here = processor_identity();
    EXPECT_GT(here.size(), 100u);
    EXPECT_EQ(here.substr(4, 12).find_first_not_of("AuthenticAMDGenuineIntel"), std::string::npos)
        << "the maker's name";
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (!CPU_ISSET(core, &before)) continue;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
        EXPECT_EQ(processor_identity(), here) << core;
    }
    ::sched_setaffinity(0, sizeof(before), &before);
}
#endif

}  // namespace
}  // namespace burn::cpu::processor_test
