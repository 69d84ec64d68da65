#include <burn/compiler/disk_cache.h>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

namespace burn::compiler::disk_cache_test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kLimit = 1 << 20;

Bytes value(int size, int byte) { return Bytes(static_cast<std::size_t>(size), static_cast<std::byte>(byte)); }

std::optional<Bytes> find(const DiskCache& cache, std::string_view key) {
    Bytes found;
    if (!cache.find(bytes::of(key), found)) return std::nullopt;
    return found;
}

std::string name(const DiskCache& cache, std::string_view key) {
    return std::filesystem::path(cache.path_of(bytes::of(key))).filename().string();
}

TEST(DiskCache, FindsWhatWasKept) {
    const ScratchFolder folder;
    DiskCache cache(folder.path("new/things"), "thing", kLimit);
    EXPECT_EQ(find(cache, "a"), std::nullopt);
    cache.keep(bytes::of("a"), value(100, 7));
    EXPECT_EQ(find(cache, "a"), value(100, 7));
    EXPECT_EQ(find(DiskCache(folder.path("new/things"), "thing", kLimit), "a"), value(100, 7));
    EXPECT_EQ(find(cache, "b"), std::nullopt);
    EXPECT_EQ(find(DiskCache(folder.path("new/things"), "other", kLimit), "a"), std::nullopt);
    EXPECT_EQ(folder.files().size(), 1u) << "no temporary file is left";
    cache.keep(bytes::of("a"), value(50, 8));
    EXPECT_EQ(find(cache, "a"), value(50, 8));
}

TEST(DiskCache, BelievesNoDamagedFile) {
    const ScratchFolder folder;
    DiskCache cache(folder.root(), "thing", kLimit);
    cache.keep(bytes::of("key"), value(40, 7));
    const std::string file = name(cache, "key"), whole = folder.read(file);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        folder.write(file, damaged);
        EXPECT_EQ(find(cache, "key"), std::nullopt) << "byte " << i;
        folder.write(file, whole.substr(0, i));
        EXPECT_EQ(find(cache, "key"), std::nullopt) << "the first " << i << " bytes";
    }
    folder.write(file, whole + 'x');
    EXPECT_EQ(find(cache, "key"), std::nullopt);
    cache.keep(bytes::of("key"), value(40, 7));
    EXPECT_EQ(folder.read(file), whole) << "a damaged file is replaced";
}

TEST(DiskCache, WaitsForNothingThatIsNoFile) {
    const ScratchFolder folder;
    DiskCache cache(folder.root(), "thing", kLimit);
    ASSERT_EQ(::mkfifo(cache.path_of(bytes::of("key")).c_str(), 0600), 0);
    EXPECT_EQ(find(cache, "key"), std::nullopt);
    cache.keep(bytes::of("key"), value(40, 7));
    EXPECT_EQ(find(cache, "key"), value(40, 7));
}

TEST(DiskCache, BelievesNoFileAboutAnotherKey) {
    const ScratchFolder folder;
    DiskCache cache(folder.root(), "thing", kLimit);
    cache.keep(bytes::of("key"), value(40, 7));
    folder.write(name(cache, "kez"), folder.read(name(cache, "key")));
    EXPECT_EQ(find(cache, "kez"), std::nullopt) << "as if hashes were equal";
}

TEST(DiskCache, DropsWhatWasNotUsedForLongest) {
    const ScratchFolder folder;
    constexpr int kCount = 12;
    const auto total = [&folder] {
        std::uintmax_t bytes = 0;
        for (const auto& file : folder.files()) bytes += std::filesystem::file_size(file);
        return bytes;
    };
    for (int i = 0; i < kCount; ++i) {
        DiskCache cache(folder.root(), "thing", 5000);  // a new one looks at the folder again
        const std::string key = std::to_string(i);
        cache.keep(bytes::of(key), value(1000, i));
        // File times are too coarse to tell files of one test apart.
        std::filesystem::last_write_time(cache.path_of(bytes::of(key)),
                                         std::filesystem::file_time_type::clock::now() - std::chrono::seconds(100 - i));
        EXPECT_LE(total(), 5000u);
    }
    const DiskCache cache(folder.root(), "thing", 5000);
    EXPECT_NE(find(cache, std::to_string(kCount - 1)), std::nullopt);
    EXPECT_EQ(find(cache, "0"), std::nullopt);
}

