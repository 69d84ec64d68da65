#include <burn/backends/cpu/llvm/units.h>

#include <burn/backends/cpu/llvm/arithmetic.h>
#include <burn/backends/cpu/llvm/memory.h>

#include <algorithm>

namespace burn::cpu::codegen {

using kernel::BlockId;
using kernel::kNoBlock;
using kernel::Node;
using kernel::NodeClass;
using kernel::NodeId;
using kernel::NodeKind;

namespace {

NodeClass class_of(const Node& node) { return kernel::info_of(node.kind).node_class; }

/// A unit has its own of these.
bool is_storage(NodeKind kind) { return kind == NodeKind::Variable || kind == NodeKind::LocalArray; }

void add_once(std::vector<NodeId>& nodes, NodeId id) {
    if (std::ranges::find(nodes, id) == nodes.end()) nodes.push_back(id);
}

}  // namespace

// ---- finding the cuts

Cube::Cube(Ir& ir, const kernel::Kernel& kernel, Body& body, Workspace& workspace)
    : ir_(ir), kernel_(kernel), body_(body), workspace_(workspace), steps_(kernel.blocks.size()),
      step_of_(kernel.nodes.size(), nullptr), once_(kernel.nodes.size(), false), uniform_(kernel.nodes.size(), false),
      array_(kernel.nodes.size(), kNowhere) {
    for (const NodeId id : kernel.parameters) once_[id] = uniform_[id] = true;
    cut(0);
}

bool Cube::holds_cut(BlockId block) const {
    if (block == kNoBlock) return false;
    return std::ranges::any_of(kernel_.blocks[block], [&](NodeId id) {
        const Node& node = kernel_[id];
        return class_of(node) == NodeClass::Sync || holds_cut(node.blocks[0]) || holds_cut(node.blocks[1]);
    });
}

/// Whether a node gives the same in all units and does nothing else. Its operands are known.
bool Cube::is_uniform(const Node& node) const {
    const NodeClass node_class = class_of(node);
    if (node_class == NodeClass::Leaf) return node.kind != NodeKind::UnitIndex;
    if (node_class != NodeClass::Pure) return false;
    for (std::size_t i = 0; i < node.operand_count; ++i) {
        if (!uniform_[node.operands[i]]) return false;
    }
    return true;
}

void Cube::cut(BlockId block) {
    std::vector<Step>& steps = steps_[block];
    // Steps are told apart by their address: there are at most two more than nodes.
    steps.reserve(kernel_.blocks[block].size() * 2 + 1);
    steps.emplace_back();
    for (const NodeId id : kernel_.blocks[block]) {
        const Node& node = kernel_[id];
        const bool is_cut = class_of(node) == NodeClass::Sync;
        if (!is_cut && !holds_cut(node.blocks[0]) && !holds_cut(node.blocks[1])) {
            add_to(steps.back(), id, true);
            continue;
        }
        if (node.kind == NodeKind::PlaneReduce) {
            spill(node.operands[0]);
            spill(id);
            steps.push_back({.kind = Step::Kind::Reduce, .nodes = {id}, .reloads = {}, .storage = {}});
        } else if (!is_cut) {
            once_[id] = uniform_[id] = true;  // a loop's index
            steps.push_back({.kind = Step::Kind::Control, .nodes = {id}, .reloads = {}, .storage = {}});
            for (const BlockId inner : node.blocks) {
                if (inner != kNoBlock) cut(inner);
            }
        }
        steps.emplace_back();
        if (node.kind == NodeKind::PlaneShuffle) {
            spill(node.operands[0]);
            note_use(steps.back(), node.operands[1]);
            steps.back().nodes.push_back(id);
            step_of_[id] = &steps.back();
        }
    }
}

/// Puts a node without cuts, and what it holds, into a step.
void Cube::add_to(Step& step, NodeId id, bool at_top) {
    const Node& node = kernel_[id];
    for (std::size_t i = 0; i < node.operand_count; ++i) note_use(step, node.operands[i]);
    uniform_[id] = is_uniform(node);
    step_of_[id] = &step;
    if (at_top) {
        step.nodes.push_back(id);
        once_[id] = uniform_[id] || node.kind == NodeKind::SharedArray;
    }
    if (node.kind == NodeKind::SharedArray) {
        array_[id] = workspace_.reserve(node.type, node.immediate);
    } else if (is_storage(node.kind) && at_top) {
        const std::uint64_t count = node.kind == NodeKind::LocalArray ? node.immediate : 1;
        array_[id] = workspace_.reserve(node.type, count * kernel_.units);
        step.storage.push_back(id);
    } else if (node.kind == NodeKind::LocalArray) {
        array_[id] = workspace_.reserve(node.type, node.immediate);  // one unit after the other has it
    }
    for (const BlockId inner : node.blocks) {
        if (inner == kNoBlock) continue;
        for (const NodeId held : kernel_.blocks[inner]) add_to(step, held, false);
    }
}

void Cube::note_use(Step& step, NodeId id) {
    if (once_[id]) return;
    if (is_storage(kernel_[id].kind)) {
        if (step_of_[id] != &step) add_once(step.storage, id);
    } else if (step_of_[id] != &step) {
        spill(id);
        add_once(step.reloads, id);
    }
}

/// Gives a value an array that keeps it for every unit.
void Cube::spill(NodeId id) {
    if (kernel_[id].kind == NodeKind::UnitIndex) return;  // every loop over units has it
    if (!once_[id] && array_[id] == kNowhere) array_[id] = workspace_.reserve(kernel_[id].type, kernel_.units);
}

// ---- emitting

void Cube::for_each(std::int64_t begin, std::int64_t end, std::int64_t step, FunctionRef<void(LLVMValueRef)> body) {
    emit_loop(ir_, ir_.index(begin), ir_.index(end), ir_.index(step), body);
}

/// Where a unit's element, variable or array is.
LLVMValueRef Cube::element(NodeId id, LLVMValueRef unit) const {
    const Node& node = kernel_[id];
    LLVMValueRef index = unit;
    if (node.kind == NodeKind::LocalArray) {
        index = LLVMBuildMul(ir_.builder(), unit, ir_.index(static_cast<std::int64_t>(node.immediate)), "");
    }
    const LLVMTypeRef type = ir_.memory_type(node.type);
    return LLVMBuildGEP2(ir_.builder(), type, workspace_[array_[id]], &index, 1, "");
}

LLVMValueRef Cube::load_from(NodeId id, LLVMValueRef unit) const {
    if (kernel_[id].kind == NodeKind::UnitIndex) return unit;
    const kernel::Type type = kernel_[id].type;
    const LLVMValueRef bits = LLVMBuildLoad2(ir_.builder(), ir_.memory_type(type), element(id, unit), "");
    return from_memory(ir_, type.dtype, bits);
}

void Cube::store_element(NodeId id, LLVMValueRef unit, LLVMValueRef value) const {
    LLVMBuildStore(ir_.builder(), to_memory(ir_, kernel_[id].type.dtype, value), element(id, unit));
}

/// The value that another unit has.
LLVMValueRef Cube::value_of(NodeId id, LLVMValueRef unit) const {
    return once_[id] ? body_.value(id) : load_from(id, unit);
}

void Cube::emit() {
    for (NodeId id = 0; id < kernel_.nodes.size(); ++id) {
        const NodeKind kind = kernel_[id].kind;
        if (array_[id] == kNowhere || (kind != NodeKind::SharedArray && kind != NodeKind::LocalArray)) continue;
        body_.set_memory(id, workspace_[array_[id]]);  // where units have their own, emit_nodes says so
    }
    emit_block(0);
}

void Cube::emit_block(BlockId block) {
    for (const Step& step : steps_[block]) {
        switch (step.kind) {
            case Step::Kind::Nodes: emit_nodes(step); break;
            case Step::Kind::Reduce: emit_reduce(step.nodes[0]); break;
            case Step::Kind::Control: emit_control(step.nodes[0]); break;
        }
    }
}

void Cube::emit_nodes(const Step& step) {
    bool something_left = false;
    for (const NodeId id : step.nodes) {
        if (once_[id]) {
            body_.emit(id);
        } else {
            something_left = true;
        }
    }
    if (!something_left) return;
    for_each(0, kernel_.units, 1, [&](LLVMValueRef unit) {
        body_.set_unit(unit);
        for (const NodeId id : step.storage) {
            body_.set_memory(id, element(id, unit));
            if (kernel_[id].kind == NodeKind::LocalArray) body_.set_value(id, element(id, unit));
        }
        for (const NodeId id : step.reloads) body_.set_value(id, load_from(id, unit));
        for (const NodeId id : step.nodes) {
            if (once_[id]) continue;
            const Node& node = kernel_[id];
            if (node.kind == NodeKind::PlaneShuffle) {
                body_.set_value(id, shuffled(node, unit));
            } else {
                body_.emit(id);
            }
            if (array_[id] != kNowhere && !is_storage(node.kind)) store_element(id, unit, body_.value(id));
        }
    });
}

LLVMValueRef Cube::shuffled(const Node& node, LLVMValueRef unit) {
    const LLVMValueRef plane = ir_.index(kernel_.plane);
    const LLVMValueRef within = LLVMBuildURem(ir_.builder(), unit, plane, "");
    const LLVMValueRef first = LLVMBuildSub(ir_.builder(), unit, within, "");
    const LLVMValueRef wanted = emit_index(ir_, body_.value(node.operands[1]), kernel_[node.operands[1]].type.dtype);
    // No unit but those of the plane can be read, whatever is asked for.
    const LLVMValueRef inside = LLVMBuildURem(ir_.builder(), wanted, plane, "");
    return value_of(node.operands[0], LLVMBuildAdd(ir_.builder(), first, inside, ""));
}

/// In each plane unit i with unit i + half, as reduce_lanes does with lanes; then all units get the result.
void Cube::emit_reduce(NodeId id) {
    const Node& node = kernel_[id];
    const auto reduction = static_cast<kernel::Reduction>(node.immediate);
    for_each(0, kernel_.units, 1,
             [&](LLVMValueRef unit) { store_element(id, unit, value_of(node.operands[0], unit)); });
    const auto plus = [&](LLVMValueRef a, std::int64_t b) { return LLVMBuildAdd(ir_.builder(), a, ir_.index(b), ""); };
    for_each(0, kernel_.units, kernel_.plane, [&](LLVMValueRef first) {
        for (std::int64_t units = kernel_.plane; units > 1;) {
            const std::int64_t pairs = units / 2, left = units - pairs;
            for_each(0, pairs, 1, [&](LLVMValueRef i) {
                const LLVMValueRef unit = LLVMBuildAdd(ir_.builder(), first, i, "");
                const LLVMValueRef combined =
                    emit_combine(ir_, reduction, node.type.dtype, load_from(id, unit), load_from(id, plus(unit, left)));
                store_element(id, unit, combined);
            });
            units = left;
        }
        const LLVMValueRef result = load_from(id, first);
        for_each(1, kernel_.plane, 1,
                 [&](LLVMValueRef i) { store_element(id, LLVMBuildAdd(ir_.builder(), first, i, ""), result); });
    });
}

void Cube::emit_control(NodeId id) {
    const Node& node = kernel_[id];
    const auto operand = [&](std::size_t i) { return body_.value(node.operands[i]); };
    if (node.kind == NodeKind::For) {
        emit_loop(ir_, operand(0), operand(1), operand(2), [&](LLVMValueRef index) {
            body_.set_value(id, index);
            emit_block(node.blocks[0]);
        });
        return;
    }
    emit_branch(
        ir_, operand(0), [&] { emit_block(node.blocks[0]); },
        [&] {
            if (node.blocks[1] != kNoBlock) emit_block(node.blocks[1]);
        });
}

}  // namespace burn::cpu::codegen
