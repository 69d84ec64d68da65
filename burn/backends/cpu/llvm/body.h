#pragma once

#include <burn/backends/cpu/llvm/ir.h>
#include <burn/base/function_ref.h>

#include <vector>

namespace burn::cpu::codegen {

/// for (index = begin; index < end; index += step), tested before the first round and after each.
void emit_loop(Ir& ir, LLVMValueRef begin, LLVMValueRef end, LLVMValueRef step,
               FunctionRef<void(LLVMValueRef index)> body);
/// if (condition) then(); else otherwise();
void emit_branch(Ir& ir, LLVMValueRef condition, FunctionRef<void()> then, FunctionRef<void()> otherwise);

/// Lowers nodes as what one unit does.
class Body {
public:
    Body(Ir& ir, const kernel::Kernel& kernel) : ir_(ir), kernel_(kernel), values_(kernel.nodes.size(), nullptr) {}

    /// Reads the launch's parameters, once for all cubes.
    void read_parameters(LLVMValueRef arguments);
    void set_cube(LLVMValueRef index) { cube_ = index; }
    void set_unit(LLVMValueRef index) { unit_ = index; }
    LLVMValueRef unit() const { return unit_; }

    /// The value of a node that was lowered; for places and variables, where they are.
    LLVMValueRef value(kernel::NodeId id) const { return values_[id]; }
    void set_value(kernel::NodeId id, LLVMValueRef value) { values_[id] = value; }

    void emit(kernel::NodeId id);
    void emit_block(kernel::BlockId id);

private:
    LLVMValueRef operand(const kernel::Node& node, std::size_t i) const { return values_[node.operands[i]]; }
    kernel::Type type_of(const kernel::Node& node, std::size_t i) const { return kernel_[node.operands[i]].type; }
    LLVMValueRef index_operand(const kernel::Node& node) const;
    LLVMValueRef mask_operand(const kernel::Node& node, std::size_t i) const;
    LLVMValueRef emit_memory(kernel::NodeId id, const kernel::Node& node);
    void emit_control(kernel::NodeId id, const kernel::Node& node);
    void emit_while(const kernel::Node& node);

    Ir& ir_;
    const kernel::Kernel& kernel_;
    std::vector<LLVMValueRef> values_;
    LLVMValueRef cube_ = nullptr;
    LLVMValueRef unit_ = nullptr;
    LLVMValueRef continue_if_ = nullptr;
};

}  // namespace burn::cpu::codegen
