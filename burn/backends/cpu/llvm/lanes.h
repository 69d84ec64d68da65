#pragma once

#include <burn/backends/cpu/llvm/ir.h>

#include <array>

namespace burn::cpu::codegen {

/// Lanes of one register of AVX-512, and so the entries of a table that one instruction (vpermps) looks all of them up in.
constexpr unsigned kLanes = 16;
using Table = std::array<double, kLanes>;
/// In two registers; one instruction still (vpermi2ps). Entries that are left out are 0.
using LongTable = std::array<double, 2 * kLanes>;

/// 16 lanes of f32, for formulas: one instruction an operation.
///
/// Needs     AVX-512 F and DQ for what comes after `with_sign`
struct Lanes {
    Ir* ir;
    LLVMValueRef value;

    Lanes with(LLVMValueRef result) const { return {ir, result}; }
    Lanes number(double constant) const { return with(ir->real(ir->f32(kLanes), constant)); }
    LLVMValueRef bits() const { return ir->bitcast(value, ir->integer(32, kLanes)); }
    Lanes of_bits(LLVMValueRef bits) const { return with(ir->bitcast(bits, ir->f32(kLanes))); }
};

Lanes operator+(const Lanes& a, const Lanes& b);
Lanes operator-(const Lanes& a, const Lanes& b);
Lanes operator*(const Lanes& a, const Lanes& b);
inline Lanes operator+(const Lanes& a, double b) { return a + a.number(b); }
inline Lanes operator-(const Lanes& a, double b) { return a - a.number(b); }

/// a * b + c, rounded once.
Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c);
inline Lanes fma(const Lanes& a, double b, const Lanes& c) { return fma(a, a.number(b), c); }
inline Lanes fma(const Lanes& a, const Lanes& b, double c) { return fma(a, b, a.number(c)); }
inline Lanes fma(const Lanes& a, double b, double c) { return fma(a, a.number(b), a.number(c)); }

Lanes abs(const Lanes& a);
/// The smaller one; a where that is NaN.
Lanes min(const Lanes& a, double bound);
/// The larger of two numbers.
Lanes max(const Lanes& a, const Lanes& b);
/// The sign of `sign` on the number `magnitude` >= 0.
Lanes with_sign(const Lanes& magnitude, const Lanes& sign);

/// The entry that the low four bits of each lane of `index` name.
Lanes look_up(const Table& table, const Lanes& index);
/// The entry that the low five bits name.
Lanes look_up(const LongTable& table, const Lanes& index);
/// a * 2^floor(n), rounded once, be it subnormal or infinite; NaN where n is.
Lanes scaled(const Lanes& a, const Lanes& n);
/// a with a magnitude of at most `bound`; the bound where a is NaN.
Lanes within(const Lanes& a, double bound);
/// floor(log2 |a|), of subnormal numbers too; -infinity of 0, infinity of infinity.
Lanes exponent(const Lanes& a);
/// a / 2^n in [3/4, 3/2), of subnormal numbers too; 1 or -1 where a is 0, 1 of infinity, NaN of less than 0.
Lanes positive_fraction(const Lanes& a);

}  // namespace burn::cpu::codegen
