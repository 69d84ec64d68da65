#include <burn/backends/cpu/llvm/build_id.h>

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>

namespace burn::cpu::codegen {

namespace {

/// Looks for the object in memory that holds `address`, and for the build id in its notes.
struct Search {
    std::uintptr_t address;
    std::string found;
};

bool holds(const dl_phdr_info& object, std::uintptr_t address) {
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object.dlpi_phdr[i];
        const std::uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && address >= begin && address - begin < segment.p_memsz) return true;
    }
    return false;
}

std::string hexadecimal(const unsigned char* bytes, std::size_t count) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += kDigits[bytes[i] >> 4];
        text += kDigits[bytes[i] & 15];
    }
    return text;
}

std::string id_in_notes(const unsigned char* note, const unsigned char* end) {
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    while (note + sizeof(ElfW(Nhdr)) <= end) {
        ElfW(Nhdr) header;
        std::memcpy(&header, note, sizeof(header));
        const unsigned char* name = note + sizeof(header);
        const unsigned char* content = name + padded(header.n_namesz);
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
            return hexadecimal(content, header.n_descsz);
        }
        note = content + padded(header.n_descsz);
    }
    return {};
}

int look(dl_phdr_info* object, std::size_t, void* context) {
    auto& search = *static_cast<Search*>(context);
    if (!holds(*object, search.address)) return 0;
    for (int i = 0; i < object->dlpi_phnum && search.found.empty(); ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_NOTE) continue;
        const auto* begin = reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr);  // NOLINT
        search.found = id_in_notes(begin, begin + segment.p_memsz);
    }
    return 1;
}

}  // namespace

std::string build_id() {
    static const char inside = 0;
    Search search{reinterpret_cast<std::uintptr_t>(&inside), {}};
    ::dl_iterate_phdr(&look, &search);
    if (!search.found.empty()) return search.found;
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return "unknown " + std::to_string(::getpid()) + " " + std::to_string(now);
}

}  // namespace burn::cpu::codegen
