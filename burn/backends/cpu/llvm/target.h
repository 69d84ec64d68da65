#pragma once

#include <burn/backends/cpu/llvm/ir.h>
#include <burn/base/cpu_features.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace burn::cpu::codegen {

/// A processor that code is made for.
struct Target {
    std::string triple;
    std::string cpu;
    std::string features;
    TargetTraits traits;

    /// Everything that compiled code depends on besides its kernel.
    std::string identity() const;
};

/// The processor the program runs on, as far as `isa` allows its instructions.
Target host_target(Isa isa);

/// A target machine of LLVM: making one is dear, and one is not for several threads at once.
class Machine;

/// Makes objects for one target.
///
/// Thread    any
class ObjectEmitter {
public:
    explicit ObjectEmitter(Target target);
    ~ObjectEmitter();

    const Target& target() const { return target_; }

    /// Compiles what is in the module. `optimize` runs LLVM's passes first: lowering leaves nothing for them to do but in
    /// kernels of several units.
    ///
    /// Errors    InternalError with LLVM's message
    std::vector<std::byte> emit(Ir& ir, bool optimize);

private:
    std::unique_ptr<Machine> take_machine();

    Target target_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Machine>> idle_;
};

/// The module as text, for tests and for people.
std::string print_module(const Ir& ir);

}  // namespace burn::cpu::codegen
