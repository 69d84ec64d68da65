#include <burn/backends/cpu/plugin_file.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <thread>

#include "../launch.h"
#include "tests/support/scratch_folder.h"

namespace burn::cpu::jit_test {
namespace {

/// The plug-in's own code generator: what code_generator() gives leaves most objects to another loader.
CodeGenerator& plugin() {
    static CodeGenerator* const generator = [] {
        std::string why;
        const PluginEntry* entry = open_plugin(plugin_paths(), why);
        Message error;
        CodeGenerator* made = entry != nullptr ? entry->create(active_isa(), error) : nullptr;
        EXPECT_NE(made, nullptr) << why << error.text();
        return made;
    }();
    return *generator;
}

/// x[i] = f(x[i]) + number, f of the C library
kernel::Kernel add(int number) {
    kernel::Builder k("add");
    const kernel::Place x = k.buffer(DType::F64, kernel::Access::ReadWrite);
    const kernel::Value i = k.cube_index() * 4;
    x.store(i, sin(x.load(i, 4)) + number);
    return k.finish();
}

TEST(Jit, ThreadsCompileAndLoadAtTheSameTime) {
    KernelCache cache("");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&cache, t] {
            for (int i = 0; i < 8; ++i) {
                const int number = (i + t) % 8;  // each kernel is asked for by several
                const auto kernel = cache.executable(plugin(), add(number));
                std::vector<double> values(16, 0.5);
                std::byte* buffers[] = {reinterpret_cast<std::byte*>(values.data())};
                const LaunchArguments arguments{buffers, nullptr};
                kernel->function(&arguments, 0, 4);
                EXPECT_EQ(values, std::vector<double>(16, std::sin(0.5) + number));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(cache.counters().compiled, 8u);
}

TEST(Jit, AKernelThatRunsStaysWhileOthersAreDropped) {
    const ScratchFolder folder;
    KernelCache cache(folder.root(), 2);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&cache, t] {
            for (int i = 0; i < 100; ++i) {
                const int number = (i * 3 + t) % 8;
                const auto kernel = cache.executable(plugin(), add(number));
                std::vector<double> values(4000, 0);
                std::byte* buffers[] = {reinterpret_cast<std::byte*>(values.data())};
                const LaunchArguments arguments{buffers, nullptr};
                kernel->function(&arguments, 0, 1000);
                ASSERT_EQ(values, std::vector<double>(4000, number));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_GT(cache.counters().dropped, 8u);
    EXPECT_LE(cache.counters().kept, 6u) << "the two of the cache, and one that each thread holds";
}

TEST(Jit, AnObjectLoadsMoreThanOnce) {
    std::vector<std::byte> object;
    Message error;
    ASSERT_TRUE(plugin().compile(add(3), object, error)) << error.text();
    const KernelFunction first = plugin().load(object, error), second = plugin().load(object, error);
    ASSERT_TRUE(first != nullptr && second != nullptr) << error.text();
    EXPECT_NE(first, second);
    plugin().unload(first);
    std::vector<double> values(4, 0);
    std::byte* buffers[] = {reinterpret_cast<std::byte*>(values.data())};
    const LaunchArguments arguments{buffers, nullptr};
    second(&arguments, 0, 1);
    EXPECT_EQ(values, std::vector<double>(4, 3));
    plugin().unload(second);
}

TEST(Jit, KernelsFromDiskRunInAnotherCache) {
    const ScratchFolder folder;
    KernelCache(folder.root()).executable(plugin(), add(5));
    KernelCache cache(folder.root());
    const auto kernel = cache.executable(plugin(), add(5));
    EXPECT_EQ(cache.counters().loaded, 1u);
    std::vector<double> values(4, 0);
    std::byte* buffers[] = {reinterpret_cast<std::byte*>(values.data())};
    const LaunchArguments arguments{buffers, nullptr};
    kernel->function(&arguments, 0, 1);
    EXPECT_EQ(values, std::vector<double>(4, 5));
}

/// Mappings of this program's memory.
std::size_t mappings() {
    std::ifstream file("/proc/self/maps");
    return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
}

TEST(Jit, WhatIsUnloadedGivesItsMemoryBack) {
    std::vector<std::byte> object;
    Message error;
    ASSERT_TRUE(plugin().compile(add(3), object, error)) << error.text();
    const auto load_and_unload = [&] {
        const KernelFunction function = plugin().load(object, error);
        ASSERT_NE(function, nullptr) << error.text();
        plugin().unload(function);
        // What fails to load leaves nothing either.
        EXPECT_EQ(plugin().load({object.data(), object.size() / 2}, error), nullptr);
    };
    for (int i = 0; i < 10; ++i) load_and_unload();
    const std::size_t before = mappings();
    for (int i = 0; i < 200; ++i) load_and_unload();
    EXPECT_LT(mappings(), before + 20);
}

TEST(Jit, TheTargetNamesTheBuildOfThePlugin) {
    // So that no object on disk survives a change of the lowering.
    EXPECT_THAT(plugin().target(), testing::ContainsRegex("llvm [0-9.]+; .*; build [0-9a-f]{40}$"));
}

TEST(Jit, WhatIsNoObjectIsRefusedWithAMessage) {
    std::vector<std::byte> object;
    Message error;
    ASSERT_TRUE(plugin().compile(add(3), object, error)) << error.text();
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64}, object.size() / 2}) {
        Message why;
        EXPECT_EQ(plugin().load({object.data(), size}, why), nullptr) << size;
        EXPECT_THAT(why.text(), testing::HasSubstr("LLVM: ")) << size;
    }
}

}  // namespace
}  // namespace burn::cpu::jit_test
