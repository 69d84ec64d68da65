#include <burn/backends/cpu/plugin.h>

#include <burn/backends/cpu/known_plugins.h>
#include <burn/backends/cpu/libraries/library_file.h>
#include <burn/backends/cpu/object_loader.h>
#include <burn/backends/cpu/plugin_file.h>
#include <burn/base/environment.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <memory>
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

/// Every file that these paths may mean.
std::vector<std::string> places_of(const std::vector<std::string>& paths) {
    std::vector<std::string> all;
    for (const std::string& path : paths) {
        for (std::string& place : library_places(path)) all.push_back(std::move(place));
    }
    return all;
}

/// The plug-in, opened at most once, and not before something has to be compiled if it is known from before.
class Plugin {
public:
    CodeGenerator* generator(Isa isa) {
        const std::lock_guard lock(mutex_);
        Slot& slot = slot_of(isa);
        if (!slot.tried) {
            slot.tried = true;
            slot.is_known = known_.find(files_, isa, slot.facts);
            if (slot.is_known || open(isa) != nullptr) slot.generator = std::make_unique<Generator>(*this, isa, slot);
        }
        return slot.reason.empty() ? slot.generator.get() : nullptr;
    }

    std::string reason(Isa isa) {
        if (generator(isa) != nullptr) return {};
        const std::lock_guard lock(mutex_);
        return slot_of(isa).reason;
    }

private:
    struct Slot;

    /// What stands for the plug-in's code generator: objects it finds and loads without one.
    class Generator final : public CodeGenerator {
    public:
        Generator(Plugin& plugin, Isa isa, Slot& slot) : plugin_(plugin), isa_(isa), slot_(slot) {}

        // When the plug-in is open, what it says holds: another than the one that is known may have been found.
        const char* target() const noexcept override {
            const CodeGenerator* compiler = slot_.compiler.load();
            return compiler != nullptr ? compiler->target() : slot_.facts.target.c_str();
        }
        int vector_bytes() const noexcept override {
            const CodeGenerator* compiler = slot_.compiler.load();
            return compiler != nullptr ? compiler->vector_bytes() : slot_.facts.vector_bytes;
        }
        bool compile(const kernel::Kernel& kernel, std::vector<std::byte>& object, Message& error) noexcept override {
            CodeGenerator* compiler = plugin_.compiler(isa_, error);
            return compiler != nullptr && compiler->compile(kernel, object, error);
        }
        KernelFunction load(std::span<const std::byte> object, Message& error) noexcept override {
            if (const KernelFunction function = plugin_.load(object)) return function;
            CodeGenerator* compiler = plugin_.compiler(isa_, error);
            return compiler != nullptr ? compiler->load(object, error) : nullptr;
        }
        void unload(KernelFunction function) noexcept override {
            CodeGenerator* compiler = slot_.compiler.load();
            if (!plugin_.loader_.unload(function) && compiler != nullptr) compiler->unload(function);
        }

    private:
        Plugin& plugin_;
        const Isa isa_;
        Slot& slot_;
    };

    struct Slot {
        bool tried = false;
        bool is_known = false;                 ///< from disk
        GeneratorFacts facts;                  ///< does not change once there is a generator
        std::unique_ptr<Generator> generator;  ///< stays, for kernels that it loaded, where the plug-in does not open
        std::atomic<CodeGenerator*> compiler{nullptr};  ///< once the plug-in is open
        std::string reason;                             ///< why it does not open; empty before that is tried
    };

    Slot& slot_of(Isa isa) { return slots_[static_cast<std::size_t>(isa)]; }

    /// With the lock held: the plug-in's code generator.
    CodeGenerator* open(Isa isa) {
        Slot& slot = slot_of(isa);
        if (slot.compiler.load() != nullptr || !slot.reason.empty()) return slot.compiler.load();
        if (!looked_) {
            looked_ = true;
            entry_ = open_plugin(paths_, reason_);
            if (entry_ == nullptr && !BURN_PLUGIN_BUILT)
                reason_ += "; it was not built, for this build found no LLVM (CMake option BURN_LLVM)";
        }
        slot.reason = reason_;
        if (entry_ == nullptr) return nullptr;
        Message error;
        CodeGenerator* compiler = entry_->create(isa, error);
        slot.reason = compiler != nullptr ? "" : error.text();
        if (compiler == nullptr) return nullptr;
        const GeneratorFacts facts{compiler->target(), compiler->vector_bytes()};
        // Where the loader knows more places than we do, the next program has to ask again.
        const bool is_listed = std::ranges::find(files_, file_of(entry_)) != files_.end();
        if (is_listed && (!slot.is_known || facts != slot.facts))
            known_.keep(files_, file_of(entry_->in_compiler), isa, facts);
        slot.compiler.store(compiler);
        return compiler;
    }

    CodeGenerator* compiler(Isa isa, Message& error) noexcept {
        try {
            const std::lock_guard lock(mutex_);
            CodeGenerator* compiler = open(isa);
            if (compiler == nullptr) error << slot_of(isa).reason.c_str();
            return compiler;
        } catch (const std::exception& exception) {
            error << exception.what();
            return nullptr;
        }
    }

    KernelFunction load(std::span<const std::byte> object) noexcept {
        try {
            return loader_.load(object);
        } catch (const std::exception&) {
            return nullptr;  // no memory: the other loader says so
        }
    }

    const std::vector<std::string> paths_ = plugin_paths();
    const std::vector<std::string> files_ = places_of(paths_);
    KnownPlugins known_{compiler::cache_folder("plugins")};
    ObjectLoader loader_;
    std::mutex mutex_;
    bool looked_ = false;
    const PluginEntry* entry_ = nullptr;
    std::string reason_;
    Slot slots_[kIsas];
};

Plugin& plugin() {
    static Plugin& instance = *new Plugin;  // NOLINT: kernels run until the last thread ends
    return instance;
}

}  // namespace

std::vector<std::string> plugin_paths() {
    const std::string file = std::string("/") + kFileName;
    if (const char* given = std::getenv("BURN_PLUGIN_PATH"); given != nullptr && given[0] != '\0')
        return {absolute_path(given) + file};
    std::vector<std::string> all;
    if (const std::string program = folder_of_program(); !program.empty()) {
        all = {program + file, program + "/../" + BURN_PLUGIN_LIBDIR + file};
    }
    for (const char* folder : {BURN_PLUGIN_BUILD_FOLDER, BURN_PLUGIN_INSTALL_FOLDER}) all.push_back(folder + file);
    // The library path of the program, which the installed package extends to where it lies.
    all.emplace_back(kFileName);
    return all;
}

CodeGenerator* code_generator() { return plugin().generator(active_isa()); }

std::string why_no_code_generator() { return plugin().reason(active_isa()); }

}  // namespace burn::cpu
