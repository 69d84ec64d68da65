#include <burn/backends/cpu/plugin.h>

#include <burn/backends/cpu/plugin_file.h>

#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <vector>

namespace burn::cpu {

namespace {

constexpr const char* kFileName = "burn_cpu_llvm.so";
constexpr std::size_t kIsas = static_cast<std::size_t>(Isa::Avx512) + 1;

std::string folder_of_program() {
    std::string path(4096, '\0');
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    if (size <= 0) return {};
    path.resize(static_cast<std::size_t>(size));
    return path.substr(0, path.rfind('/'));
}

/// Where the plug-in may be, the likeliest place first.
std::vector<std::string> paths() {
    const std::string file = std::string("/") + kFileName;
    if (const char* given = std::getenv("BURN_PLUGIN_PATH")) return {given + file};
    std::vector<std::string> all;
    if (const std::string program = folder_of_program(); !program.empty()) {
        all = {program + file, program + "/../" + BURN_PLUGIN_LIBDIR + file};
    }
    for (const char* folder : {BURN_PLUGIN_BUILD_FOLDER, BURN_PLUGIN_INSTALL_FOLDER}) all.push_back(folder + file);
    // The library path of the program, which the installed package extends to where it lies.
    all.emplace_back(kFileName);
    return all;
}

/// The plug-in, opened at most once.
class Plugin {
public:
    Plugin() : entry_(open_plugin(paths(), reason_)) {
        if (entry_ == nullptr && !BURN_PLUGIN_BUILT)
            reason_ += "; it was not built, for this build found no LLVM (CMake option BURN_LLVM)";
    }

    CodeGenerator* generator(Isa isa) {
        const std::lock_guard lock(mutex_);
        Slot& slot = slots_[static_cast<std::size_t>(isa)];
        if (!slot.tried && entry_ != nullptr) {
            Message error;
            slot.generator = entry_->create(isa, error);
            slot.reason = error.text();
        }
        slot.tried = true;
        return slot.generator;
    }

    std::string reason(Isa isa) {
        if (generator(isa) != nullptr) return {};
        const std::lock_guard lock(mutex_);
        return entry_ == nullptr ? reason_ : slots_[static_cast<std::size_t>(isa)].reason;
    }

private:
    struct Slot {
        bool tried = false;
        CodeGenerator* generator = nullptr;
        std::string reason;
    };

    std::string reason_;  ///< before the entry, which is looked for when it is there
    const PluginEntry* entry_;
    std::mutex mutex_;
    Slot slots_[kIsas];
};

Plugin& plugin() {
    static Plugin& instance = *new Plugin;  // NOLINT: kernels run until the last thread ends
    return instance;
}

}  // namespace

CodeGenerator* code_generator() { return plugin().generator(active_isa()); }

std::string why_no_code_generator() { return plugin().reason(active_isa()); }

}  // namespace burn::cpu
