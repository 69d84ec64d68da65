#include <burn/backends/cpu/llvm/jit.h>

#include <burn/backends/cpu/object_symbols.h>
#include <burn/base/error.h>

#include <llvm-c/Core.h>

#include <condition_variable>
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

/// What a look-up came to. Another thread that loads at the same time may link this object too, so the answer is waited for.
struct Answer {
    std::mutex mutex;
    std::condition_variable given;
    bool is_there = false;
    LLVMErrorRef error = nullptr;
    LLVMOrcExecutorAddress address = 0;
};

void take_answer(LLVMErrorRef error, LLVMOrcCSymbolMapPairs found, std::size_t count, void* context) {
    auto& answer = *static_cast<Answer*>(context);
    const std::lock_guard lock(answer.mutex);
    answer.is_there = true;
    answer.error = error;
    if (error == nullptr && count == 1) answer.address = found[0].Sym.Address;
    answer.given.notify_one();  // with the lock, for the answer may be gone right after
}

}  // namespace

Jit::Jit() { check(LLVMOrcCreateLLJIT(&jit_, nullptr), "cannot start the loader"); }

KernelFunction Jit::load(std::span<const std::byte> object) {
    // A library of its own for each object: all of them define the same name.
    const LLVMOrcJITDylibRef library = take_library();
    try {
        const KernelFunction function = link(library, object);
        const std::lock_guard lock(mutex_);
        full_.emplace(function, library);
        return function;
    } catch (...) {
        empty(library);
        throw;
    }
}

void Jit::unload(KernelFunction function) {
    std::unique_lock lock(mutex_);
    const auto found = full_.find(function);
    require_internal(found != full_.end(), "LLVM: unload: the function was not loaded");
    const LLVMOrcJITDylibRef library = found->second;
    full_.erase(found);  // first: once it is empty, another function may come to lie at this address
    lock.unlock();
    empty(library);
}

LLVMOrcJITDylibRef Jit::take_library() {
    const std::lock_guard lock(mutex_);
    if (!empty_.empty()) {
        const LLVMOrcJITDylibRef library = empty_.back();
        empty_.pop_back();
        return library;
    }
    const std::string name = "kernel" + std::to_string(made_++);
    LLVMOrcJITDylibRef library =
        LLVMOrcExecutionSessionCreateBareJITDylib(LLVMOrcLLJITGetExecutionSession(jit_), name.c_str());
    LLVMOrcJITDylibAddGenerator(library,
                                LLVMOrcCreateCustomCAPIDefinitionGenerator(&define_functions, nullptr, nullptr));
    return library;
}

/// The C interface cannot remove a library, so it is kept for the next object.
void Jit::empty(LLVMOrcJITDylibRef library) {
    check(LLVMOrcJITDylibClear(library), "cannot unload an object");
    const std::lock_guard lock(mutex_);
    empty_.push_back(library);
}

KernelFunction Jit::link(LLVMOrcJITDylibRef library, std::span<const std::byte> object) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(reinterpret_cast<const char*>(object.data()),
                                                                           object.size(), "kernel");
    check(LLVMOrcLLJITAddObjectFile(jit_, library, buffer), "cannot read the object");
    LLVMOrcCJITDylibSearchOrderElement order{library, LLVMOrcJITDylibLookupFlagsMatchAllSymbols};
    LLVMOrcCLookupSetElement wanted{LLVMOrcLLJITMangleAndIntern(jit_, kKernelSymbol),
                                    LLVMOrcSymbolLookupFlagsRequiredSymbol};
    Answer answer;
    LLVMOrcExecutionSessionLookup(LLVMOrcLLJITGetExecutionSession(jit_), LLVMOrcLookupKindStatic, &order, 1, &wanted, 1,
                                  &take_answer, &answer);
    std::unique_lock lock(answer.mutex);
    answer.given.wait(lock, [&] { return answer.is_there; });
    lock.unlock();
    check(answer.error, "cannot load the object");
    return reinterpret_cast<KernelFunction>(answer.address);  // NOLINT: LLVM gives addresses as numbers
}

}  // namespace burn::cpu::codegen
