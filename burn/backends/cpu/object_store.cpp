#include <burn/backends/cpu/object_store.h>

#include <burn/base/hash.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace burn::cpu {

namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'b', 'u', 'r', 'n', 'k', 'e', 'r', 'n'};
constexpr std::uint64_t kFormat = 1;
constexpr const char* kSuffix = ".kernel";
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;

/// A file begins with this, then come target, kernel and object.
struct Header {
    char magic[8];
    std::uint64_t format;
    std::uint64_t target_size;
    std::uint64_t kernel_size;
    std::uint64_t object_size;
    std::uint64_t checksum;  ///< of all bytes that follow
};
static_assert(sizeof(Header) == 48);

/// The bytes of everything but a kernel's name: the file holds them, so that equal hashes are not taken for equal kernels.
class KernelBytes {
public:
    explicit KernelBytes(const kernel::Kernel& kernel) {
        add(kernel.units);
        add(kernel.plane);
        add(kernel.nodes.size());
        for (const kernel::Node& node : kernel.nodes) {
            add(static_cast<std::uint64_t>(node.kind) << 32 | static_cast<std::uint64_t>(node.type.dtype) << 24 |
                std::uint64_t{node.operand_count} << 16 | node.type.lanes);
            for (std::size_t i = 0; i < node.operand_count; ++i) add(node.operands[i]);
            add(node.immediate);
            add(std::uint64_t{node.blocks[0]} << 32 | node.blocks[1]);
        }
        add(kernel.blocks.size());
        for (const auto& block : kernel.blocks) add_all(block);
        add_all(kernel.parameters);
    }

    std::span<const std::byte> get() const { return std::as_bytes(std::span(words_)); }

private:
    void add(std::uint64_t word) { words_.push_back(word); }
    void add_all(const std::vector<kernel::NodeId>& nodes) {
        add(nodes.size());
        for (const kernel::NodeId node : nodes) add(node);
    }

    std::vector<std::uint64_t> words_;
};

std::string name_of(std::string_view target, const kernel::Kernel& kernel) {
    Hasher hasher;
    hasher.add(kFormat);
    hasher.add(kernel.hash());
    hasher.add_bytes(target.data(), target.size());
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string name;
    for (int shift = 60; shift >= 0; shift -= 4) name += kDigits[hasher.value() >> shift & 15];
    return name + kSuffix;
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
    Hasher hasher;
    hasher.add_bytes(bytes.data(), bytes.size());
    return hasher.value();
}

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

bool equal(std::span<const std::byte> a, std::span<const std::byte> b) { return std::ranges::equal(a, b); }

/// The object in the bytes of a file; empty where they are not about this target and kernel, or not whole.
std::span<const std::byte> object_in(std::span<const std::byte> file, std::string_view target,
                                     std::span<const std::byte> kernel) {
    Header header;
    std::memcpy(&header, file.data(), sizeof(header));
    const std::span<const std::byte> rest = file.subspan(sizeof(header));
    if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0 || header.format != kFormat) return {};
    if (header.target_size != target.size() || header.kernel_size != kernel.size()) return {};
    const std::uint64_t before = target.size() + kernel.size();
    if (rest.size() <= before || header.object_size != rest.size() - before) return {};
    if (header.checksum != checksum(rest)) return {};
    if (!equal(rest.first(target.size()), std::as_bytes(std::span(target)))) return {};
    if (!equal(rest.subspan(target.size(), kernel.size()), kernel)) return {};
    return rest.subspan(before);
}

bool is_absolute(const char* path) { return path != nullptr && path[0] == '/'; }

}  // namespace

std::string default_kernel_folder() {
    if (const char* given = std::getenv("BURN_CACHE_DIR"); given != nullptr && given[0] != '\0') {
        return std::strcmp(given, "off") == 0 ? std::string() : std::string(given) + "/kernels";
    }
    // A relative path there is invalid and to be ignored (XDG Base Directory Specification).
    if (const char* caches = std::getenv("XDG_CACHE_HOME"); is_absolute(caches)) {
        return std::string(caches) + "/burn/kernels";
    }
    if (const char* home = std::getenv("HOME"); is_absolute(home)) return std::string(home) + "/.cache/burn/kernels";
    return {};
}

std::string ObjectStore::path_of(std::string_view target, const kernel::Kernel& kernel) const {
    return folder_ + "/" + name_of(target, kernel);
}

bool ObjectStore::find(std::string_view target, const kernel::Kernel& kernel, std::vector<std::byte>& object) const {
    if (folder_.empty()) return false;
    // Not waiting: a pipe of that name would never answer.
    const File file(path_of(target, kernel), O_RDONLY | O_NONBLOCK);
    std::vector<std::byte> bytes;
    if (!file.is_open() || !file.read(bytes)) return false;
    const std::span<const std::byte> found = object_in(bytes, target, KernelBytes(kernel).get());
    if (found.empty()) return false;
    object.assign(found.begin(), found.end());
    file.touch();
    return true;
}

void ObjectStore::keep(std::string_view target, const kernel::Kernel& kernel, std::span<const std::byte> object) {
    if (folder_.empty()) return;
    std::error_code ignored;
    fs::create_directories(folder_, ignored);

    const KernelBytes kernel_bytes(kernel);
    Header header{{}, kFormat, target.size(), kernel_bytes.get().size(), object.size(), 0};
    std::memcpy(header.magic, kMagic, sizeof(kMagic));
    std::vector<std::byte> bytes(sizeof(header));
    const auto append = [&bytes](std::span<const std::byte> part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
    };
    append(std::as_bytes(std::span(target)));
    append(kernel_bytes.get());
    append(object);
    header.checksum = checksum(std::span(bytes).subspan(sizeof(header)));
    std::memcpy(bytes.data(), &header, sizeof(header));

    static std::atomic<unsigned> counter{0};
    const std::string path = path_of(target, kernel);
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

void ObjectStore::drop_oldest() {
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
        if (name.find(kSuffix) == std::string::npos) continue;
        if (!name.ends_with(kSuffix)) {  // written by a process that ended before it could rename it, or is about to
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

}  // namespace burn::cpu
