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
///
/// Variables become values: where control flow meets, phis. Only those that were given memory stay there.
class Body {
public:
    Body(Ir& ir, const kernel::Kernel& kernel)
        : ir_(ir), kernel_(kernel), values_(kernel.nodes.size(), nullptr), memory_(kernel.nodes.size(), nullptr) {}

    /// Reads the launch's parameters, once for all cubes.
    void read_parameters(LLVMValueRef arguments);
    void set_cube(LLVMValueRef index) { cube_ = index; }
    void set_unit(LLVMValueRef index) { unit_ = index; }
    LLVMValueRef unit() const { return unit_; }

    /// The value of a node that was lowered; for places, where they are.
    LLVMValueRef value(kernel::NodeId id) const { return values_[id]; }
    void set_value(kernel::NodeId id, LLVMValueRef value) { values_[id] = value; }
    /// Lets a variable or an array live in this memory.
    void set_memory(kernel::NodeId id, LLVMValueRef pointer) { memory_[id] = pointer; }

    void emit(kernel::NodeId id);
    void emit_block(kernel::BlockId id);

private:
    LLVMValueRef operand(const kernel::Node& node, std::size_t i) const { return values_[node.operands[i]]; }
    kernel::Type type_of(const kernel::Node& node, std::size_t i) const { return kernel_[node.operands[i]].type; }
    LLVMValueRef index_operand(const kernel::Node& node) const;
    LLVMValueRef mask_operand(const kernel::Node& node, std::size_t i) const;
    LLVMValueRef emit_memory(kernel::NodeId id, const kernel::Node& node);
    void emit_for(kernel::NodeId id, const kernel::Node& node);
    void emit_if(const kernel::Node& node);
    void emit_while(const kernel::Node& node);
    void emit_control(kernel::NodeId id, const kernel::Node& node);
    /// The variables that already have a value and that a block, or one inside, sets.
    void find_assigned(kernel::BlockId block, std::vector<kernel::NodeId>& variables) const;

    Ir& ir_;
    const kernel::Kernel& kernel_;
    std::vector<LLVMValueRef> values_;
    std::vector<LLVMValueRef> memory_;
    LLVMValueRef cube_ = nullptr;
    LLVMValueRef unit_ = nullptr;
    LLVMValueRef continue_if_ = nullptr;
};

}  // namespace burn::cpu::codegen
