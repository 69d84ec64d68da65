#include <burn/backends/cpu/llvm/lower.h>

#include <burn/backends/cpu/llvm/body.h>
#include <burn/backends/cpu/llvm/breadth_first.h>
#include <burn/backends/cpu/llvm/units.h>
#include <burn/backends/cpu/llvm/workspace.h>
#include <burn/backends/cpu/object_symbols.h>

#include <optional>
#include <utility>

namespace burn::cpu::codegen {

namespace {

/// The arrays of a kernel of one unit.
std::vector<std::pair<kernel::NodeId, std::size_t>> reserve_arrays(const kernel::Kernel& kernel, Workspace& workspace) {
    std::vector<std::pair<kernel::NodeId, std::size_t>> arrays;
    for (kernel::NodeId id = 0; id < kernel.nodes.size(); ++id) {
        const kernel::Node& node = kernel[id];
        if (node.kind == kernel::NodeKind::SharedArray || node.kind == kernel::NodeKind::LocalArray) {
            arrays.emplace_back(id, workspace.reserve(node.type, node.immediate));
        }
    }
    return arrays;
}

}  // namespace

void lower(const kernel::Kernel& kernel, Ir& ir) {
    LLVMTypeRef parameters[] = {ir.pointer(), ir.integer(64), ir.integer(64)};
    const LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(ir.context()), parameters, 3, 0);
    const LLVMValueRef function = ir.begin_function(kKernelSymbol, type);
    Body body(ir, kernel);
    body.read_parameters(LLVMGetParam(function, 0));
    Workspace workspace(ir);
    std::optional<Cube> cube;
    if (kernel.units > 1) {
        cube.emplace(ir, kernel, body, workspace);
        workspace.create();
    } else {
        const auto arrays = reserve_arrays(kernel, workspace);
        workspace.create();
        for (const auto& [id, number] : arrays) body.set_memory(id, workspace[number]);
        body.set_unit(ir.index(0));
    }
    emit_loop(ir, LLVMGetParam(function, 1), LLVMGetParam(function, 2), ir.index(1), [&](LLVMValueRef index) {
        body.set_cube(index);
        if (cube) {
            cube->emit();
        } else {
            body.emit_block(0);
        }
    });
    LLVMBuildRetVoid(ir.builder());
    if (kernel.units == 1) order_breadth_first(ir);
}

}  // namespace burn::cpu::codegen
