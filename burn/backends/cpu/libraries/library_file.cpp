#include <burn/backends/cpu/libraries/library_file.h>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

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

    bool is_open() const { return descriptor_ >= 0; }
    bool is_regular() const {
        struct stat status = {};
        return ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    }
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

using Header = ElfW(Ehdr);

/// False for what is no library at all, which is left to the loader: it says so.
bool read_header(const File& file, Header& header) {
    return file.read_at(0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
}

/// The header of the program itself, which every library that it can load is like.
const Header& header_of_program() {
    static const Header header = [] {
        Header read = {};
        return read_header(File("/proc/self/exe"), read) ? read : Header{};
    }();
    return header;
}

bool is_for_another_processor(const Header& header) {
    const Header& own = header_of_program();
    return own.e_machine != EM_NONE &&
           (header.e_machine != own.e_machine || header.e_ident[EI_CLASS] != own.e_ident[EI_CLASS]);
}

/// Whether the file lacks bytes that its headers speak of: what is mapped beyond the end of a file cannot be read.
///
/// Source    System V ABI, chapter 4, object files
bool is_cut_off(const File& file, const Header& header) {
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

/// The folders that dlopen looks into, but for what the system's cache of libraries adds.
std::vector<std::string> library_path() {
    Dl_serinfo size = {};
    void* program = ::dlopen(nullptr, RTLD_LAZY);
    if (program == nullptr || ::dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return {};
    std::vector<std::max_align_t> memory(size.dls_size / sizeof(std::max_align_t) + 1);
    auto* info = reinterpret_cast<Dl_serinfo*>(memory.data());
    if (::dlinfo(program, RTLD_DI_SERINFOSIZE, info) != 0 || ::dlinfo(program, RTLD_DI_SERINFO, info) != 0) return {};
    std::vector<std::string> folders;
    for (unsigned i = 0; i < info->dls_cnt; ++i) folders.emplace_back(info->dls_serpath[i].dls_name);
    return folders;
}

}  // namespace

std::vector<std::string> library_places(const std::string& name) {
    if (name.find('/') != std::string::npos) return {name};
    std::vector<std::string> places = library_path();
    for (std::string& place : places) place += "/" + name;
    return places;
}

void* open_library(const std::string& name, int flags, std::string& why) {
    std::string foreign;
    for (const std::string& path : library_places(name)) {
        const File file(path);
        if (!file.is_open()) continue;
        if (!file.is_regular()) {  // the loader would wait for what a pipe says
            why = path + ": no regular file";
            return nullptr;
        }
        Header header;
        if (!read_header(file, header)) break;
        if (!is_for_another_processor(header)) {
            if (!is_cut_off(file, header)) break;
            why = path + " is cut off: it is shorter than its headers say";
            return nullptr;
        }
        foreign = path;  // which the loader passes over
    }
    void* library = ::dlopen(name.c_str(), flags);
    if (library != nullptr) return library;
    const char* text = ::dlerror();
    why = !foreign.empty()  ? foreign + " is for another kind of processor"
          : text != nullptr ? text
                            : "cannot load " + name;
    return nullptr;
}

}  // namespace burn::cpu
