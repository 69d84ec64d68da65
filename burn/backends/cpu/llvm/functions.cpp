#include <burn/backends/cpu/llvm/functions.h>

#include <burn/backends/cpu/object_symbols.h>
#include <burn/base/error.h>

namespace burn::cpu::codegen {

LLVMValueRef emit_library_call(Ir& ir, kernel::NodeKind kind, std::span<const LLVMValueRef> operands) {
    const LLVMTypeRef type = LLVMTypeOf(operands[0]);
    const char* name = lane_function(kind, LLVMGetTypeKind(element_of(type)) == LLVMDoubleTypeKind);
    if (name == nullptr) {
        raise(ErrorKind::Internal, Message() << "the C library has no " << kernel::info_of(kind).text);
    }
    const LLVMValueRef values = ir.scratch(type, 0), lanes = ir.index(lanes_of(operands[0]));
    LLVMBuildStore(ir.builder(), operands[0], values);
    if (operands.size() == 2) {
        const LLVMValueRef others = ir.scratch(type, 1);
        LLVMBuildStore(ir.builder(), operands[1], others);
        ir.call(name, LLVMVoidTypeInContext(ir.context()), {values, others, lanes});
    } else {
        ir.call(name, LLVMVoidTypeInContext(ir.context()), {values, lanes});
    }
    return LLVMBuildLoad2(ir.builder(), type, values, "");
}

}  // namespace burn::cpu::codegen
