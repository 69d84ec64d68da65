#include <burn/backends/cpu/llvm/breadth_first.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace burn::cpu::codegen {

namespace {

/// Longer stretches stay as they are: they are loops that a kernel's author unrolled, in an order of his own.
constexpr std::size_t kLongest = 1024;

/// Whether an instruction may change places with others that are movable too: it changes nothing but its own value.
bool is_movable(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
        case LLVMPHI:
        case LLVMAlloca:
        case LLVMStore:
        case LLVMFence:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg: return false;
        case LLVMLoad: return LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic;
        case LLVMCall: {
            // Intrinsics that give a value only compute or load.
            std::size_t length = 0;
            const char* name = LLVMGetValueName2(LLVMGetCalledValue(instruction), &length);
            return std::string_view(name, length).starts_with("llvm.") &&
                   LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind;
        }
        default: return LLVMIsATerminatorInst(instruction) == nullptr;
    }
}

struct Leveled {
    LLVMValueRef instruction;
    std::size_t place;  ///< in the stretch
    int level = 0;      ///< the longest chain of instructions of the stretch that it waits for
};

/// Orders the instructions of a stretch and puts them before `next`.
void order(Ir& ir, std::vector<Leveled>& stretch, LLVMValueRef next) {
    if (stretch.size() > kLongest) return;
    std::unordered_map<LLVMValueRef, int> levels;
    for (Leveled& one : stretch) {
        const int operands = LLVMGetNumOperands(one.instruction);
        for (int i = 0; i < operands; ++i) {
            const auto found = levels.find(LLVMGetOperand(one.instruction, static_cast<unsigned>(i)));
            if (found != levels.end()) one.level = std::max(one.level, found->second + 1);
        }
        levels.emplace(one.instruction, one.level);
    }
    const auto by_level = [](const Leveled& a, const Leveled& b) {
        return std::pair(a.level, a.place) < std::pair(b.level, b.place);
    };
    if (std::is_sorted(stretch.begin(), stretch.end(), by_level)) return;
    std::sort(stretch.begin(), stretch.end(), by_level);
    for (const Leveled& one : stretch) {
        LLVMInstructionRemoveFromParent(one.instruction);
        LLVMPositionBuilderBefore(ir.builder(), next);
        LLVMInsertIntoBuilder(ir.builder(), one.instruction);
    }
}

}  // namespace

void order_breadth_first(Ir& ir) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(ir.function()); block != nullptr;
         block = LLVMGetNextBasicBlock(block)) {
        std::vector<Leveled> stretch;
        // A block ends with a terminator, which is not movable.
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != nullptr; at = LLVMGetNextInstruction(at)) {
            if (is_movable(at)) {
                stretch.push_back({at, stretch.size()});
                continue;
            }
            order(ir, stretch, at);
            stretch.clear();
        }
    }
}

}  // namespace burn::cpu::codegen
