#pragma once

#include <burn/backends/cpu/llvm/ir.h>
#include <burn/base/cpu_features.h>

#include <llvm-c/TargetMachine.h>

#include <cstddef>
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

/// Compiles what is in the module for `target`.
///
/// `optimize`  runs LLVM's own passes first, not only the promotion of variables to registers
///
/// Errors    InternalError with LLVM's message
void emit_object(Ir& ir, const Target& target, bool optimize, std::vector<std::byte>& object);

/// The module as text, for tests and for people.
std::string print_module(const Ir& ir);

}  // namespace burn::cpu::codegen
