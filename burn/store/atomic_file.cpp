#include <burn/base/error.h>
#include <burn/store/atomic_file.h>
#include <burn/store/quote.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace burn::store {

namespace {

constexpr int kTries = 100;
/// One call of write takes at most this much everywhere.
constexpr std::size_t kLargestWrite = std::size_t{1} << 30;

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

/// A name beside `path` that no other process or thread uses; after a crash, that one may exist, so callers try again.
std::string name_beside(const std::string& path) {
    static std::atomic<unsigned> counter{0};
    const std::size_t begin = path.rfind('/') + 1;  // npos + 1 is 0
    // File names end at 255 bytes; the longest part of it is the file's own.
    const std::string own = path.substr(begin, 200);
    return path.substr(0, begin) + "." + own + "." + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
           ".tmp";
}

/// The file a path stands for after its links; the path itself when nothing is there yet.
std::string follow_links(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
    return real ? std::string(real.get()) : path;
}

std::string name_of_descriptor(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// A file without a name in `folder`, -1 where that cannot be had.
int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    if (::access(name_of_descriptor(descriptor).c_str(), F_OK) == 0) return descriptor;
    ::close(descriptor);  // without /proc it could never be given a name
#else
    (void)folder;
#endif
    return -1;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(follow_links(path)) {
    if (path.empty() || path.back() == '/') refuse("it is no name of a file");
    struct stat old = {};
    const bool replaces = ::stat(target_.c_str(), &old) == 0;
    if (!replaces && errno != ENOENT) refuse(std::strerror(errno));  // a name too long would only show at the end
    // Renaming over a device or a pipe would destroy it.
    if (replaces && S_ISDIR(old.st_mode)) refuse("it is a folder; expected a file");
    if (replaces && !S_ISREG(old.st_mode)) refuse("it is not a regular file");
    descriptor_ = open_nameless(folder_of(target_));
    if (descriptor_ < 0) open_beside();
    if (replaces) ::fchmod(descriptor_, old.st_mode & 07777);  // best effort: the file may be somebody else's
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    require_internal(descriptor_ >= 0, "a write to a file that is committed");
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kLargestWrite));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) refuse(std::strerror(errno));
        size_ += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::commit() {
    require_internal(descriptor_ >= 0, "a file that is committed twice");
    if (::fsync(descriptor_) != 0) refuse(std::strerror(errno));
    if (temporary_.empty()) give_name();
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) refuse(std::strerror(errno));
    temporary_.clear();
    const int descriptor = descriptor_;
    descriptor_ = -1;
    // Some network file systems report only here that the disk is full.
    if (::close(descriptor) != 0) refuse(std::strerror(errno));
    sync_folder();
}

void AtomicFile::refuse(const char* reason) const {
    raise(ErrorKind::Io, Message() << "cannot write " << quote_path(path_).c_str() << ": " << reason);
}

void AtomicFile::open_beside() {
    for (int i = 0; i < kTries; ++i) {
        std::string name = name_beside(target_);
        descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ >= 0) {
            temporary_ = std::move(name);
            return;
        }
        if (errno == ENOENT) refuse(("the folder " + quote_path(folder_of(target_)) + " does not exist").c_str());
        if (errno != EEXIST) refuse(std::strerror(errno));
    }
    refuse("too many temporary files lie beside it");
}

void AtomicFile::give_name() {
    const std::string source = name_of_descriptor(descriptor_);
    for (int i = 0; i < kTries; ++i) {
        std::string name = name_beside(target_);
        if (::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            temporary_ = std::move(name);
            return;
        }
        if (errno != EEXIST) refuse(std::strerror(errno));
    }
    refuse("too many temporary files lie beside it");
}

void AtomicFile::sync_folder() const {
    const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;  // a folder that may be written but not read: nothing to be done
    const bool failed = ::fsync(folder) != 0 && errno != EINVAL && errno != EROFS;
    const int reason = errno;
    ::close(folder);
    if (failed) refuse(std::strerror(reason));
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void write_file(const std::string& path, std::string_view text) { write_file(path, std::as_bytes(std::span(text))); }

}  // namespace burn::store
