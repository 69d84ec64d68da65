#include <burn/backends/cpu/libraries/dynamic_library.h>

#include <burn/backends/cpu/libraries/library_file.h>
#include <burn/base/environment.h>

#include <dlfcn.h>

#include <utility>

namespace burn::cpu {

bool libraries_allowed() { return environment_switch("BURN_LIBRARIES", true); }

DynamicLibrary::DynamicLibrary(std::span<const char* const> names) {
    if (!libraries_allowed()) {
        reason_ = "BURN_LIBRARIES is off";
        return;
    }
    for (const char* name : names) {
        void* loaded = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
        was_loaded_ = loaded != nullptr;
        std::string why;
        handle_ = was_loaded_ ? loaded : open_library(name, RTLD_LAZY | RTLD_LOCAL, why);
        if (handle_ != nullptr) {
            name_ = name;
            reason_.clear();
            return;
        }
        if (reason_.empty()) reason_ = std::move(why);
    }
}

void DynamicLibrary::refuse(std::string reason) {
    handle_ = nullptr;
    reason_ = name_ + ": " + std::move(reason);
}

void* DynamicLibrary::optional_address(const char* name) const {
    return handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
}

void* DynamicLibrary::address(const char* name) {
    void* found = optional_address(name);
    if (found == nullptr && handle_ != nullptr) refuse(std::string("has no ") + name);
    return found;
}

}  // namespace burn::cpu
