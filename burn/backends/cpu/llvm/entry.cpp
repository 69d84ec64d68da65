// The plug-in's exported function, and the code generator behind it.
#include <burn/backends/cpu/code_generator.h>
#include <burn/backends/cpu/llvm/build_id.h>
#include <burn/backends/cpu/llvm/jit.h>
#include <burn/backends/cpu/llvm/lower.h>
#include <burn/backends/cpu/llvm/table_functions.h>
#include <burn/backends/cpu/llvm/target.h>
#include <burn/base/error.h>
#include <burn/base/function_ref.h>
#include <burn/kernel/expand.h>

#include <llvm-c/Core.h>

namespace burn::cpu::codegen {

namespace {

/// Runs `body`; an exception ends here as a message.
bool contain(Message& error, FunctionRef<void()> body) noexcept {
    try {
        body();
        return true;
    } catch (const std::exception& exception) {
        error << exception.what();
    } catch (...) {
        error << "an unknown exception";
    }
    return false;
}

/// The loader, which all code generators share.
Jit& jit() {
    static Jit& instance = *new Jit;  // NOLINT: kernels run until the last thread ends
    return instance;
}

/// The kernel with the functions that this target computes best by plain arithmetic written as such.
kernel::Kernel with_expanded_functions(const kernel::Kernel& kernel, const TargetTraits& traits) {
    // Without fma the C library, which has tables, is faster than polynomials.
    if (!traits.fma) return kernel;
    kernel::ExpandOptions options;
    for (std::size_t i = 0; i < kernel::kNodeKinds; ++i) {
        const auto kind = static_cast<kernel::NodeKind>(i);
        if (has_table_function(kind, traits)) options.keep(kind);
    }
    return kernel::expand(kernel, options);
}

/// What a kernel is to make use of: words are not moved by units that are busy with its tables.
TargetTraits traits_for(const kernel::Kernel& kernel, TargetTraits traits) {
    for (const kernel::Node& node : kernel.nodes) {
        if (has_table_function(node.kind, traits)) traits.quick_word_moves = false;
    }
    return traits;
}

class LlvmCodeGenerator final : public CodeGenerator {
public:
    explicit LlvmCodeGenerator(Isa isa)
        : emitter_(host_target(isa)), identity_(emitter_.target().identity() + "; build " + build_id()) {}

    const char* target() const noexcept override { return identity_.c_str(); }
    int vector_bytes() const noexcept override { return emitter_.target().traits.vector_bytes; }

    bool compile(const kernel::Kernel& kernel, std::vector<std::byte>& object, Message& error) noexcept override {
        return contain(error, [&] {
            Ir ir(kernel.name.c_str(), traits_for(kernel, emitter_.target().traits));
            lower(with_expanded_functions(kernel, emitter_.target().traits), ir);
            object = emitter_.emit(ir, kernel.units > 1);
        });
    }

    KernelFunction load(std::span<const std::byte> object, Message& error) noexcept override {
        KernelFunction function = nullptr;
        return contain(error, [&] { function = jit().load(object); }) ? function : nullptr;
    }

    void unload(KernelFunction function) noexcept override {
        Message nobody_asks;  // what cannot be unloaded stays
        contain(nobody_asks, [&] { jit().unload(function); });
    }

private:
    ObjectEmitter emitter_;
    std::string identity_;
};

CodeGenerator* create(Isa isa, Message& error) noexcept {
    CodeGenerator* generator = nullptr;
    contain(error, [&] { generator = new LlvmCodeGenerator(isa); });  // NOLINT: contain catches
    return generator;
}

}  // namespace

}  // namespace burn::cpu::codegen

extern "C" __attribute__((visibility("default"))) const burn::cpu::PluginEntry* burn_plugin_entry() {
    static const burn::cpu::PluginEntry entry{.create = &burn::cpu::codegen::create,
                                              .in_compiler = reinterpret_cast<const void*>(&LLVMGetVersion)};
    return &entry;
}
