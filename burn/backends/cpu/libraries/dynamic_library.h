#pragma once

#include <span>
#include <string>

namespace burn::cpu {

/// Whether libraries of other makers may be used: they may, unless the environment says BURN_LIBRARIES=off.
bool libraries_allowed();

/// A shared library that is opened while the program runs, where it is installed; never closed.
class DynamicLibrary {
public:
    /// Opens the first of `names` that is there.
    explicit DynamicLibrary(std::span<const char* const> names);

    bool is_open() const { return handle_ != nullptr; }
    /// Whether the program had it loaded before.
    bool was_loaded() const { return was_loaded_; }
    /// Why it is not open, or not used any more.
    const std::string& reason() const { return reason_; }
    /// Takes it as if it were not there.
    void refuse(std::string reason);

    /// Sets `function` to an entry of the library, or else refuses the library.
    template <class Function>
    void find(const char* name, Function*& function) {
        function = reinterpret_cast<Function*>(address(name));
    }
    /// The same for what may be missing.
    template <class Function>
    void find_optional(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(optional_address(name));
    }

private:
    void* address(const char* name);
    void* optional_address(const char* name) const;

    void* handle_ = nullptr;
    bool was_loaded_ = false;
    std::string name_;
    std::string reason_;
};

}  // namespace burn::cpu
