#include <burn/backends/cpu/llvm/ir.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace burn::cpu::codegen {

namespace {

constexpr unsigned kAlignment = 64;

}  // namespace

Ir::Ir(const char* name, const TargetTraits& traits)
    : context_(LLVMContextCreate()), module_(LLVMModuleCreateWithNameInContext(name, context_)),
      builder_(LLVMCreateBuilderInContext(context_)), traits_(traits) {}

Ir::~Ir() {
    LLVMDisposeBuilder(builder_);
    LLVMDisposeModule(module_);
    LLVMContextDispose(context_);
}

// ---- types

LLVMTypeRef Ir::vector(LLVMTypeRef element, unsigned lanes) const {
    return lanes == 1 ? element : LLVMVectorType(element, lanes);
}

LLVMTypeRef Ir::integer(unsigned bits, unsigned lanes) const {
    return vector(LLVMIntTypeInContext(context_, bits), lanes);
}

LLVMTypeRef Ir::pointer(unsigned lanes) const { return vector(LLVMPointerTypeInContext(context_, 0), lanes); }

LLVMTypeRef Ir::register_type(kernel::Type type) const {
    switch (type.dtype) {
        case DType::F64: return f64(type.lanes);
        case DType::F32: return f32(type.lanes);
        case DType::Bool: return integer(1, type.lanes);
        default: return integer(static_cast<unsigned>(size_of(type.dtype)) * 8, type.lanes);
    }
}

LLVMTypeRef Ir::memory_type(kernel::Type type) const {
    return type.dtype == DType::Bool ? integer(8, type.lanes) : register_type(type);
}

// ---- constants

LLVMValueRef Ir::constant(LLVMTypeRef type, std::uint64_t value) const {
    const LLVMValueRef element = LLVMConstInt(element_of(type), value, 0);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return element;
    std::vector<LLVMValueRef> elements(LLVMGetVectorSize(type), element);
    return LLVMConstVector(elements.data(), static_cast<unsigned>(elements.size()));
}

LLVMValueRef Ir::real(LLVMTypeRef type, double value) const {
    const LLVMValueRef element = LLVMConstReal(element_of(type), value);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return element;
    std::vector<LLVMValueRef> elements(LLVMGetVectorSize(type), element);
    return LLVMConstVector(elements.data(), static_cast<unsigned>(elements.size()));
}

LLVMValueRef Ir::counting(LLVMTypeRef type) const {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return zero(type);
    std::vector<LLVMValueRef> elements(LLVMGetVectorSize(type));
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = LLVMConstInt(element_of(type), i, 0);
    return LLVMConstVector(elements.data(), static_cast<unsigned>(elements.size()));
}

// ---- instructions

LLVMValueRef Ir::splat(LLVMValueRef element, unsigned lanes) const {
    if (lanes == 1) return element;
    const LLVMValueRef poison = LLVMGetPoison(vector(LLVMTypeOf(element), lanes));
    const LLVMValueRef first = LLVMBuildInsertElement(builder_, poison, element, LLVMConstInt(integer(32), 0, 0), "");
    return LLVMBuildShuffleVector(builder_, first, poison, zero(integer(32, lanes)), "");
}

LLVMValueRef Ir::lanes(LLVMValueRef vector, unsigned first, unsigned count) const {
    if (count == 1) return LLVMBuildExtractElement(builder_, vector, LLVMConstInt(integer(32), first, 0), "");
    std::vector<LLVMValueRef> mask(count);
    for (unsigned i = 0; i < count; ++i) mask[i] = LLVMConstInt(integer(32), first + i, 0);
    return LLVMBuildShuffleVector(builder_, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(mask.data(), count), "");
}

LLVMValueRef Ir::padded(LLVMValueRef value, unsigned first, unsigned count) const {
    const LLVMTypeRef type = LLVMTypeOf(value);
    const unsigned given = lanes_of(value);
    if (given == 1) {
        const LLVMValueRef nothing = zero(vector(type, count));
        return first > 0 ? nothing
                         : LLVMBuildInsertElement(builder_, nothing, value, LLVMConstInt(integer(32), 0, 0), "");
    }
    std::vector<LLVMValueRef> mask(count);
    for (unsigned i = 0; i < count; ++i) mask[i] = LLVMConstInt(integer(32), std::min(first + i, given), 0);
    return LLVMBuildShuffleVector(builder_, value, zero(type), LLVMConstVector(mask.data(), count), "");
}

