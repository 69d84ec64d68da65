#include <burn/compiler/disk_cache.h>

#include <burn/base/environment.h>
#include <burn/base/hash.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace burn::compiler {

namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'b', 'u', 'r', 'n', 'k', 'e', 'p', 't'};
constexpr std::uint64_t kFormat = 1;
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;

/// A file begins with this, then come key and value.
struct Header {
    char magic[8];
    std::uint64_t format;
    std::uint64_t key_size;
    std::uint64_t value_size;
    std::uint64_t checksum;  ///< of all bytes that follow
};
static_assert(sizeof(Header) == 40);

std::uint64_t hash_of(std::span<const std::byte> bytes) {
    Hasher hasher;
    hasher.add_bytes(bytes.data(), bytes.size());
    return hasher.value();
}

/// While it lives, a file that grows beyond RLIMIT_FSIZE is an error of this thread's write, not the end of the program.
class FileSizeSignalHeld {
public:
    FileSizeSignalHeld() {
        ::sigemptyset(&signal_);
        ::sigaddset(&signal_, SIGXFSZ);
        ::pthread_sigmask(SIG_BLOCK, &signal_, &before_);
        sigset_t pending;
        was_pending_ = ::sigpending(&pending) == 0 && ::sigismember(&pending, SIGXFSZ) == 1;
    }
    ~FileSizeSignalHeld() {
        const std::timespec at_once = {};
        if (!was_pending_) {
            while (::sigtimedwait(&signal_, nullptr, &at_once) < 0 && errno == EINTR) {
            }
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
    FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;

private:
    sigset_t signal_, before_;
    bool was_pending_ = false;
};

/// An open file; closed at the end.
class File {
public:
    File(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    bool is_open() const { return descriptor_ >= 0; }

    bool read(std::vector<std::byte>& bytes) const {
        struct stat status = {};
        if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return false;
        if (status.st_uid != ::geteuid()) return false;  // it may hold code that this program would run
        const auto size = static_cast<std::uint64_t>(status.st_size);
        if (size < sizeof(Header) || size > kLargestFile) return false;
        bytes.resize(size);
        for (std::size_t done = 0; done < size;) {
            const ssize_t got = ::read(descriptor_, bytes.data() + done, size - done);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return false;
            done += static_cast<std::size_t>(got);
        }
        return true;
    }

    bool write(std::span<const std::byte> bytes) const {
        const FileSizeSignalHeld held;
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return false;
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        return true;
    }

    /// Marks the file as used now.
    void touch() const { ::futimens(descriptor_, nullptr); }

private:
    int descriptor_;
};

/// The value in the bytes of a file; empty where they are not about this key, or not whole.
std::span<const std::byte> value_in(std::span<const std::byte> file, std::span<const std::byte> key) {
    Header header;
    std::memcpy(&header, file.data(), sizeof(header));
    const std::span<const std::byte> rest = file.subspan(sizeof(header));
    if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0 || header.format != kFormat) return {};
    if (header.key_size != key.size() || rest.size() <= key.size()) return {};
    if (header.value_size != rest.size() - key.size() || header.checksum != hash_of(rest)) return {};
    if (!std::ranges::equal(rest.first(key.size()), key)) return {};  // equal hashes are not equal keys
    return rest.subspan(key.size());
}

/// Makes a folder, and those above it that are missing, for their owner alone.
///
/// Source    XDG Base Directory Specification
void make_folders(const std::string& folder) {
    for (std::size_t end = 0; end != std::string::npos;) {
        end = folder.find('/', end + 1);
        ::mkdir(folder.substr(0, end).c_str(), 0700);  // most of them are there
    }
}

bool is_absolute(const char* path) { return path != nullptr && path[0] == '/'; }

}  // namespace

std::string cache_folder(const char* name) {
    const char* set = std::getenv("BURN_CACHE_DIR");
    const std::string_view given = set != nullptr ? set : "";
    if (given == "off" || given == "0") return {};
    if (!given.empty() && given != "on" && given != "1") return absolute_path(given) + "/" + name;
    // A relative path there is invalid and to be ignored (XDG Base Directory Specification).
    if (const char* caches = std::getenv("XDG_CACHE_HOME"); is_absolute(caches)) {
        return std::string(caches) + "/burn/" + name;
    }
    if (const char* home = std::getenv("HOME"); is_absolute(home)) return std::string(home) + "/.cache/burn/" + name;
    return {};
}

std::string DiskCache::path_of(std::span<const std::byte> key) const {
    static constexpr char kDigits[] = "0123456789abcdef";
    const std::uint64_t hash = hash_of(key);
    std::string path = folder_ + "/";
    for (int shift = 60; shift >= 0; shift -= 4) path += kDigits[hash >> shift & 15];
    return path + suffix_;
}

bool DiskCache::find(std::span<const std::byte> key, std::vector<std::byte>& value) const {
    if (folder_.empty()) return false;
    // Not waiting: a pipe of that name would never answer.
    const File file(path_of(key), O_RDONLY | O_NONBLOCK);
    std::vector<std::byte> bytes;
    if (!file.is_open() || !file.read(bytes)) return false;
    const std::span<const std::byte> found = value_in(bytes, key);
    if (found.empty()) return false;
    value.assign(found.begin(), found.end());
    file.touch();
    return true;
}

void DiskCache::keep(std::span<const std::byte> key, std::span<const std::byte> value) {
    if (folder_.empty()) return;
    make_folders(folder_);

    Header header{{}, kFormat, key.size(), value.size(), 0};
    std::memcpy(header.magic, kMagic, sizeof(kMagic));
    std::vector<std::byte> bytes(sizeof(header));
    bytes.insert(bytes.end(), key.begin(), key.end());
    bytes.insert(bytes.end(), value.begin(), value.end());
    header.checksum = hash_of(std::span(bytes).subspan(sizeof(header)));
    std::memcpy(bytes.data(), &header, sizeof(header));

    static std::atomic<unsigned> counter{0};
    const std::string path = path_of(key);
    const std::string temporary = path + "." + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    {
        const File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
        if (!file.is_open()) return;
        if (!file.write(bytes)) {
            ::unlink(temporary.c_str());
            return;
        }
    }
    if (::rename(temporary.c_str(), path.c_str()) != 0) ::unlink(temporary.c_str());

    const std::lock_guard lock(mutex_);
    written_ += bytes.size();
    if (looked_ && written_ < limit_ / 8) return;
    looked_ = true;
    written_ = 0;
    drop_oldest();
}

void DiskCache::drop_oldest() {
    struct Found {
        fs::file_time_type used;
        std::uint64_t size;
        fs::path path;
    };
    const auto an_hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    std::vector<Found> files;
    std::uint64_t total = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        std::error_code gone;  // another process may be dropping files too
        Found found{it->last_write_time(gone), it->file_size(gone), it->path()};
        if (gone) continue;
        const std::string name = found.path.filename().string();
        if (name.find(suffix_) == std::string::npos) continue;
        if (!name.ends_with(suffix_)) {  // written by a process that ended before it could rename it, or is about to
            if (found.used < an_hour_ago) fs::remove(found.path, gone);
            continue;
        }
        total += found.size;
        files.push_back(std::move(found));
    }
    if (total <= limit_) return;
    std::ranges::sort(files, {}, &Found::used);
    for (const Found& file : files) {
        if (total <= limit_ / 4 * 3) return;
        fs::remove(file.path, error);
        total -= file.size;
    }
}

}  // namespace burn::compiler
