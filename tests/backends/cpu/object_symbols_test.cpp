#include <burn/backends/cpu/object_symbols.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>

namespace burn::cpu::object_symbols_test {
namespace {

template <class Function>
Function* function_called(const char* name) {
    return reinterpret_cast<Function*>(const_cast<void*>(find_function(name)));  // NOLINT: a function's address
}

TEST(ObjectSymbols, AFunctionGoesOverTheLanes) {
    const char* name = lane_function(kernel::NodeKind::Atan2, true);
    ASSERT_STREQ(name, "burn_atan2_f64");
    double values[] = {0, 1, 5}, others[] = {1, 1, 5};
    function_called<void(double*, const double*, std::int64_t)>(name)(values, others, 2);
    EXPECT_EQ(values[0], 0);
    EXPECT_EQ(values[1], std::atan2(1.0, 1.0));
    EXPECT_EQ(values[2], 5) << "beyond the lanes";
}

TEST(ObjectSymbols, OnlyFunctionsOfTheLibraryAreThere) {
    EXPECT_EQ(lane_function(kernel::NodeKind::Add, false), nullptr);
    EXPECT_EQ(find_function("system"), nullptr);
    EXPECT_EQ(find_function(""), nullptr);
    EXPECT_NE(find_function("memcpy"), nullptr);
}

TEST(ObjectSymbols, AThreadHasAWorkspaceOfItsOwn) {
    const auto workspace = function_called<std::byte*(std::int64_t)>(kWorkspaceFunction);
    std::byte* mine = workspace(1024);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mine) % 64, 0u);
    std::memset(mine, 1, 1024);
    std::byte* other = nullptr;
    std::thread([&] {
        other = workspace(1024);
        std::memset(other, 2, 1024);
    }).join();
    EXPECT_NE(mine, other);
    EXPECT_EQ(workspace(512), mine);
    EXPECT_EQ(mine[1023], std::byte{1});
}

}  // namespace
}  // namespace burn::cpu::object_symbols_test