TEST(DiskCache, RemovesWhatADeadProcessLeft) {
    const ScratchFolder folder;
    folder.write("0123.thing.99-0", "half");
    folder.write("0123.thing.98-0", "half");
    std::filesystem::last_write_time(folder.path("0123.thing.99-0"),
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    DiskCache(folder.root(), "thing", kLimit).keep(bytes::of("key"), value(10, 1));
    EXPECT_FALSE(std::filesystem::exists(folder.path("0123.thing.99-0")));
    EXPECT_TRUE(std::filesystem::exists(folder.path("0123.thing.98-0")));
}

TEST(DiskCache, BelievesNoFileOfAnotherUser) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
    const ScratchFolder folder;
    DiskCache cache(folder.root(), "thing", kLimit);
    cache.keep(bytes::of("key"), value(40, 7));
    ASSERT_EQ(::chown(cache.path_of(bytes::of("key")).c_str(), 4711, 4711), 0);
    EXPECT_EQ(find(cache, "key"), std::nullopt);
    cache.keep(bytes::of("key"), value(40, 8));
    EXPECT_EQ(find(cache, "key"), value(40, 8)) << "it is replaced";
}

TEST(DiskCache, MakesFoldersForTheirOwnerAlone) {
    const ScratchFolder folder;
    DiskCache(folder.path("a/b"), "thing", kLimit).keep(bytes::of("key"), value(40, 7));
    for (const char* made : {"a", "a/b"}) {
        EXPECT_EQ(std::filesystem::status(folder.path(made)).permissions(), std::filesystem::perms::owner_all) << made;
    }
}

TEST(DiskCache, AFileThatMayNotGrowIsNoError) {
    const ScratchFolder folder;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const rlimit little{512, 512};
        if (::setrlimit(RLIMIT_FSIZE, &little) != 0) ::_exit(1);
        DiskCache cache(folder.root(), "thing", kLimit);
        cache.keep(bytes::of("key"), value(4000, 7));
        if (find(cache, "key")) ::_exit(2);
        cache.keep(bytes::of("small"), value(40, 7));
        if (find(cache, "small") != value(40, 7)) ::_exit(3);
        sigset_t now;
        ::pthread_sigmask(SIG_BLOCK, nullptr, &now);
        ::_exit(sigismember(&now, SIGXFSZ) == 0 ? 0 : 4);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(folder.files().size(), 1u) << "nothing is left of the one that had no room";
}

TEST(DiskCache, AFolderThatCannotBeWrittenIsNoError) {
    const ScratchFolder folder;
    folder.write("file", "");
    DiskCache cache(folder.path("file/things"), "thing", kLimit);
    cache.keep(bytes::of("key"), value(40, 7));
    EXPECT_EQ(find(cache, "key"), std::nullopt);
    DiskCache nowhere("", "thing", kLimit);
    nowhere.keep(bytes::of("key"), value(40, 7));
    EXPECT_EQ(find(nowhere, "key"), std::nullopt);
}

TEST(CacheFolder, IsNamedByTheEnvironment) {
    const auto given = [](const char* burn, const char* xdg, const char* home) {
        const auto set = [](const char* variable, const char* value) {
            if (value != nullptr) {
                ::setenv(variable, value, 1);
            } else {
                ::unsetenv(variable);
            }
        };
        struct Kept {
            const char* variable;
            std::optional<std::string> value;
        };
        std::vector<Kept> kept;
        for (const char* variable : {"BURN_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}) {
            const char* value = std::getenv(variable);
            kept.push_back({variable, value != nullptr ? std::optional<std::string>(value) : std::nullopt});
        }
        set("BURN_CACHE_DIR", burn);
        set("XDG_CACHE_HOME", xdg);
        set("HOME", home);
        std::string folder = cache_folder("things");
        for (const Kept& old : kept) set(old.variable, old.value ? old.value->c_str() : nullptr);
        return folder;
    };
    EXPECT_EQ(given("/b", "/x", "/h"), "/b/things");
    for (const char* off : {"off", "0"}) EXPECT_EQ(given(off, "/x", "/h"), "") << off;
    for (const char* on : {"on", "1"}) EXPECT_EQ(given(on, "/x", "/h"), "/x/burn/things") << on;
    EXPECT_EQ(given("here", "/x", "/h"), (std::filesystem::current_path() / "here/things").string())
        << "also when the program goes to another folder";
    EXPECT_EQ(given(nullptr, "/x", "/h"), "/x/burn/things");
    EXPECT_EQ(given("", "relative", "/h"), "/h/.cache/burn/things");
    EXPECT_EQ(given(nullptr, nullptr, nullptr), "");
}

}  // namespace
}  // namespace burn::compiler::disk_cache_test
