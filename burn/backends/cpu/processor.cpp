#include <burn/backends/cpu/processor.h>

#include <fstream>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace burn::cpu {

namespace {

#if defined(__x86_64__)
constexpr const char* kArchitecture = "x86-64";
#elif defined(__aarch64__)
constexpr const char* kArchitecture = "aarch64";
#else
constexpr const char* kArchitecture = "a processor";
#endif

std::string find_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return kArchitecture;
}

}  // namespace

const std::string& processor_name() {
    static const std::string& name = *new std::string(find_name());  // NOLINT: threads may outlive main
    return name;
}

#if defined(__x86_64__)
std::string processor_identity() {
    struct Leaf {
        unsigned number, part;
        std::string_view words;  ///< of a, b, c, d those that do not tell of the core that this runs on
    };
    static constexpr Leaf kLeaves[] = {
        {0, 0, "abcd"},    {1, 0, "acd"},     {7, 0, "abcd"},    {7, 1, "abcd"},          {0xd, 1, "a"},
        {0x14, 0, "abcd"}, {0x19, 0, "abcd"}, {0x24, 0, "abcd"}, {0x80000001, 0, "abcd"}, {0x80000008, 0, "abcd"},
    };
    std::string identity;
    const auto add = [&identity](unsigned word) {
        for (int shift = 0; shift < 32; shift += 8) identity += static_cast<char>(word >> shift);
    };
    bool saves_registers = false;
    for (const Leaf& leaf : kLeaves) {
        unsigned words[4] = {};
        __get_cpuid_count(leaf.number, leaf.part, &words[0], &words[1], &words[2], &words[3]);
        for (const char word : leaf.words) add(words[word - 'a']);
        if (leaf.number == 1) saves_registers = (words[2] & 1u << 27) != 0;
    }
    if (saves_registers) {  // which of them, is the system's choice
        unsigned low = 0, high = 0;
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        add(low);
    }
    return identity;
}
#else
std::string processor_identity() { return {}; }
#endif

}  // namespace burn::cpu
