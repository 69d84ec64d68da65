#include <burn/backends/cpu/processor.h>

#include <gtest/gtest.h>

namespace burn::cpu::processor_test {
namespace {

TEST(Processor, HasANameOfOneLine) {
    EXPECT_NE(processor_name(), "");
    EXPECT_EQ(processor_name().find_first_of("\n\t"), std::string::npos);
    EXPECT_EQ(&processor_name(), &processor_name());
}

}  // namespace
}  // namespace burn::cpu::processor_test
