#include <burn/backends/cpu/plugin.h>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <utility>
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

std::vector<std::string> folders() {
    if (const char* given = std::getenv("BURN_PLUGIN_PATH")) return {given};
    std::vector<std::string> all;
    if (const std::string program = folder_of_program(); !program.empty()) {
        all = {program, program + "/../" + BURN_PLUGIN_LIBDIR};
    }
    for (const char* folder : {BURN_PLUGIN_BUILD_FOLDER, BURN_PLUGIN_INSTALL_FOLDER}) all.emplace_back(folder);
    return all;
}

/// The plug-in, opened at most once.
class Plugin {
public:
    Plugin() {
        for (const std::string& folder : folders()) {
            const std::string path = folder + "/" + kFileName;
            if (::access(path.c_str(), R_OK) != 0) {
                reason_ += (reason_.empty() ? "there is no " + path : ", " + path);
                continue;
            }
            open(path);
            return;
        }
        if (std::getenv("BURN_PLUGIN_PATH") == nullptr) {
            // The library path of the program, which the installed package extends to where it lies.
            const std::string looked = std::exchange(reason_, {});
            open(kFileName);
            if (entry_ != nullptr) return;
            reason_ = looked + "; " + reason_;
        }
        reason_ += BURN_PLUGIN_BUILT ? "" : "; it was not built, for this build found no LLVM (CMake option BURN_LLVM)";
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

    void open(const std::string& path) {
        // Never closed: compiled kernels live in it.
        void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            const char* why = ::dlerror();
            reason_ = why != nullptr ? why : "cannot load " + path;
            return;
        }
        const auto function = reinterpret_cast<PluginEntryFunction>(::dlsym(library, kPluginEntryName));
        const PluginEntry* entry = function != nullptr ? function() : nullptr;
        if (entry == nullptr) {
            reason_ = path + " is no plug-in";
        } else if (entry->version != kPluginVersion || entry->stamp != PluginEntry().stamp) {
            reason_ = path + " was built with another version or compiler than this program";
        } else {
            entry_ = entry;
        }
    }

    const PluginEntry* entry_ = nullptr;
    std::string reason_;
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
