#include <burn/backends/cpu/llvm/target.h>

#include <burn/base/error.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <cstring>
#include <mutex>

namespace burn::cpu::codegen {

namespace {

std::string take(char* text) {
    std::string result = text != nullptr ? text : "";
    LLVMDisposeMessage(text);
    return result;
}

void initialize() {
    static std::once_flag once;
    std::call_once(once, [] {
        LLVMInitializeAllTargetInfos();
        LLVMInitializeAllTargets();
        LLVMInitializeAllTargetMCs();
        LLVMInitializeAllAsmPrinters();
    });
}

[[noreturn]] void fail(const char* what, const std::string& why) {
    raise(ErrorKind::Internal, Message() << "LLVM: " << what << ": " << why.c_str());
}

void set_attribute(LLVMValueRef function, const char* name, const std::string& value) {
    LLVMAddTargetDependentFunctionAttr(function, name, value.c_str());
}

void describe_function(Ir& ir, const Target& target) {
    const LLVMValueRef function = ir.function();
    set_attribute(function, "target-cpu", target.cpu);
    set_attribute(function, "target-features", target.features);
    set_attribute(function, "prefer-vector-width", std::to_string(target.traits.vector_bytes * 8));
    const unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", std::strlen("nounwind"));
    LLVMAddAttributeAtIndex(function, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex),
                            LLVMCreateEnumAttribute(ir.context(), nounwind, 0));
}

void run_passes(Ir& ir, LLVMTargetMachineRef machine, const char* passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const LLVMErrorRef error = LLVMRunPasses(ir.module(), passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error == nullptr) return;
    char* text = LLVMGetErrorMessage(error);
    const std::string why = text;
    LLVMDisposeErrorMessage(text);
    fail(passes, why);
}

}  // namespace

class Machine {
public:
    explicit Machine(const Target& target) {
        initialize();
        char* error = nullptr;
        LLVMTargetRef found = nullptr;
        if (LLVMGetTargetFromTriple(target.triple.c_str(), &found, &error) != 0) {
            fail(target.triple.c_str(), take(error));
        }
        machine_ = LLVMCreateTargetMachine(found, target.triple.c_str(), target.cpu.c_str(), target.features.c_str(),
                                           LLVMCodeGenLevelAggressive, LLVMRelocPIC, LLVMCodeModelDefault);
        if (machine_ == nullptr) fail(target.triple.c_str(), "no target machine");
    }
    ~Machine() { LLVMDisposeTargetMachine(machine_); }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    LLVMTargetMachineRef get() const { return machine_; }

private:
    LLVMTargetMachineRef machine_;
};

std::string Target::identity() const {
    unsigned major = 0, minor = 0, patch = 0;
    LLVMGetVersion(&major, &minor, &patch);
    return "llvm " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) + "; " + triple +
           "; " + cpu + "; " + features + "; vectors of " + std::to_string(traits.vector_bytes);
}

Target host_target(Isa isa) {
    Target target;
    target.triple = take(LLVMGetDefaultTargetTriple());
#if defined(__x86_64__)
    if (isa == Isa::Baseline) {
        target.cpu = "x86-64";
        target.traits = {.vector_bytes = 16, .half_conversions = false, .fma = false};
        return target;
    }
    if (isa == Isa::Avx2 && isa_supported(Isa::Avx512)) {
        target.cpu = "x86-64-v3";
        target.traits = {.vector_bytes = 32, .half_conversions = true, .fma = true};
        return target;
    }
    const bool avx512 = isa == Isa::Avx512;
    target.traits = {.vector_bytes = avx512 ? 64 : 32, .half_conversions = true, .fma = true, .avx512 = avx512};
#else
    (void)isa;
    target.traits = {.vector_bytes = 16, .half_conversions = true, .fma = true};
#endif
    target.cpu = take(LLVMGetHostCPUName());
    target.features = take(LLVMGetHostCPUFeatures());
    // On AMD's one operation, on Intel's three.
    target.traits.quick_word_moves = target.traits.avx512 && target.cpu.starts_with("znver");
    target.traits.bf16_conversions =
        target.traits.vector_bytes == 64 && target.features.find("+avx512bf16") != std::string::npos;
    return target;
}

ObjectEmitter::ObjectEmitter(Target target) : target_(std::move(target)) { idle_.push_back(take_machine()); }

ObjectEmitter::~ObjectEmitter() = default;

std::unique_ptr<Machine> ObjectEmitter::take_machine() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<Machine> machine = std::move(idle_.back());
            idle_.pop_back();
            return machine;
        }
    }
    return std::make_unique<Machine>(target_);
}

std::vector<std::byte> ObjectEmitter::emit(Ir& ir, bool optimize) {
    std::unique_ptr<Machine> machine = take_machine();
    LLVMSetTarget(ir.module(), target_.triple.c_str());
    const LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine->get());
    LLVMSetModuleDataLayout(ir.module(), layout);
    LLVMDisposeTargetData(layout);
    describe_function(ir, target_);
    char* error = nullptr;
    if (LLVMVerifyModule(ir.module(), LLVMReturnStatusAction, &error) != 0) fail("invalid module", take(error));
    LLVMDisposeMessage(error);
    if (optimize) run_passes(ir, machine->get(), "default<O2>");
    LLVMMemoryBufferRef buffer = nullptr;
    error = nullptr;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine->get(), ir.module(), LLVMObjectFile, &error, &buffer) != 0) {
        fail("no object", take(error));
    }
    const auto* bytes = reinterpret_cast<const std::byte*>(LLVMGetBufferStart(buffer));
    std::vector<std::byte> object(bytes, bytes + LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(machine));
    return object;
}

std::string print_module(const Ir& ir) { return take(LLVMPrintModuleToString(ir.module())); }

}  // namespace burn::cpu::codegen
