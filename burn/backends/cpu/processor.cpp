#include <burn/backends/cpu/processor.h>

#include <fstream>

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

}  // namespace burn::cpu
