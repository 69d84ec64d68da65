#include <burn/backends/cpu/llvm/lower.h>

#include <burn/backends/cpu/llvm/body.h>

namespace burn::cpu::codegen {

void lower(const kernel::Kernel& kernel, Ir& ir) {
    LLVMTypeRef parameters[] = {ir.pointer(), ir.integer(64), ir.integer(64)};
    const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(ir.context()), parameters, 3, 0);
    const LLVMValueRef function = ir.begin_function(kKernelSymbol, type);
    Body body(ir, kernel);
    body.read_parameters(LLVMGetParam(function, 0));
    body.set_unit(ir.index(0));
    emit_loop(ir, LLVMGetParam(function, 1), LLVMGetParam(function, 2), ir.index(1), [&](LLVMValueRef cube) {
        body.set_cube(cube);
        body.emit_block(0);
    });
    LLVMBuildRetVoid(ir.builder());
}

}  // namespace burn::cpu::codegen
