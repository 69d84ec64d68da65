#include <burn/backends/cpu/kernel_cache.h>

#include <burn/base/error.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "launch.h"
#include "tests/support/scratch_folder.h"

namespace burn::cpu::kernel_cache_test {
namespace {

void no_kernel(const LaunchArguments*, std::int64_t, std::int64_t) {}

/// A code generator that counts and compiles nothing; its objects are one line of text.
class Counting final : public CodeGenerator {
public:
    explicit Counting(std::string target = "counting") : target_(std::move(target)) {}

    const char* target() const noexcept override { return target_.c_str(); }
    int vector_bytes() const noexcept override { return 16; }
    bool compile(const kernel::Kernel& kernel, std::vector<std::byte>& object, Message& error) noexcept override {
        ++compiled;
        if (kernel.name == "bad") {
            error << "it is bad";
            return false;
        }
        const auto bytes = std::as_bytes(std::span(text));
        object.assign(bytes.begin(), bytes.end());
        return true;
    }
    KernelFunction load(std::span<const std::byte> object, Message& error) noexcept override {
        ++loaded;
        if (std::ranges::equal(object, std::as_bytes(std::span(text)))) return &no_kernel;
        error << "another object";
        return nullptr;
    }
    void unload(KernelFunction) noexcept override { ++unloaded; }

    std::string text = "object";
    std::atomic<int> compiled{0};
    std::atomic<int> loaded{0}, unloaded{0};

private:
    std::string target_;
};

/// x[i] += number
kernel::Kernel add(int number, const char* name = "add") {
    kernel::Builder k(name);
    const kernel::Place x = k.buffer(DType::I32, kernel::Access::ReadWrite);
    const kernel::Value i = k.cube_index();
    x.store(i, x.load(i) + number);
    return k.finish();
}

TEST(KernelCache, CompilesOnceAndFindsItInMemoryThenOnDisk) {
    const ScratchFolder folder;
    Counting generator;
    KernelCache cache(folder.root());
    EXPECT_EQ(cache.executable(generator, add(1))->function, &no_kernel);
    EXPECT_EQ(cache.executable(generator, add(1, "another name"))->function, &no_kernel);
    EXPECT_EQ(cache.counters().compiled, 1u);
    EXPECT_EQ(cache.counters().in_memory, 1u);
    EXPECT_EQ(cache.counters().loaded, 0u);
    EXPECT_GT(cache.counters().compile_milliseconds, 0);

    KernelCache next(folder.root());
    EXPECT_EQ(next.executable(generator, add(1))->function, &no_kernel);
    EXPECT_EQ(next.counters().loaded, 1u);
    EXPECT_EQ(next.counters().compiled, 0u);
    EXPECT_EQ(next.counters().compile_milliseconds, 0);
    EXPECT_EQ(generator.compiled, 1);
}

TEST(KernelCache, KeepsTargetsApart) {
    const ScratchFolder folder;
    Counting one("one"), two("two");
    KernelCache cache(folder.root());
    cache.executable(one, add(1));
    cache.executable(two, add(1));
    EXPECT_EQ(one.compiled, 1);
    EXPECT_EQ(two.compiled, 1);
    Counting another("two");
    KernelCache(folder.root()).executable(another, add(1));
    EXPECT_EQ(another.compiled, 0);
}

TEST(KernelCache, ReplacesAnObjectThatDoesNotLoad) {
    const ScratchFolder folder;
    Counting generator, later;
    KernelCache(folder.root()).executable(generator, add(1));
    later.text = "newer object";
    KernelCache cache(folder.root());
    EXPECT_EQ(cache.executable(later, add(1))->function, &no_kernel);
    EXPECT_EQ(cache.counters().compiled, 1u);
    KernelCache next(folder.root());
    next.executable(later, add(1));
    EXPECT_EQ(next.counters().loaded, 1u);
}

TEST(KernelCache, SaysWhyAKernelCannotBeCompiled) {
    Counting generator;
    KernelCache cache("");
    for (int i = 0; i < 2; ++i) {
        try {
            cache.executable(generator, add(1, "bad"));
            FAIL();
        } catch (const UnsupportedError& error) {
            EXPECT_STREQ(error.what(), "kernel bad: cannot be compiled: it is bad");
        }
    }
    EXPECT_EQ(generator.compiled, 2) << "a failure is not kept";
    EXPECT_EQ(cache.counters().compiled, 0u);
}

TEST(KernelCache, DropsTheKernelsThatWereNotAskedForForLongest) {
    const ScratchFolder folder;
    Counting generator;
    KernelCache cache(folder.root(), 4);
    for (int i = 0; i < 100; ++i) {
        cache.executable(generator, add(0));
        cache.executable(generator, add(i));
        EXPECT_LE(cache.counters().kept, 4u);
        EXPECT_LE(generator.loaded - generator.unloaded, 4);
    }
    EXPECT_EQ(cache.counters().dropped, 96u);
    EXPECT_EQ(generator.unloaded, 96);
    EXPECT_EQ(generator.compiled, 100) << "the one that was asked for all the time stayed";
    cache.executable(generator, add(1));
    EXPECT_EQ(generator.compiled, 100) << "one that was dropped comes back from disk";
    EXPECT_EQ(cache.counters().loaded, 1u);
}

TEST(KernelCache, KeepsWhatSomebodyHolds) {
    Counting generator;
    std::vector<std::shared_ptr<const CpuExecutable>> held;
    {
        KernelCache cache("", 4);
        for (int i = 0; i < 20; ++i) held.push_back(cache.executable(generator, add(i)));
        EXPECT_EQ(cache.counters().kept, 20u);
        EXPECT_EQ(generator.unloaded, 0);
        EXPECT_EQ(cache.executable(generator, add(0)), held[0]);
        held.resize(3);
        cache.executable(generator, add(20));
        EXPECT_EQ(generator.unloaded, 17);
        EXPECT_EQ(cache.counters().kept, 4u);
    }
    EXPECT_EQ(generator.unloaded, 18) << "who holds a kernel may outlive the cache";
    held.clear();
    EXPECT_EQ(generator.unloaded, 21);
}

TEST(KernelCache, SeveralThreadsCompileAKernelOnce) {
    Counting generator;
    KernelCache cache("");
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) EXPECT_EQ(cache.executable(generator, add(i))->function, &no_kernel);
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(generator.compiled, 20);
    EXPECT_EQ(cache.counters().compiled, 20u);
    EXPECT_EQ(cache.counters().in_memory, 8u * 20 - 20);
}

TEST(KernelCache, SeveralProcessesShareAFolder) {
    const ScratchFolder folder;
    std::vector<pid_t> children;
    for (int p = 0; p < 4; ++p) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            Counting generator;
            for (int round = 0; round < 10; ++round) {
                KernelCache cache(folder.root());
                for (int i = 0; i < 10; ++i) {
                    if (cache.executable(generator, add(i))->function != &no_kernel) ::_exit(1);
                }
            }
            // In later rounds all kernels are on disk, whole.
            ::_exit(generator.compiled <= 10 ? 0 : 2);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    EXPECT_EQ(folder.files().size(), 10u);
}

}  // namespace
}  // namespace burn::cpu::kernel_cache_test
