#pragma once

#include <burn/kernel/kernel.h>

#include <llvm-c/Core.h>

#include <initializer_list>
#include <map>
#include <span>
#include <utility>

namespace burn::cpu::codegen {

/// What building IR must know of the processor.
struct TargetTraits {
    int vector_bytes = 16;
    bool half_conversions = false;  ///< instructions between f16 and f32
    bool bf16_conversions = false;  ///< an instruction from f32 to bf16, but for subnormal numbers
    bool fma = false;               ///< instructions for a * b + c, rounded once
    bool avx512 = false;            ///< AVX-512 F, BW, DQ, VL
    /// Whether the words of a register are moved to any places, between zeros, as quickly as they are widened in order. The units
    /// that do it look up tables too.
    bool quick_word_moves = false;
};

/// One LLVM module that is being built, and short words for what lowering says often.
///
/// How elements look. In registers: Float f64 and f32 as themselves, f16 and bf16 as the i16 of their bits, Int as an integer,
/// Bool as i1. In memory: the same, but a Bool is a byte 0 or 1. A value of one lane is no vector.
class Ir {
public:
    Ir(const char* name, const TargetTraits& traits);
    ~Ir();
    Ir(const Ir&) = delete;
    Ir& operator=(const Ir&) = delete;

    LLVMContextRef context() const { return context_; }
    LLVMModuleRef module() const { return module_; }
    LLVMBuilderRef builder() const { return builder_; }
    const TargetTraits& traits() const { return traits_; }

    // ---- types
    LLVMTypeRef vector(LLVMTypeRef element, unsigned lanes) const;
    LLVMTypeRef integer(unsigned bits, unsigned lanes = 1) const;
    LLVMTypeRef f32(unsigned lanes = 1) const { return vector(LLVMFloatTypeInContext(context_), lanes); }
    LLVMTypeRef f64(unsigned lanes = 1) const { return vector(LLVMDoubleTypeInContext(context_), lanes); }
    LLVMTypeRef pointer(unsigned lanes = 1) const;
    LLVMTypeRef register_type(kernel::Type type) const;
    LLVMTypeRef memory_type(kernel::Type type) const;

    // ---- constants
    /// The integer in every lane of `type`.
    LLVMValueRef constant(LLVMTypeRef type, std::uint64_t value) const;
    LLVMValueRef index(std::int64_t value) const { return constant(integer(64), static_cast<std::uint64_t>(value)); }
    /// The number in every lane of a type of floating-point numbers.
    LLVMValueRef real(LLVMTypeRef type, double value) const;
    /// 0, 1, 2, ... in the lanes of an integer type.
    LLVMValueRef counting(LLVMTypeRef type) const;
    LLVMValueRef zero(LLVMTypeRef type) const { return LLVMConstNull(type); }

    // ---- instructions
    LLVMValueRef compare(LLVMIntPredicate how, LLVMValueRef a, LLVMValueRef b) const {
        return LLVMBuildICmp(builder_, how, a, b, "");
    }
    LLVMValueRef compare(LLVMRealPredicate how, LLVMValueRef a, LLVMValueRef b) const {
        return LLVMBuildFCmp(builder_, how, a, b, "");
    }
    LLVMValueRef select(LLVMValueRef mask, LLVMValueRef a, LLVMValueRef b) const {
        return LLVMBuildSelect(builder_, mask, a, b, "");
    }
    LLVMValueRef bitcast(LLVMValueRef value, LLVMTypeRef type) const {
        return LLVMBuildBitCast(builder_, value, type, "");
    }
    LLVMValueRef splat(LLVMValueRef element, unsigned lanes) const;
    /// The lanes `first`, `first + 1`, ... of a vector, `count` of them; one lane as an element.
    LLVMValueRef lanes(LLVMValueRef vector, unsigned first, unsigned count) const;
    /// The value's lanes from `first` on in a vector of `count`, 0 where it has none.
    LLVMValueRef padded(LLVMValueRef value, unsigned first, unsigned count) const;
    /// The lanes of two vectors, one after the other; the second has no more lanes.
    LLVMValueRef joined(LLVMValueRef a, LLVMValueRef b) const;
    /// The lanes of two vectors of as many, in turn.
    LLVMValueRef interleaved(LLVMValueRef a, LLVMValueRef b) const;
    /// The intrinsic `name`, chosen among its overloads by `types`.
    LLVMValueRef intrinsic(const char* name, std::initializer_list<LLVMTypeRef> types,
                           std::initializer_list<LLVMValueRef> operands) const;
    /// A call of an external function, which does not throw.
    LLVMValueRef call(const char* name, LLVMTypeRef result, std::initializer_list<LLVMValueRef> operands) const;

    // ---- the function that is being built
    /// Starts the function; its first block is where `allocate` puts memory, whenever it is called.
    LLVMValueRef begin_function(const char* name, LLVMTypeRef type);
    LLVMValueRef function() const { return function_; }
    LLVMBasicBlockRef block(const char* name) const { return LLVMAppendBasicBlockInContext(context_, function_, name); }
    LLVMBasicBlockRef here() const { return LLVMGetInsertBlock(builder_); }
    void go_on_in(LLVMBasicBlockRef block) const { LLVMPositionBuilderAtEnd(builder_, block); }
    /// Memory on the stack for `count` elements, aligned for any vector.
    LLVMValueRef allocate(LLVMTypeRef type, std::uint64_t count = 1) const;
    /// Memory on the stack that instructions may use for a moment: the same for all that ask for this type and number.
    LLVMValueRef scratch(LLVMTypeRef type, unsigned number);

private:
    LLVMContextRef context_;
    LLVMModuleRef module_;
    LLVMBuilderRef builder_;
    TargetTraits traits_;
    LLVMValueRef function_ = nullptr;
    LLVMBasicBlockRef entry_ = nullptr;
    std::map<std::pair<LLVMTypeRef, unsigned>, LLVMValueRef> scratch_;
};

/// Lanes of a value; 1 for elements.
unsigned lanes_of(LLVMValueRef value);
/// The type of a value's elements.
LLVMTypeRef element_of(LLVMTypeRef type);

}  // namespace burn::cpu::codegen
