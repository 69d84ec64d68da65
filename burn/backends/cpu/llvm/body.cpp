#include <burn/backends/cpu/llvm/body.h>

#include <burn/backends/cpu/llvm/arithmetic.h>
#include <burn/backends/cpu/llvm/cast.h>
#include <burn/backends/cpu/llvm/memory.h>
#include <burn/base/error.h>

#include <algorithm>

namespace burn::cpu::codegen {

using kernel::Node;
using kernel::NodeId;
using kernel::NodeKind;

namespace {

/// A loop whose index is less than this goes on: end - step, or the lowest integer where that is lower still or the step, of which
/// only constants were verified, would keep the loop going for ever.
LLVMValueRef last_index(Ir& ir, LLVMValueRef end, LLVMValueRef step) {
    LLVMBuilderRef builder = ir.builder();
    const LLVMTypeRef type = LLVMTypeOf(end);
    const LLVMValueRef lowest = LLVMConstInt(type, std::uint64_t{1} << (LLVMGetIntTypeWidth(type) - 1), 0);
    const LLVMValueRef ends = LLVMBuildOr(builder, ir.compare(LLVMIntSLE, step, LLVMConstNull(type)),
                                          ir.compare(LLVMIntSLT, end, LLVMBuildAdd(builder, lowest, step, "")), "");
    return LLVMBuildSelect(builder, ends, lowest, LLVMBuildSub(builder, end, step, ""), "");
}

}  // namespace

void emit_loop(Ir& ir, LLVMValueRef begin, LLVMValueRef end, LLVMValueRef step,
               FunctionRef<void(LLVMValueRef index)> body) {
    LLVMBuilderRef builder = ir.builder();
    const LLVMBasicBlockRef before = ir.here(), loop = ir.block("loop"), after = ir.block("after");
    const LLVMValueRef limit = last_index(ir, end, step);
    LLVMBuildCondBr(builder, ir.compare(LLVMIntSLT, begin, end), loop, after);
    ir.go_on_in(loop);
    LLVMValueRef index = LLVMBuildPhi(builder, LLVMTypeOf(begin), "");
    body(index);
    LLVMValueRef next = LLVMBuildAdd(builder, index, step, "");
    LLVMBasicBlockRef last = ir.here();
    LLVMBuildCondBr(builder, ir.compare(LLVMIntSLT, index, limit), loop, after);
    LLVMValueRef values[] = {begin, next};
    LLVMBasicBlockRef blocks[] = {before, last};
    LLVMAddIncoming(index, values, blocks, 2);
    ir.go_on_in(after);
}

void emit_branch(Ir& ir, LLVMValueRef condition, FunctionRef<void()> then, FunctionRef<void()> otherwise) {
    LLVMBuilderRef builder = ir.builder();
    const LLVMBasicBlockRef first = ir.block("then"), second = ir.block("else"), after = ir.block("after");
    LLVMBuildCondBr(builder, condition, first, second);
    ir.go_on_in(first);
    then();
    LLVMBuildBr(builder, after);
    ir.go_on_in(second);
    otherwise();
    LLVMBuildBr(builder, after);
    ir.go_on_in(after);
}

void Body::read_parameters(LLVMValueRef arguments) {
    LLVMBuilderRef builder = ir_.builder();
    const LLVMTypeRef pointer = ir_.pointer(), word = ir_.integer(64);
    const auto element = [&](LLVMTypeRef type, LLVMValueRef array, std::int64_t at) {
        LLVMValueRef index = ir_.index(at);
        return LLVMBuildLoad2(builder, type, LLVMBuildGEP2(builder, type, array, &index, 1, ""), "");
    };
    const LLVMValueRef buffers = element(pointer, arguments, 0), scalars = element(pointer, arguments, 1);
    std::int64_t next_buffer = 0, next_scalar = 0;
    for (const NodeId id : kernel_.parameters) {
        const Node& node = kernel_[id];
        if (node.kind == NodeKind::Buffer) {
            values_[id] = element(pointer, buffers, next_buffer++);
            continue;
        }
        const LLVMValueRef bits = element(word, scalars, next_scalar++);
        if (node.type.dtype == DType::Bool) {
            values_[id] = emit_cast(ir_, bits, DType::U64, DType::Bool);
            continue;
        }
        const LLVMTypeRef low = ir_.integer(static_cast<unsigned>(size_of(node.type.dtype)) * 8);
        const LLVMValueRef narrow = low == word ? bits : LLVMBuildTrunc(builder, bits, low, "");
        values_[id] = ir_.bitcast(narrow, ir_.register_type(node.type));
    }
}

void Body::emit_block(kernel::BlockId id) {
    for (const NodeId node : kernel_.blocks[id]) emit(node);
}

void Body::emit(NodeId id) {
    const Node& node = kernel_[id];
    switch (kernel::info_of(node.kind).node_class) {
        case kernel::NodeClass::Parameter: return;
        case kernel::NodeClass::Memory: values_[id] = emit_memory(id, node); return;
        case kernel::NodeClass::Control: emit_control(id, node); return;
        case kernel::NodeClass::Sync:
            // One unit waits for nobody and has only its own value to combine or take.
            values_[id] = node.kind == NodeKind::Barrier ? nullptr : operand(node, 0);
            return;
        case kernel::NodeClass::Leaf:
        case kernel::NodeClass::Pure: break;
    }
    if (node.kind == NodeKind::CubeIndex) {
        values_[id] = cube_;
    } else if (node.kind == NodeKind::UnitIndex) {
        values_[id] = unit_;
    } else {
        LLVMValueRef operands[4] = {};
        for (std::size_t i = 0; i < node.operand_count; ++i) operands[i] = operand(node, i);
        const kernel::Type from = node.operand_count > 0 ? type_of(node, 0) : node.type;
        values_[id] = emit_pure(ir_, node, from, {operands, node.operand_count});
    }
}

LLVMValueRef Body::index_operand(const Node& node) const {
    return emit_index(ir_, operand(node, 1), type_of(node, 1).dtype);
}

LLVMValueRef Body::mask_operand(const Node& node, std::size_t i) const {
    return node.operand_count > i ? operand(node, i) : nullptr;
}

LLVMValueRef Body::emit_memory(NodeId id, const Node& node) {
    LLVMBuilderRef builder = ir_.builder();
    switch (node.kind) {
        case NodeKind::Variable:
            if (memory_[id] == nullptr) return operand(node, 0);
            LLVMBuildStore(builder, operand(node, 0), memory_[id]);
            return nullptr;
        case NodeKind::Get: {
            const NodeId variable = node.operands[0];
            if (memory_[variable] == nullptr) return values_[variable];
            return LLVMBuildLoad2(builder, ir_.register_type(node.type), memory_[variable], "");
        }
        case NodeKind::Set: {
            const NodeId variable = node.operands[0];
            if (memory_[variable] == nullptr) {
                values_[variable] = operand(node, 1);
            } else {
                LLVMBuildStore(builder, operand(node, 1), memory_[variable]);
            }
            return nullptr;
        }
        case NodeKind::SharedArray:
        case NodeKind::LocalArray: return memory_[id];
        case NodeKind::Load:
            return emit_load(ir_, node.type, operand(node, 0), index_operand(node), mask_operand(node, 2));
        case NodeKind::Store:
            emit_store(ir_, type_of(node, 2), operand(node, 0), index_operand(node), operand(node, 2),
                       mask_operand(node, 3));
            return nullptr;
        case NodeKind::Prefetch:
            emit_prefetch(ir_, type_of(node, 0).dtype, operand(node, 0), index_operand(node),
                          static_cast<kernel::Access>(node.immediate));
            return nullptr;
        case NodeKind::Atomic:
            return emit_atomic(ir_, node.type.dtype, static_cast<kernel::Reduction>(node.immediate), operand(node, 0),
                               index_operand(node), operand(node, 2));
        default: break;
    }
    raise(ErrorKind::Internal, Message() << "codegen: " << kernel::info_of(node.kind).text << " is no memory");
}

void Body::find_assigned(kernel::BlockId block, std::vector<NodeId>& variables) const {
    if (block == kernel::kNoBlock) return;
    for (const NodeId id : kernel_.blocks[block]) {
        const Node& node = kernel_[id];
        for (const kernel::BlockId inner : node.blocks) find_assigned(inner, variables);
        if (node.kind != NodeKind::Set) continue;
        const NodeId variable = node.operands[0];
        if (values_[variable] == nullptr || memory_[variable] != nullptr) continue;
        if (std::ranges::find(variables, variable) == variables.end()) variables.push_back(variable);
    }
}

namespace {

/// A value that depends on which of two blocks control came from.
LLVMValueRef merge(Ir& ir, LLVMValueRef first, LLVMBasicBlockRef from_first, LLVMValueRef second,
                   LLVMBasicBlockRef from_second) {
    const LLVMValueRef phi = LLVMBuildPhi(ir.builder(), LLVMTypeOf(first), "");
    LLVMAddIncoming(phi, &first, &from_first, 1);
    LLVMAddIncoming(phi, &second, &from_second, 1);
    return phi;
}

}  // namespace

void Body::emit_for(NodeId id, const Node& node) {
    std::vector<NodeId> variables;
    find_assigned(node.blocks[0], variables);
    std::vector<LLVMValueRef> before, phis;
    for (const NodeId variable : variables) before.push_back(values_[variable]);
    const LLVMBasicBlockRef entered_from = ir_.here();
    LLVMBasicBlockRef last = nullptr;
    emit_loop(ir_, operand(node, 0), operand(node, 1), operand(node, 2), [&](LLVMValueRef index) {
        values_[id] = index;
        for (const NodeId variable : variables) {
            phis.push_back(LLVMBuildPhi(ir_.builder(), LLVMTypeOf(values_[variable]), ""));
            values_[variable] = phis.back();
        }
        emit_block(node.blocks[0]);
        last = ir_.here();
    });
    for (std::size_t i = 0; i < variables.size(); ++i) {
        LLVMValueRef after = values_[variables[i]];
        LLVMBasicBlockRef entered = entered_from;
        LLVMAddIncoming(phis[i], &before[i], &entered, 1);
        LLVMAddIncoming(phis[i], &after, &last, 1);
        values_[variables[i]] = merge(ir_, before[i], entered_from, after, last);
    }
}

void Body::emit_if(const Node& node) {
    std::vector<NodeId> variables;
    for (const kernel::BlockId block : node.blocks) find_assigned(block, variables);
    std::vector<LLVMValueRef> before, then;
    for (const NodeId variable : variables) before.push_back(values_[variable]);
    LLVMBasicBlockRef from_then = nullptr, from_else = nullptr;
    emit_branch(
        ir_, operand(node, 0),
        [&] {
            emit_block(node.blocks[0]);
            from_then = ir_.here();
            for (std::size_t i = 0; i < variables.size(); ++i) {
                then.push_back(values_[variables[i]]);
                values_[variables[i]] = before[i];
            }
        },
        [&] {
            if (node.blocks[1] != kernel::kNoBlock) emit_block(node.blocks[1]);
            from_else = ir_.here();
        });
    for (std::size_t i = 0; i < variables.size(); ++i) {
        values_[variables[i]] = merge(ir_, then[i], from_then, values_[variables[i]], from_else);
    }
}

void Body::emit_while(const Node& node) {
    std::vector<NodeId> variables;
    for (const kernel::BlockId block : node.blocks) find_assigned(block, variables);
    const LLVMBasicBlockRef before = ir_.here(), test = ir_.block("test"), loop = ir_.block("loop"),
                            after = ir_.block("after");
    LLVMBuildBr(ir_.builder(), test);
    ir_.go_on_in(test);
    std::vector<LLVMValueRef> phis, tested;
    for (const NodeId variable : variables) {
        LLVMValueRef initial = values_[variable];
        LLVMBasicBlockRef from = before;
        phis.push_back(LLVMBuildPhi(ir_.builder(), LLVMTypeOf(initial), ""));
        LLVMAddIncoming(phis.back(), &initial, &from, 1);
        values_[variable] = phis.back();
    }
    emit_block(node.blocks[0]);  // ends with continue_if
    LLVMBuildCondBr(ir_.builder(), continue_if_, loop, after);
    for (const NodeId variable : variables) tested.push_back(values_[variable]);
    ir_.go_on_in(loop);
    emit_block(node.blocks[1]);
    LLVMBasicBlockRef last = ir_.here();
    for (std::size_t i = 0; i < variables.size(); ++i) {
        LLVMAddIncoming(phis[i], &values_[variables[i]], &last, 1);
        values_[variables[i]] = tested[i];
    }
    LLVMBuildBr(ir_.builder(), test);
    ir_.go_on_in(after);
}

void Body::emit_control(NodeId id, const Node& node) {
    switch (node.kind) {
        case NodeKind::For: return emit_for(id, node);
        case NodeKind::If: return emit_if(node);
        case NodeKind::While: return emit_while(node);
        case NodeKind::ContinueIf: continue_if_ = operand(node, 0); return;
        default: break;
    }
    raise(ErrorKind::Internal, Message() << "codegen: " << kernel::info_of(node.kind).text << " is no control flow");
}

}  // namespace burn::cpu::codegen
