#include <burn/backends/cpu/llvm/jit.h>

#include <burn/backends/cpu/llvm/functions.h>
#include <burn/backends/cpu/llvm/lower.h>
#include <burn/base/error.h>

#include <string>
#include <vector>

namespace burn::cpu::codegen {

namespace {

void check(LLVMErrorRef error, const char* what) {
    if (error == nullptr) return;
    char* text = LLVMGetErrorMessage(error);
    const std::string why = text;
    LLVMDisposeErrorMessage(text);
    raise(ErrorKind::Internal, Message() << "LLVM: " << what << ": " << why.c_str());
}

/// Gives an object the functions that it asks for.
LLVMErrorRef define_functions(LLVMOrcDefinitionGeneratorRef, void*, LLVMOrcLookupStateRef*, LLVMOrcLookupKind,
                              LLVMOrcJITDylibRef library, LLVMOrcJITDylibLookupFlags, LLVMOrcCLookupSet asked,
                              std::size_t count) {
    std::vector<LLVMOrcCSymbolMapPair> found;
    for (std::size_t i = 0; i < count; ++i) {
        const void* address = find_function(LLVMOrcSymbolStringPoolEntryStr(asked[i].Name));
        if (address == nullptr) continue;  // LLVM then says that it is missing
        LLVMOrcRetainSymbolStringPoolEntry(asked[i].Name);
        LLVMOrcCSymbolMapPair pair{};
        pair.Name = asked[i].Name;
        pair.Sym.Address = reinterpret_cast<LLVMOrcExecutorAddress>(address);
        pair.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
        found.push_back(pair);
    }
    if (found.empty()) return nullptr;
    return LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(found.data(), found.size()));
}

/// What a look-up came to.
struct Answer {
    LLVMErrorRef error = nullptr;
    LLVMOrcExecutorAddress address = 0;
};

void take_answer(LLVMErrorRef error, LLVMOrcCSymbolMapPairs found, std::size_t count, void* context) {
    auto& answer = *static_cast<Answer*>(context);
    answer.error = error;
    if (error == nullptr && count == 1) answer.address = found[0].Sym.Address;
}

}  // namespace

Jit::Jit() { check(LLVMOrcCreateLLJIT(&jit_, nullptr), "cannot start the loader"); }

KernelFunction Jit::load(std::span<const std::byte> object) {
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(jit_);
    // A library of its own for each object: all of them define the same name.
    const std::string name = "kernel" + std::to_string(loaded_++);
    LLVMOrcJITDylibRef library = LLVMOrcExecutionSessionCreateBareJITDylib(session, name.c_str());
    LLVMOrcJITDylibAddGenerator(library,
                                LLVMOrcCreateCustomCAPIDefinitionGenerator(&define_functions, nullptr, nullptr));
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(reinterpret_cast<const char*>(object.data()),
                                                                           object.size(), name.c_str());
    check(LLVMOrcLLJITAddObjectFile(jit_, library, buffer), "cannot read the object");
    LLVMOrcCJITDylibSearchOrderElement order{library, LLVMOrcJITDylibLookupFlagsMatchAllSymbols};
    LLVMOrcCLookupSetElement wanted{LLVMOrcLLJITMangleAndIntern(jit_, kKernelSymbol),
                                    LLVMOrcSymbolLookupFlagsRequiredSymbol};
    Answer answer;
    LLVMOrcExecutionSessionLookup(session, LLVMOrcLookupKindStatic, &order, 1, &wanted, 1, &take_answer, &answer);
    check(answer.error, "cannot load the object");
    return reinterpret_cast<KernelFunction>(answer.address);  // NOLINT: LLVM gives addresses as numbers
}

}  // namespace burn::cpu::codegen
