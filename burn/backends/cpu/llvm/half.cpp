#include <burn/backends/cpu/llvm/half.h>

#include <optional>

namespace burn::cpu::codegen {

namespace {

/// Integer arithmetic on all lanes, for the bit patterns below.
struct Bits {
    Ir& ir;

    LLVMValueRef like(LLVMValueRef value, std::uint64_t number) const { return ir.constant(LLVMTypeOf(value), number); }
    LLVMValueRef masked(LLVMValueRef a, std::uint64_t mask) const {
        return LLVMBuildAnd(ir.builder(), a, like(a, mask), "");
    }
    LLVMValueRef either(LLVMValueRef a, LLVMValueRef b) const { return LLVMBuildOr(ir.builder(), a, b, ""); }
    LLVMValueRef either(LLVMValueRef a, std::uint64_t b) const { return either(a, like(a, b)); }
    LLVMValueRef sum(LLVMValueRef a, LLVMValueRef b) const { return LLVMBuildAdd(ir.builder(), a, b, ""); }
    LLVMValueRef sum(LLVMValueRef a, std::uint64_t b) const { return sum(a, like(a, b)); }
    LLVMValueRef left(LLVMValueRef a, unsigned by) const { return LLVMBuildShl(ir.builder(), a, like(a, by), ""); }
    LLVMValueRef right(LLVMValueRef a, unsigned by) const { return LLVMBuildLShr(ir.builder(), a, like(a, by), ""); }
    LLVMValueRef above(LLVMValueRef a, std::uint64_t b) const { return ir.compare(LLVMIntUGT, a, like(a, b)); }
    LLVMValueRef wide(LLVMValueRef a) const { return LLVMBuildZExt(ir.builder(), a, ir.integer(32, lanes_of(a)), ""); }
    LLVMValueRef narrow(LLVMValueRef a) const {
        return LLVMBuildTrunc(ir.builder(), a, ir.integer(16, lanes_of(a)), "");
    }
    LLVMTypeRef half(LLVMValueRef a) const { return ir.vector(LLVMHalfTypeInContext(ir.context()), lanes_of(a)); }
};

LLVMValueRef widen_f16(Ir& ir, LLVMValueRef bits, bool quiet) {
    const Bits x{ir};
    const LLVMTypeRef f32 = ir.f32(lanes_of(bits));
    LLVMValueRef number = nullptr;
    if (ir.traits().half_conversions) {
        number = LLVMBuildFPExt(ir.builder(), ir.bitcast(bits, x.half(bits)), f32, "");
        if (quiet) return number;
    }
    const LLVMValueRef word = x.wide(bits);
    const LLVMValueRef sign = x.left(x.masked(word, 0x8000), 16);
    const LLVMValueRef magnitude = x.masked(word, 0x7fff);
    // As the fraction and exponent of an f32 the magnitude is 2^112 times too small, whether normal or not.
    const LLVMValueRef moved = x.left(magnitude, 13);
    if (number == nullptr) {
        const LLVMValueRef scaled = LLVMBuildFMul(ir.builder(), ir.bitcast(moved, f32), ir.real(f32, 0x1p112), "");
        number = ir.bitcast(x.either(ir.bitcast(scaled, LLVMTypeOf(word)), sign), f32);
    }
    const LLVMValueRef special = ir.bitcast(x.either(x.either(moved, 0x7f800000), sign), f32);
    return ir.select(x.above(magnitude, 0x7bff), special, number);
}

LLVMValueRef narrow_to_f16(Ir& ir, LLVMValueRef value) {
    const Bits x{ir};
    const LLVMValueRef word = ir.bitcast(value, ir.integer(32, lanes_of(value)));
    const LLVMValueRef is_nan = ir.compare(LLVMRealUNO, value, value);
    if (ir.traits().half_conversions) {
        // The instruction keeps part of a NaN's payload, so there had better be none.
        const LLVMValueRef plain_nan = x.either(x.masked(word, 0x80000000), 0x7fc00000);
        const LLVMValueRef plain = ir.bitcast(ir.select(is_nan, plain_nan, word), LLVMTypeOf(value));
        const LLVMValueRef rounded = LLVMBuildFPTrunc(ir.builder(), plain, x.half(value), "");
        return ir.bitcast(rounded, ir.integer(16, lanes_of(value)));
    }
    const LLVMValueRef sign = x.narrow(x.masked(x.right(word, 16), 0x8000));
    const LLVMValueRef magnitude = x.masked(word, 0x7fffffff);
    const LLVMValueRef odd = x.masked(x.right(magnitude, 13), 1);
    const LLVMValueRef rounded = x.sum(x.sum(magnitude, odd), 0x0fff);
    const LLVMValueRef normal = x.right(x.sum(rounded, static_cast<std::uint32_t>(-0x38000000)), 13);
    // Subnormal: adding 0.5 makes the hardware round at the right bit.
    const LLVMTypeRef f32 = LLVMTypeOf(value);
    const LLVMValueRef shifted = LLVMBuildFAdd(ir.builder(), ir.bitcast(magnitude, f32), ir.real(f32, 0.5), "");
    const LLVMValueRef subnormal =
        x.sum(ir.bitcast(shifted, LLVMTypeOf(word)), static_cast<std::uint32_t>(-0x3f000000));
    LLVMValueRef result = ir.select(x.above(magnitude, 0x387fffff), normal, subnormal);
    result = ir.select(x.above(rounded, 0x477fffff), x.like(word, 0x7c00), result);
    result = ir.select(is_nan, x.like(word, 0x7e00), result);
    return x.either(x.narrow(result), sign);
}

/// By integer arithmetic.
LLVMValueRef round_to_bf16(Ir& ir, LLVMValueRef value) {
    const Bits x{ir};
    const LLVMValueRef word = ir.bitcast(value, ir.integer(32, lanes_of(value)));
    const LLVMValueRef upper = x.right(word, 16);
    const LLVMValueRef rounded = x.right(x.sum(x.sum(word, x.masked(upper, 1)), 0x7fff), 16);
    return x.narrow(ir.select(ir.compare(LLVMRealUNO, value, value), x.either(upper, 0x40), rounded));
}

/// Lanes that a processor with an instruction for it rounds to bf16 at once, and those of them that are subnormal.
struct RoundedBf16 {
    LLVMValueRef words, subnormal;
};

/// Nothing where there is no instruction for so many lanes.
std::optional<RoundedBf16> round_by_instruction(Ir& ir, LLVMValueRef value) {
    const unsigned lanes = lanes_of(value);
    if (!ir.traits().bf16_conversions) return std::nullopt;
    const auto subnormal = [&ir](const char* instruction, LLVMValueRef part) {
        constexpr std::uint64_t kSubnormal = 0x20;
        return ir.intrinsic(instruction, {}, {part, ir.constant(ir.integer(32), kSubnormal)});
    };
    if (lanes == 64) {  // two registers of halves, for whose subnormal numbers one look is enough
        const std::optional<RoundedBf16> low = round_by_instruction(ir, ir.lanes(value, 0, 32)),
                                         high = round_by_instruction(ir, ir.lanes(value, 32, 32));
        return RoundedBf16{ir.joined(low->words, high->words),
                           LLVMBuildOr(ir.builder(), low->subnormal, high->subnormal, "")};
    }
    if (lanes == 32) {
        const LLVMValueRef low = ir.lanes(value, 0, 16), high = ir.lanes(value, 16, 16);
        const char* classify = "llvm.x86.avx512.fpclass.ps.512";
        return RoundedBf16{ir.intrinsic("llvm.x86.avx512bf16.cvtne2ps2bf16.512", {}, {high, low}),
                           LLVMBuildOr(ir.builder(), subnormal(classify, low), subnormal(classify, high), "")};
    }
    if (lanes == 16) {
        return RoundedBf16{ir.intrinsic("llvm.x86.avx512bf16.cvtneps2bf16.512", {}, {value}),
                           subnormal("llvm.x86.avx512.fpclass.ps.512", value)};
    }
    if (lanes == 8) {
        return RoundedBf16{ir.intrinsic("llvm.x86.avx512bf16.cvtneps2bf16.256", {}, {value}),
                           subnormal("llvm.x86.avx512.fpclass.ps.256", value)};
    }
    return std::nullopt;
}

LLVMValueRef narrow_to_bf16(Ir& ir, LLVMValueRef value) {
    const std::optional<RoundedBf16> rounded = round_by_instruction(ir, value);
    if (!rounded) return round_to_bf16(ir, value);
    // The instruction takes subnormal numbers for 0. They are so rare that a branch is the cheapest way around it.
    const LLVMTypeRef bits = ir.integer(lanes_of(rounded->subnormal)), words = ir.integer(16, lanes_of(value));
    const LLVMValueRef any = ir.compare(LLVMIntNE, ir.bitcast(rounded->subnormal, bits), ir.zero(bits));
    const LLVMValueRef quick = ir.bitcast(rounded->words, words);
    const LLVMBasicBlockRef before = ir.here(), slow = ir.block("subnormal"), after = ir.block("rounded");
    LLVMBuildCondBr(ir.builder(), any, slow, after);
    ir.go_on_in(slow);
    const LLVMValueRef exact = round_to_bf16(ir, value);
    LLVMBuildBr(ir.builder(), after);
    ir.go_on_in(after);
    const LLVMValueRef result = LLVMBuildPhi(ir.builder(), words, "");
    LLVMValueRef results[] = {quick, exact};
    LLVMBasicBlockRef from[] = {before, slow};
    LLVMAddIncoming(result, results, from, 2);
    return result;
}

constexpr unsigned kWords = 32;  ///< of a register of AVX-512

/// Sixteen words from `first` on, each above a word of 0: one instruction, which needs no shift after it.
LLVMValueRef words_above_zeros(Ir& ir, LLVMValueRef words, unsigned first) {
    LLVMValueRef places[kWords];
    for (unsigned i = 0; i < kWords; ++i) places[i] = ir.constant(ir.integer(32), i % 2 == 0 ? kWords : first + i / 2);
    const LLVMValueRef moved =
        LLVMBuildShuffleVector(ir.builder(), words, ir.zero(LLVMTypeOf(words)), LLVMConstVector(places, kWords), "");
    return ir.bitcast(moved, ir.f32(kWords / 2));
}

/// Registers of bf16.
LLVMValueRef widen_registers(Ir& ir, LLVMValueRef bits) {
    const unsigned lanes = lanes_of(bits);
    if (lanes > kWords) {
        const LLVMValueRef low = widen_registers(ir, ir.lanes(bits, 0, lanes / 2));
        return ir.joined(low, widen_registers(ir, ir.lanes(bits, lanes / 2, lanes / 2)));
    }
    return ir.joined(words_above_zeros(ir, bits, 0), words_above_zeros(ir, bits, kWords / 2));
}

}  // namespace

LLVMValueRef widen_half(Ir& ir, LLVMValueRef bits, DType dtype, bool quiet) {
    if (dtype == DType::F16) return widen_f16(ir, bits, quiet);
    const unsigned lanes = lanes_of(bits);
    if (ir.traits().quick_word_moves && (lanes == kWords || lanes == 2 * kWords)) return widen_registers(ir, bits);
    const Bits x{ir};
    return ir.bitcast(x.left(x.wide(bits), 16), ir.f32(lanes));
}

LLVMValueRef narrow_to_half(Ir& ir, LLVMValueRef value, DType dtype) {
    return dtype == DType::F16 ? narrow_to_f16(ir, value) : narrow_to_bf16(ir, value);
}

}  // namespace burn::cpu::codegen
