#include <burn/backends/cpu/plugin_file.h>

#include <burn/backends/cpu/libraries/library_file.h>

#include <dlfcn.h>
#include <unistd.h>

namespace burn::cpu {

namespace {

const PluginEntry* open_one(const std::string& path, std::string& why) {
    // Never closed when it is used: kernels call what lies in it.
    void* library = open_library(path, RTLD_NOW | RTLD_LOCAL, why);
    if (library == nullptr) return nullptr;
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

std::string file_of(const void* address) {
    Dl_info info = {};
    return ::dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

}  // namespace burn::cpu
