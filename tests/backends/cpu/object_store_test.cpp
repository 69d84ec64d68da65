// What is about kernels; that files are believed, bounded and shared is tested in tests/compiler/disk_cache_test.cpp.
#include <burn/backends/cpu/object_store.h>

#include <burn/kernel/builder.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "launch.h"
#include "tests/support/scratch_folder.h"

namespace burn::cpu::object_store_test {
namespace {

using Bytes = std::vector<std::byte>;

/// x[i] += number
kernel::Kernel add(int number, const char* name = "add") {
    kernel::Builder k(name);
    const kernel::Place x = k.buffer(DType::I32, kernel::Access::ReadWrite);
    const kernel::Value i = k.cube_index();
    x.store(i, x.load(i) + number);
    return k.finish();
}

Bytes object(int size, int value) { return Bytes(static_cast<std::size_t>(size), static_cast<std::byte>(value)); }

std::optional<Bytes> find(const ObjectStore& store, const char* target, const kernel::Kernel& kernel) {
    Bytes found;
    if (!store.find(target, kernel, found)) return std::nullopt;
    return found;
}

TEST(ObjectStore, FindsWhatWasKept) {
    const ScratchFolder folder;
    ObjectStore store(folder.root() + "/new/kernels");
    EXPECT_EQ(find(store, "cpu", add(1)), std::nullopt);
    store.keep("cpu", add(1), object(100, 7));
    EXPECT_EQ(find(store, "cpu", add(1)), object(100, 7));
    EXPECT_EQ(find(ObjectStore(folder.root() + "/new/kernels"), "cpu", add(1)), object(100, 7));
    EXPECT_EQ(find(store, "cpu", add(2)), std::nullopt);
    EXPECT_EQ(find(store, "gpu", add(1)), std::nullopt);
    EXPECT_EQ(find(store, "cpu", add(1, "another name")), object(100, 7)) << "a name is no part of a kernel";
    EXPECT_EQ(folder.files().size(), 1u) << "no temporary file is left";
    store.keep("cpu", add(1), object(50, 8));
    EXPECT_EQ(find(store, "cpu", add(1)), object(50, 8));
}

TEST(ObjectStore, TakesNoPairForAnother) {
    const ScratchFolder folder;
    ObjectStore store(folder.root());
    store.keep("cpu", add(1), object(40, 7));
    const auto path = [&](const char* target, int number) { return store.path_of(target, add(number)); };
    std::filesystem::copy_file(path("cpu", 1), path("cpu", 2));
    EXPECT_EQ(find(store, "cpu", add(2)), std::nullopt) << "as if hashes were equal";
    for (const char* target : {"gpu", "", "cpu ", "a target with a longer name"}) {
        std::filesystem::copy_file(path("cpu", 1), path(target, 1));
        EXPECT_EQ(find(store, target, add(1)), std::nullopt) << target;
        store.keep(target, add(1), object(10, 1));
        EXPECT_EQ(find(store, target, add(1)), object(10, 1)) << target;
    }
}

TEST(ObjectStore, KernelsLieInAFolderOfTheirOwn) {
    EXPECT_EQ(default_kernel_folder(), compiler::cache_folder("kernels"));
}

}  // namespace
}  // namespace burn::cpu::object_store_test