LLVMValueRef Ir::joined(LLVMValueRef a, LLVMValueRef b) const {
    const unsigned first = lanes_of(a), count = first + lanes_of(b);
    std::vector<LLVMValueRef> mask(count);
    for (unsigned i = 0; i < count; ++i) mask[i] = LLVMConstInt(integer(32), i, 0);
    return LLVMBuildShuffleVector(builder_, a, padded(b, 0, first), LLVMConstVector(mask.data(), count), "");
}

LLVMValueRef Ir::interleaved(LLVMValueRef a, LLVMValueRef b) const {
    const unsigned half = lanes_of(a);
    if (half == 1) {
        const LLVMValueRef first = LLVMBuildInsertElement(builder_, LLVMGetPoison(vector(LLVMTypeOf(a), 2)), a,
                                                          LLVMConstInt(integer(32), 0, 0), "");
        return LLVMBuildInsertElement(builder_, first, b, LLVMConstInt(integer(32), 1, 0), "");
    }
    std::vector<LLVMValueRef> mask(2 * half);
    for (unsigned i = 0; i < 2 * half; ++i) mask[i] = LLVMConstInt(integer(32), i % 2 * half + i / 2, 0);
    return LLVMBuildShuffleVector(builder_, a, b, LLVMConstVector(mask.data(), 2 * half), "");
}

LLVMValueRef Ir::intrinsic(const char* name, std::initializer_list<LLVMTypeRef> types,
                           std::initializer_list<LLVMValueRef> operands) const {
    const unsigned id = LLVMLookupIntrinsicID(name, std::strlen(name));
    std::vector<LLVMTypeRef> overload(types);
    std::vector<LLVMValueRef> arguments(operands);
    const LLVMValueRef function = LLVMGetIntrinsicDeclaration(module_, id, overload.data(), overload.size());
    const LLVMTypeRef type = LLVMIntrinsicGetType(context_, id, overload.data(), overload.size());
    return LLVMBuildCall2(builder_, type, function, arguments.data(), static_cast<unsigned>(arguments.size()), "");
}

LLVMValueRef Ir::call(const char* name, LLVMTypeRef result, std::initializer_list<LLVMValueRef> operands) const {
    std::vector<LLVMValueRef> arguments(operands);
    std::vector<LLVMTypeRef> types;
    types.reserve(arguments.size());
    for (const LLVMValueRef argument : arguments) types.push_back(LLVMTypeOf(argument));
    const auto count = static_cast<unsigned>(types.size());
    const LLVMTypeRef type = LLVMFunctionType(result, types.data(), count, 0);
    LLVMValueRef function = LLVMGetNamedFunction(module_, name);
    if (function == nullptr) {
        function = LLVMAddFunction(module_, name, type);
        const unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
        LLVMAddAttributeAtIndex(function, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex),
                                LLVMCreateEnumAttribute(context_, nounwind, 0));
    }
    return LLVMBuildCall2(builder_, type, function, arguments.data(), count, "");
}

// ---- the function that is being built

LLVMValueRef Ir::begin_function(const char* name, LLVMTypeRef type) {
    function_ = LLVMAddFunction(module_, name, type);
    entry_ = block("entry");
    const LLVMBasicBlockRef first = block("begin");
    go_on_in(entry_);
    LLVMBuildBr(builder_, first);
    go_on_in(first);
    return function_;
}

LLVMValueRef Ir::allocate(LLVMTypeRef type, std::uint64_t count) const {
    const LLVMBasicBlockRef back = here();
    LLVMPositionBuilderBefore(builder_, LLVMGetBasicBlockTerminator(entry_));
    const LLVMTypeRef array = count == 1 ? type : LLVMArrayType2(type, count);
    const LLVMValueRef memory = LLVMBuildAlloca(builder_, array, "");
    LLVMSetAlignment(memory, kAlignment);
    go_on_in(back);
    return memory;
}

LLVMValueRef Ir::scratch(LLVMTypeRef type, unsigned number) {
    LLVMValueRef& memory = scratch_[{type, number}];
    if (memory == nullptr) memory = allocate(type);
    return memory;
}

unsigned lanes_of(LLVMValueRef value) {
    const LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef element_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

}  // namespace burn::cpu::codegen
