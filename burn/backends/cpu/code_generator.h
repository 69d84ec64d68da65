// What a plug-in that compiles kernels offers, and how it is told that both sides were built alike.
#pragma once

#include <burn/base/cpu_features.h>
#include <burn/kernel/kernel.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace burn::cpu {

/// The parameters of one launch, in the order of the kernel's Buffer and Scalar parameters.
struct LaunchArguments {
    std::byte* const* buffers;
    const std::uint64_t* scalars;  ///< as `kernel::element_bits` gives them
};

/// A compiled kernel: runs the cubes with cube_begin <= index < cube_end, one after the other on the calling thread.
using KernelFunction = void (*)(const LaunchArguments* arguments, std::int64_t cube_begin, std::int64_t cube_end);

/// Compiles kernels for the processor the program runs on.
///
/// No function lets an exception out: a plug-in and its host may disagree about everything but this interface.
///
/// Thread    all members may be called from several threads
class CodeGenerator {
public:
    /// Library, processor, features and the plug-in's build: objects may be loaded where this text is the same.
    virtual const char* target() const noexcept = 0;
    /// The widest vector that the processor computes with.
    ///
    /// Units    bytes: 16, 32 or 64
    virtual int vector_bytes() const noexcept = 0;
    /// Compiles a verified kernel into an object; gives false and says why where that cannot be done.
    virtual bool compile(const kernel::Kernel& kernel, std::vector<std::byte>& object, Message& error) noexcept = 0;
    /// The function in an object that `compile` made; nullptr, and why, where it does not load. It stays until `unload`.
    virtual KernelFunction load(std::span<const std::byte> object, Message& error) noexcept = 0;
    /// Gives back the memory of a function that `load` gave, which nothing runs any more.
    virtual void unload(KernelFunction function) noexcept = 0;

protected:
    ~CodeGenerator() = default;
};

/// Changes whenever this interface, or what objects ask of the plug-in that loads them, does.
constexpr std::uint32_t kPluginVersion = 3;

namespace detail {

constexpr char kNodeTable[] =
#define NODE(...) #__VA_ARGS__ ";"
#include <burn/kernel/node.def>
#undef NODE
    ;

/// FNV-1a of everything both sides must see alike: the nodes, the layout of what is passed, the compiler.
constexpr std::uint64_t plugin_stamp() {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3u; };
    for (const char character : kNodeTable) add(static_cast<unsigned char>(character));
    for (const char character : __VERSION__) add(static_cast<unsigned char>(character));
    for (const std::size_t size : {sizeof(kernel::Kernel), sizeof(kernel::Node), sizeof(Message), sizeof(void*)}) {
        add(size);
    }
#ifdef _GLIBCXX_USE_CXX11_ABI
    add(_GLIBCXX_USE_CXX11_ABI);
#endif
#ifdef _GLIBCXX_DEBUG
    add('d');
#endif
    return hash;
}

}  // namespace detail

/// What a plug-in's one exported function gives. The stamp stands first: where it differs, nothing else may be read.
struct PluginEntry {
    std::uint32_t version = kPluginVersion;
    std::uint64_t stamp = detail::plugin_stamp();
    /// A code generator for the instruction set, which lives until the program ends; nullptr, and why, where there is none.
    CodeGenerator* (*create)(Isa isa, Message& error) noexcept = nullptr;
    const void* in_compiler = nullptr;  ///< an address in the library that compiles
};

/// The exported function: `extern "C" const PluginEntry* burn_plugin_entry()`.
using PluginEntryFunction = const PluginEntry* (*)();
constexpr const char* kPluginEntryName = "burn_plugin_entry";

}  // namespace burn::cpu
