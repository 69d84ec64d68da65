#include <burn/backends/cpu/llvm/breadth_first.h>

#include <burn/backends/cpu/llvm/target.h>
#include <gtest/gtest.h>
#include <llvm-c/Analysis.h>

#include <map>
#include <string>
#include <vector>

namespace burn::cpu::codegen::breadth_first_test {
namespace {

/// A function of two pointers, its instructions written by a test and told by their names.
class Written {
public:
    Written() : ir_("written", {}) {
        LLVMTypeRef parameters[] = {ir_.pointer(), ir_.pointer()};
        ir_.begin_function("written", LLVMFunctionType(LLVMVoidTypeInContext(ir_.context()), parameters, 2, 0));
        for (unsigned i = 0; i < 2; ++i) pointers_.push_back(LLVMGetParam(ir_.function(), i));
    }

    LLVMValueRef load(const char* name, unsigned from) {
        return named(name, LLVMBuildLoad2(ir_.builder(), ir_.f32(), pointers_[from], ""));
    }
    LLVMValueRef product(const char* name, LLVMValueRef a) {
        return named(name, LLVMBuildFMul(ir_.builder(), a, a, ""));
    }
    void store(LLVMValueRef value, unsigned to) { named("=", LLVMBuildStore(ir_.builder(), value, pointers_[to])); }

    /// The names of the instructions once they are in order.
    std::string ordered() {
        const LLVMBasicBlockRef block = ir_.here();
        LLVMBuildRetVoid(ir_.builder());
        order_breadth_first(ir_);
        EXPECT_EQ(LLVMVerifyFunction(ir_.function(), LLVMReturnStatusAction), 0) << print_module(ir_);
        std::string names;
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != nullptr; at = LLVMGetNextInstruction(at)) {
            const auto found = names_.find(at);
            if (found != names_.end()) names += found->second + " ";
        }
        return names;
    }

private:
    LLVMValueRef named(const char* name, LLVMValueRef instruction) {
        names_.emplace(instruction, name);
        return instruction;
    }

    Ir ir_;
    std::vector<LLVMValueRef> pointers_;
    std::map<LLVMValueRef, std::string> names_;  ///< LLVM's own go when an instruction moves
};

TEST(BreadthFirst, ChainsStandSideBySide) {
    Written function;
    const LLVMValueRef first = function.product("a3", function.product("a2", function.load("a1", 0)));
    const LLVMValueRef second = function.product("b3", function.product("b2", function.load("b1", 1)));
    function.store(first, 0);
    function.store(second, 1);
    EXPECT_EQ(function.ordered(), "a1 b1 a2 b2 a3 b3 = = ");
}

TEST(BreadthFirst, NothingPassesAStore) {
    Written function;
    function.store(function.product("a2", function.load("a1", 0)), 1);
    const LLVMValueRef shorter = function.product("c2", function.load("c1", 0));
    const LLVMValueRef longer = function.product("b3", function.product("b2", function.load("b1", 1)));
    function.store(longer, 0);
    function.store(shorter, 1);
    EXPECT_EQ(function.ordered(), "a1 a2 = c1 b1 c2 b2 b3 = = ");
}

}  // namespace
}  // namespace burn::cpu::codegen::breadth_first_test
