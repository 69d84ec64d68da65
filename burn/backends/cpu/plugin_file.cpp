#include <burn/backends/cpu/plugin_file.h>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace burn::cpu {

namespace {

/// An open file; closed at the end.
class File {
public:
    explicit File(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    std::uint64_t size() const {
        struct stat status = {};
        return ::fstat(descriptor_, &status) == 0 && status.st_size > 0 ? static_cast<std::uint64_t>(status.st_size)
                                                                        : 0;
    }
    template <class T>
    bool read_at(std::uint64_t offset, T& value) const {
        return ::pread(descriptor_, &value, sizeof(value), static_cast<off_t>(offset)) ==
               static_cast<ssize_t>(sizeof(value));
    }

private:
    int descriptor_;
};

/// Whether a library lacks bytes that its headers speak of. To load it would end the program: what is mapped beyond the end of a
/// file cannot be read. What is no library is left to the loader, which says so.
///
/// Source    System V ABI, chapter 4, object files
bool is_cut_off(const std::string& path) {
    const File file(path);
    ElfW(Ehdr) header;
    if (!file.read_at(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
    const std::uint64_t size = file.size();
    const auto reaches_beyond = [&](std::uint64_t offset, std::uint64_t bytes) {
        return offset > size || bytes > size - offset;
    };
    if (reaches_beyond(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize)) return true;
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) segment;
        if (!file.read_at(header.e_phoff + i * sizeof(segment), segment)) return true;
        if (reaches_beyond(segment.p_offset, segment.p_filesz)) return true;
    }
    return false;
}

const PluginEntry* open_one(const std::string& path, std::string& why) {
    if (is_cut_off(path)) {
        why = path + " is cut off: it is shorter than its headers say";
        return nullptr;
    }
    // Never closed when it is used: kernels call what lies in it.
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* text = ::dlerror();
        why = text != nullptr ? text : "cannot load " + path;
        return nullptr;
    }
    const auto function = reinterpret_cast<PluginEntryFunction>(::dlsym(library, kPluginEntryName));
    const PluginEntry* entry = function != nullptr ? function() : nullptr;
    if (entry == nullptr) {
        why = path + " is no plug-in";
    } else if (entry->version != kPluginVersion || entry->stamp != PluginEntry().stamp) {
        why = path + " was built with another version or compiler than this program";
    } else {
        return entry;
    }
    ::dlclose(library);  // or the loader takes it for the next of its name
    return nullptr;
}

}  // namespace

const PluginEntry* open_plugin(std::span<const std::string> paths, std::string& why) {
    std::string missing, refused;
    for (const std::string& path : paths) {
        if (path.find('/') != std::string::npos && ::access(path.c_str(), F_OK) != 0) {
            missing += (missing.empty() ? "there is no " : ", ") + path;
            continue;
        }
        std::string reason;
        if (const PluginEntry* entry = open_one(path, reason)) return entry;
        refused += (refused.empty() ? "" : "; ") + reason;
    }
    why = missing + (missing.empty() || refused.empty() ? "" : "; ") + refused;
    return nullptr;
}

}  // namespace burn::cpu
