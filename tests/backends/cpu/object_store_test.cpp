#include <burn/backends/cpu/object_store.h>

#include <burn/kernel/builder.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "launch.h"
#include "tests/support/scratch_folder.h"

namespace burn::cpu {
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

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

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

TEST(ObjectStore, BelievesNoDamagedFile) {
    const ScratchFolder folder;
    ObjectStore store(folder.root());
    store.keep("cpu", add(1), object(40, 7));
    const std::string path = store.path_of("cpu", add(1)), whole = read(path);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        write(path, damaged);
        EXPECT_EQ(find(store, "cpu", add(1)), std::nullopt) << "byte " << i;
        write(path, whole.substr(0, i));
        EXPECT_EQ(find(store, "cpu", add(1)), std::nullopt) << "the first " << i << " bytes";
    }
    write(path, whole + 'x');
    EXPECT_EQ(find(store, "cpu", add(1)), std::nullopt);
    store.keep("cpu", add(1), object(40, 7));
    EXPECT_EQ(read(path), whole) << "a damaged file is replaced";
}

TEST(ObjectStore, WaitsForNothingThatIsNoFile) {
    const ScratchFolder folder;
    ObjectStore store(folder.root());
    ASSERT_EQ(::mkfifo(store.path_of("cpu", add(1)).c_str(), 0600), 0);
    EXPECT_EQ(find(store, "cpu", add(1)), std::nullopt);
    store.keep("cpu", add(1), object(40, 7));
    EXPECT_EQ(find(store, "cpu", add(1)), object(40, 7));
}

TEST(ObjectStore, BelievesNoFileAboutSomethingElse) {
    const ScratchFolder folder;
    ObjectStore store(folder.root());
    store.keep("cpu", add(1), object(40, 7));
    const std::string other = read(store.path_of("cpu", add(1)));
    write(store.path_of("cpu", add(2)), other);
    EXPECT_EQ(find(store, "cpu", add(2)), std::nullopt) << "as if hashes were equal";
    write(store.path_of("gpu", add(1)), other);
    EXPECT_EQ(find(store, "gpu", add(1)), std::nullopt);
}

TEST(ObjectStore, DropsWhatWasNotUsedForLongest) {
    const ScratchFolder folder;
    constexpr int kCount = 12;
    const auto total = [&folder] {
        std::uintmax_t bytes = 0;
        for (const auto& file : folder.files()) bytes += std::filesystem::file_size(file);
        return bytes;
    };
    for (int i = 0; i < kCount; ++i) {
        ObjectStore store(folder.root(), 5000);  // a new one looks at the folder again
        store.keep("cpu", add(i), object(1000, i));
        // File times are too coarse to tell files of one test apart.
        std::filesystem::last_write_time(store.path_of("cpu", add(i)),
                                         std::filesystem::file_time_type::clock::now() - std::chrono::seconds(100 - i));
        EXPECT_LE(total(), 5000u);
    }
    const ObjectStore store(folder.root());
    EXPECT_NE(find(store, "cpu", add(kCount - 1)), std::nullopt);
    EXPECT_EQ(find(store, "cpu", add(0)), std::nullopt);
}

TEST(ObjectStore, RemovesWhatADeadProcessLeft) {
    const ScratchFolder folder;
    const std::string old = folder.root() + "/0123.kernel.99-0", young = folder.root() + "/0123.kernel.98-0";
    write(old, "half");
    write(young, "half");
    std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    ObjectStore(folder.root()).keep("cpu", add(1), object(10, 1));
    EXPECT_FALSE(std::filesystem::exists(old));
    EXPECT_TRUE(std::filesystem::exists(young));
}

TEST(ObjectStore, AFolderThatCannotBeWrittenIsNoError) {
    const ScratchFolder folder;
    write(folder.root() + "/file", "");
    ObjectStore store(folder.root() + "/file/kernels");
    store.keep("cpu", add(1), object(40, 7));
    EXPECT_EQ(find(store, "cpu", add(1)), std::nullopt);
    ObjectStore nowhere("");
    nowhere.keep("cpu", add(1), object(40, 7));
    EXPECT_EQ(find(nowhere, "cpu", add(1)), std::nullopt);
}

TEST(ObjectStore, TheFolderIsNamedByTheEnvironment) {
    const auto given = [](const char* burn, const char* xdg, const char* home) {
        const auto set = [](const char* name, const char* value) {
            if (value != nullptr) {
                ::setenv(name, value, 1);
            } else {
                ::unsetenv(name);
            }
        };
        struct Kept {
            const char* name;
            std::optional<std::string> value;
        };
        std::vector<Kept> kept;
        for (const char* name : {"BURN_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) {
            const char* value = std::getenv(name);
            kept.push_back({name, value != nullptr ? std::optional<std::string>(value) : std::nullopt});
        }
        set("BURN_CACHE_DIR", burn);
        set("XDG_CACHE_HOME", xdg);
        set("HOME", home);
        std::string folder = default_kernel_folder();
        for (const Kept& variable : kept) set(variable.name, variable.value ? variable.value->c_str() : nullptr);
        return folder;
    };
    EXPECT_EQ(given("/b", "/x", "/h"), "/b/kernels");
    EXPECT_EQ(given("off", "/x", "/h"), "");
    EXPECT_EQ(given(nullptr, "/x", "/h"), "/x/burn/kernels");
    EXPECT_EQ(given("", "relative", "/h"), "/h/.cache/burn/kernels");
    EXPECT_EQ(given(nullptr, nullptr, nullptr), "");
}

}  // namespace
}  // namespace burn::cpu
