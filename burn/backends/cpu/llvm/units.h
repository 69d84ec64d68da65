#pragma once

#include <burn/backends/cpu/llvm/body.h>
#include <burn/backends/cpu/llvm/workspace.h>

namespace burn::cpu::codegen {

/// Lowers what a cube of several units does to loops over its units.
///
/// Where units wait for each other the body is cut, and each piece becomes a loop over all units: when the next begins, all
/// have come to its beginning. What a unit keeps across a cut lives in an array with an element per unit. Values that are the
/// same in all units are computed once, outside of the loops, as is the control flow that holds cuts: `verify` has made
/// sure that all units take the same way through it.
///
/// Source    the region-wise loops of pocl (Jääskeläinen et al., 2015)
class Cube {
public:
    /// Finds the cuts and reserves the arrays.
    Cube(Ir& ir, const kernel::Kernel& kernel, Body& body, Workspace& workspace);

    /// Emits one cube; the workspace was created.
    void emit();

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};

    /// A piece of a block: nodes between cuts, or the cut that a plane_reduce is, or control flow that holds cuts.
    struct Step {
        enum class Kind { Nodes, Reduce, Control } kind = Kind::Nodes;
        std::vector<kernel::NodeId> nodes;
        std::vector<kernel::NodeId> reloads;  ///< values from earlier pieces
        std::vector<kernel::NodeId> storage;  ///< variables and arrays that each unit has its own of
    };

    // ---- finding the cuts
    bool holds_cut(kernel::BlockId block) const;
    bool is_uniform(const kernel::Node& node) const;
    void cut(kernel::BlockId block);
    void add_to(Step& step, kernel::NodeId id, bool at_top);
    void note_use(Step& step, kernel::NodeId id);
    void spill(kernel::NodeId id);

    // ---- emitting
    void emit_block(kernel::BlockId block);
    void emit_nodes(const Step& step);
    void emit_reduce(kernel::NodeId id);
    void emit_control(kernel::NodeId id);
    LLVMValueRef shuffled(const kernel::Node& node, LLVMValueRef unit);
    LLVMValueRef element(kernel::NodeId id, LLVMValueRef unit) const;
    void store_element(kernel::NodeId id, LLVMValueRef unit, LLVMValueRef value) const;
    LLVMValueRef value_of(kernel::NodeId id, LLVMValueRef unit) const;
    LLVMValueRef load_from(kernel::NodeId id, LLVMValueRef unit) const;
    void for_each(std::int64_t begin, std::int64_t end, std::int64_t step, FunctionRef<void(LLVMValueRef)> body);

    Ir& ir_;
    const kernel::Kernel& kernel_;
    Body& body_;
    Workspace& workspace_;
    std::vector<std::vector<Step>> steps_;  ///< of each block that holds cuts, and of the body
    std::vector<const void*> step_of_;      ///< which step a node at the top of a step is in
    std::vector<bool> once_;                ///< nodes that are emitted outside of the loops over units
    std::vector<bool> uniform_;
    std::vector<std::size_t> array_;  ///< in the workspace, of what lives across a cut
};

}  // namespace burn::cpu::codegen
