#include <burn/backends/cpu/object_loader.h>

#include <burn/backends/cpu/object_symbols.h>

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace burn::cpu {

namespace {

constexpr std::size_t kLargestImage = std::size_t{1} << 30;  // so that one part of it reaches any other by 32 bits

std::size_t rounded_up(std::size_t number, std::size_t alignment) {
    return (number + alignment - 1) / alignment * alignment;
}

/// `jmp *[rip + 0]` and the address: calls reach 2 GiB far, and the C library lies where it lies.
struct Jump {
    static constexpr std::size_t kSize = 16;
    static void write(std::byte* place, const void* target) {
        static constexpr unsigned char kCode[] = {0xff, 0x25, 0, 0, 0, 0};
        std::memcpy(place, kCode, sizeof(kCode));
        std::memcpy(place + sizeof(kCode), &target, sizeof(target));
    }
};

/// Memory of whole pages; freed at the end unless it is taken.
class Image {
public:
    ~Image() {
        if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
    }
    Image() = default;
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    bool map(std::size_t size) {
        const std::size_t whole = rounded_up(size, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
        void* memory = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return false;
        bytes_ = {static_cast<std::byte*>(memory), whole};
        return true;
    }
    bool make_executable() { return ::mprotect(bytes_.data(), bytes_.size(), PROT_READ | PROT_EXEC) == 0; }
    std::byte* at(std::size_t place) { return bytes_.data() + place; }
    std::span<std::byte> take() { return std::exchange(bytes_, {}); }

private:
    std::span<std::byte> bytes_;
};

/// One object on its way into memory. Nothing in it is believed: every step says false where the object is cut off, wrong or
/// unknown.
class Linking {
public:
    explicit Linking(std::span<const std::byte> object) : object_(object) {}

    bool run() {
        return read_sections() && read_symbols() && image_.map(size_) && copy() && relocate() && find_kernel() &&
               image_.make_executable();
    }

    KernelFunction function() { return reinterpret_cast<KernelFunction>(image_.at(kernel_)); }  // NOLINT: it is code
    std::span<std::byte> take() { return image_.take(); }

private:
    struct Section {
        Elf64_Shdr header;
        bool loaded = false;
        std::size_t place = 0;  ///< in the image
    };
    struct Symbol {
        Elf64_Sym entry;
        std::string_view name;
        std::size_t jump = 0;  ///< of one that is defined elsewhere: the place of what calls it
    };

    bool holds(std::uint64_t offset, std::uint64_t size) const {
        return offset <= object_.size() && size <= object_.size() - offset;
    }

    template <class T>
    bool read(std::uint64_t offset, T& value) const {
        if (!holds(offset, sizeof(T))) return false;
        std::memcpy(&value, object_.data() + offset, sizeof(T));
        return true;
    }

    /// Room in the image; alignments beyond a page cannot be had.
    bool reserve(std::size_t size, std::size_t alignment, std::size_t& place) {
        if (alignment == 0) alignment = 1;
        if (!std::has_single_bit(alignment) || alignment > 4096) return false;
        place = rounded_up(size_, alignment);
        if (size > kLargestImage || place > kLargestImage - size) return false;
        size_ = place + size;
        return true;
    }

    bool read_sections() {
        Elf64_Ehdr header;
        if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
        if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) return false;
        if (header.e_type != ET_REL || header.e_machine != EM_X86_64) return false;
        if (header.e_shentsize != sizeof(Elf64_Shdr)) return false;
        sections_.resize(header.e_shnum);
        for (std::size_t i = 0; i < sections_.size(); ++i) {
            Section& section = sections_[i];
            if (!read(header.e_shoff + i * sizeof(Elf64_Shdr), section.header)) return false;
            const Elf64_Shdr& h = section.header;
            if (h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL && !holds(h.sh_offset, h.sh_size)) return false;
            section.loaded = (h.sh_flags & SHF_ALLOC) != 0;
            if (!section.loaded) continue;
            constexpr std::uint64_t known = SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS;
            if (h.sh_type != SHT_PROGBITS || (h.sh_flags & ~known) != 0) return false;
            if (!reserve(h.sh_size, h.sh_addralign, section.place)) return false;
        }
        return true;
    }

    bool read_symbols() {
        const auto table =
            std::ranges::find(sections_, std::uint32_t{SHT_SYMTAB}, [](const Section& s) { return s.header.sh_type; });
        if (table == sections_.end() || table->header.sh_link >= sections_.size()) return false;
        symbol_table_ = static_cast<std::size_t>(table - sections_.begin());
        const Elf64_Shdr& names = sections_[table->header.sh_link].header;
        if (names.sh_type != SHT_STRTAB) return false;
        const std::string_view text(reinterpret_cast<const char*>(object_.data()) + names.sh_offset, names.sh_size);
        symbols_.resize(table->header.sh_size / sizeof(Elf64_Sym));
        for (std::size_t i = 0; i < symbols_.size(); ++i) {
            Symbol& symbol = symbols_[i];
            if (!read(table->header.sh_offset + i * sizeof(Elf64_Sym), symbol.entry)) return false;
            const std::size_t begin = symbol.entry.st_name, end = text.find('\0', begin);
            if (end == std::string_view::npos) return false;
            symbol.name = text.substr(begin, end - begin);
            const bool is_elsewhere = i > 0 && symbol.entry.st_shndx == SHN_UNDEF;
            if (is_elsewhere && !reserve(Jump::kSize, Jump::kSize, symbol.jump)) return false;
        }
        return true;
    }

    bool copy() {
        for (const Section& section : sections_) {
            if (!section.loaded || section.header.sh_size == 0) continue;
            std::memcpy(image_.at(section.place), object_.data() + section.header.sh_offset, section.header.sh_size);
        }
        for (const Symbol& symbol : symbols_) {
            if (symbol.jump == 0) continue;
            const void* function = find_function(symbol.name.data());  // a zero follows
            if (function == nullptr) return false;
            Jump::write(image_.at(symbol.jump), function);
        }
        return true;
    }

    bool relocate() {
        for (const Section& section : sections_) {
            const Elf64_Shdr& h = section.header;
            if (h.sh_type != SHT_RELA && h.sh_type != SHT_REL) continue;
            if (h.sh_info >= sections_.size()) return false;
            const Section& changed = sections_[h.sh_info];
            if (!changed.loaded) continue;
            if (h.sh_type != SHT_RELA || h.sh_link != symbol_table_) return false;
            for (std::size_t i = 0; i < h.sh_size / sizeof(Elf64_Rela); ++i) {
                Elf64_Rela relocation;
                if (!read(h.sh_offset + i * sizeof(relocation), relocation) || !apply(relocation, changed))
                    return false;
            }
        }
        return true;
    }

    /// Symbol + addend - place, in 32 bits: the kinds that code without absolute addresses consists of.
    bool apply(const Elf64_Rela& relocation, const Section& changed) {
        const std::uint64_t kind = ELF64_R_TYPE(relocation.r_info), index = ELF64_R_SYM(relocation.r_info);
        const bool is_call = kind == R_X86_64_PLT32;
        if ((kind != R_X86_64_PC32 && !is_call) || index >= symbols_.size()) return false;
        const std::uint64_t size = changed.header.sh_size;
        if (size < sizeof(std::int32_t) || relocation.r_offset > size - sizeof(std::int32_t)) return false;
        std::size_t target = symbols_[index].jump;
        if (target == 0 ? !place_of(symbols_[index], target) : !is_call) return false;
        if (relocation.r_addend < -std::int64_t{kLargestImage} || relocation.r_addend > std::int64_t{kLargestImage}) {
            return false;
        }
        const std::size_t place = changed.place + relocation.r_offset;
        const std::int64_t distance =
            static_cast<std::int64_t>(target) + relocation.r_addend - static_cast<std::int64_t>(place);
        if (distance != static_cast<std::int32_t>(distance)) return false;
        const auto written = static_cast<std::int32_t>(distance);
        std::memcpy(image_.at(place), &written, sizeof(written));
        return true;
    }

    /// Of a symbol that is defined in a part that was loaded.
    bool place_of(const Symbol& symbol, std::size_t& place) const {
        const std::size_t index = symbol.entry.st_shndx;
        if (index == SHN_UNDEF || index >= sections_.size()) return false;
        const Section& section = sections_[index];
        if (!section.loaded || symbol.entry.st_value > section.header.sh_size) return false;
        place = section.place + symbol.entry.st_value;
        return true;
    }

    bool find_kernel() {
        const auto kernel = std::ranges::find(symbols_, std::string_view(kKernelSymbol), &Symbol::name);
        if (kernel == symbols_.end() || ELF64_ST_TYPE(kernel->entry.st_info) != STT_FUNC) return false;
        if (!place_of(*kernel, kernel_)) return false;
        const Section& section = sections_[kernel->entry.st_shndx];
        return (section.header.sh_flags & SHF_EXECINSTR) != 0 && kernel->entry.st_value < section.header.sh_size;
    }

    std::span<const std::byte> object_;
    std::vector<Section> sections_;
    std::size_t symbol_table_ = 0;
    std::vector<Symbol> symbols_;
    std::size_t size_ = 0;  ///< of the image
    Image image_;
    std::size_t kernel_ = 0;
};

}  // namespace

bool ObjectLoader::knows_processor() {
#if defined(__x86_64__)
    return true;
#else
    return false;
#endif
}

KernelFunction ObjectLoader::load(std::span<const std::byte> object) {
    Linking linking(object);
    if (!knows_processor() || !linking.run()) return nullptr;
    const KernelFunction function = linking.function();
    const std::lock_guard lock(mutex_);
    images_.try_emplace(function).first->second = linking.take();
    return function;
}

bool ObjectLoader::unload(KernelFunction function) {
    std::span<std::byte> image;
    {
        const std::lock_guard lock(mutex_);
        const auto found = images_.find(function);
        if (found == images_.end()) return false;
        image = found->second;
        images_.erase(found);  // first: another function may come to lie at this address
    }
    ::munmap(image.data(), image.size());
    return true;
}

}  // namespace burn::cpu
