#include <burn/backends/cpu/llvm/table_functions.h>

#include <array>

namespace burn::cpu::codegen {

namespace {

using kernel::NodeKind;

/// Lanes of one register, and so the entries of a table that one instruction (vpermps) looks all of them up in.
constexpr unsigned kLanes = 16;
using Table = std::array<double, kLanes>;

/// 16 lanes of f32, for formulas.
struct Lanes {
    Ir* ir;
    LLVMValueRef value;

    Lanes with(LLVMValueRef result) const { return {ir, result}; }
    Lanes number(double constant) const { return with(ir->real(ir->f32(kLanes), constant)); }
    LLVMValueRef bits() const { return ir->bitcast(value, ir->integer(32, kLanes)); }
    Lanes of_bits(LLVMValueRef bits) const { return with(ir->bitcast(bits, ir->f32(kLanes))); }
};

Lanes operator+(const Lanes& a, const Lanes& b) { return a.with(LLVMBuildFAdd(a.ir->builder(), a.value, b.value, "")); }
Lanes operator-(const Lanes& a, const Lanes& b) { return a.with(LLVMBuildFSub(a.ir->builder(), a.value, b.value, "")); }
Lanes operator*(const Lanes& a, const Lanes& b) { return a.with(LLVMBuildFMul(a.ir->builder(), a.value, b.value, "")); }
Lanes operator+(const Lanes& a, double b) { return a + a.number(b); }
Lanes operator-(const Lanes& a, double b) { return a - a.number(b); }

/// a * b + c, rounded once.
Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
    return a.with(a.ir->intrinsic("llvm.fma", {LLVMTypeOf(a.value)}, {a.value, b.value, c.value}));
}
Lanes fma(const Lanes& a, double b, const Lanes& c) { return fma(a, a.number(b), c); }

Lanes abs(const Lanes& a) { return a.with(a.ir->intrinsic("llvm.fabs", {LLVMTypeOf(a.value)}, {a.value})); }

/// The smaller one; a where that is NaN.
Lanes min(const Lanes& a, double bound) {
    const LLVMValueRef limit = a.number(bound).value;
    return a.with(a.ir->select(a.ir->compare(LLVMRealOLT, limit, a.value), limit, a.value));
}

/// The larger of two numbers.
Lanes max(const Lanes& a, const Lanes& b) {
    return a.with(a.ir->select(a.ir->compare(LLVMRealOGT, a.value, b.value), a.value, b.value));
}

/// The sign of `sign` on the number `magnitude` >= 0.
Lanes with_sign(const Lanes& magnitude, const Lanes& sign) {
    LLVMBuilderRef builder = magnitude.ir->builder();
    const LLVMValueRef bits = sign.bits();
    const LLVMValueRef top = LLVMBuildAnd(builder, bits, sign.ir->constant(LLVMTypeOf(bits), 0x80000000u), "");
    return magnitude.of_bits(LLVMBuildOr(builder, magnitude.bits(), top, ""));
}

/// The entry that the low four bits of each lane of `index` name.
Lanes look_up(const Table& table, const Lanes& index) {
    const Ir& ir = *index.ir;
    LLVMValueRef entries[kLanes];
    for (unsigned i = 0; i < kLanes; ++i) entries[i] = LLVMConstReal(ir.f32(), table[i]);
    return index.with(
        ir.intrinsic("llvm.x86.avx512.permvar.sf.512", {}, {LLVMConstVector(entries, kLanes), index.bits()}));
}

LLVMValueRef every_lane(const Ir& ir) { return LLVMConstAllOnes(ir.integer(kLanes)); }

/// Rounding as the processor is set to do.
LLVMValueRef current_rounding(const Ir& ir) { return ir.constant(ir.integer(32), 4); }

/// a * 2^floor(n), rounded once, be it subnormal or infinite; NaN where n is.
Lanes scaled(const Lanes& a, const Lanes& n) {
    const Ir& ir = *a.ir;
    return a.with(ir.intrinsic("llvm.x86.avx512.mask.scalef.ps.512", {},
                               {a.value, n.value, ir.zero(LLVMTypeOf(a.value)), every_lane(ir), current_rounding(ir)}));
}

/// a with a magnitude of at most `bound`; the bound where a is NaN.
Lanes within(const Lanes& a, double bound) {
    const Ir& ir = *a.ir;
    const LLVMValueRef smaller_magnitude = ir.constant(ir.integer(32), 2);
    return a.with(ir.intrinsic("llvm.x86.avx512.mask.range.ps.512", {},
                               {a.value, a.number(bound).value, smaller_magnitude, ir.zero(LLVMTypeOf(a.value)),
                                every_lane(ir), current_rounding(ir)}));
}

// The polynomials are minimax (reweighted least squares), coefficients rounded one after the other from the lowest up and the
// rest fitted again.

/// e^x.
///
///   e^x = 2^n e^r = 2^floor(n) T[16 n mod 16] e^r, n = x / ln 2 rounded to sixteenths, T[j] = 2^(j / 16), |r| <= ln(2) / 32
///
/// Numerics  the polynomial is off by 2^-29
/// Source    P. T. P. Tang, Table-driven implementation of the exponential function, ACM TOMS 15 (1989)
Lanes exp(const Lanes& x) {
    static constexpr Table kPowers = {0x1.000000p+0, 0x1.0b5586p+0, 0x1.172b84p+0, 0x1.2387a6p+0,
                                      0x1.306fe0p+0, 0x1.3dea64p+0, 0x1.4bfdaep+0, 0x1.5ab07ep+0,
                                      0x1.6a09e6p+0, 0x1.7a1148p+0, 0x1.8ace54p+0, 0x1.9c4918p+0,
                                      0x1.ae89fap+0, 0x1.c199bep+0, 0x1.d5818ep+0, 0x1.ea4afap+0};
    // In a sum with 1.5 * 2^19 the low bits count sixteenths.
    constexpr double kSixteenths = 0x1.8p19;
    const Lanes shifted = fma(x, 0x1.715476p+0, x.number(kSixteenths));
    const Lanes n = shifted - kSixteenths;
    // Where |x| is too large for sixteenths r is anything, and the scale makes 0 or infinity of any power near 1.
    const Lanes r = within(fma(n, 0x1.05c610p-29, fma(n, -0x1.62e430p-1, x)), 0x1p-5);
    const Lanes expm1 = fma(r * r, fma(r, 0x1.555598p-3, x.number(0x1.00021ep-1)), r);
    const Lanes power = look_up(kPowers, shifted);
    return scaled(fma(power, expm1, power), n);
}

/// Error function.
///
///   erf x = P(a - c) for a = |x| and the nearest multiple c of 1/4, a polynomial for each of 16
///
/// Numerics  the polynomials are off by a tenth of an ulp at most, besides their rounded constants
Lanes erf(const Lanes& x) {
    static constexpr Table kCoefficients[] = {
        {0.0, 0x1.1af54ep-2, 0x1.0a7ef6p-1, 0x1.6c1c98p-1, 0x1.af767ap-1, 0x1.d8865ep-1, 0x1.eea556p-1, 0x1.f92d08p-1,
         0x1.fd9ae2p-1, 0x1.ff4048p-1, 0x1.ffcaa8p-1, 0x1.fff2dp-1, 0x1.fffd1ap-1, 0x1.ffff7p-1, 0x1.ffffe8p-1,
         0x1.fffffcp-1},
        {0x1.06eba8p-3, 0x1.0f5d16p+0, 0x1.c1efcap-1, 0x1.492e42p-1, 0x1.a911fp-2, 0x1.e4653p-3, 0x1.e72372p-4,
         0x1.b0553p-5, 0x1.529b9ep-6, 0x1.d4143ap-8, 0x1.1d8318p-9, 0x1.3360ccp-11, 0x1.2408eap-13, 0x1.e9b5e8p-16,
         0x1.6a5972p-18, 0x1.00729ap-20},
        {0x1.4e399ep-22, -0x1.0f5bd8p-2, -0x1.c1ef0ap-2, -0x1.edc70ep-2, -0x1.a91046p-2, -0x1.2ec176p-2, -0x1.6d603p-3,
         -0x1.7a53a8p-4, -0x1.52b362p-5, -0x1.0771c2p-6, -0x1.63e9eap-8, -0x1.a7d594p-10, -0x1.a9bab8p-12,
         -0x1.a5d98cp-14, -0x1.15c55ep-15, 0x1.a40066p-20},
        {-0x1.812b86p-2, -0x1.3c967ap-2, -0x1.2bf4f6p-3, 0x1.b6efdap-6, 0x1.1b6126p-3, 0x1.571c8ap-3, 0x1.1c2a72p-3,
         0x1.71499p-4, 0x1.8b0bf6p-5, 0x1.63efdap-6, 0x1.119ce8p-7, 0x1.69ccbap-9, 0x1.9db0d2p-11, 0x1.9a9956p-13,
         0x1.62bd7ap-15, 0x1.aa116cp-17},
        {0x1.33b9fap-12, 0x1.0234fep-3, 0x1.74ff6p-3, 0x1.3493d6p-3, 0x1.1a011p-4, -0x1.5a83bcp-8, -0x1.654b0ap-5,
         -0x1.845b2ap-5, -0x1.142ea8p-5, -0x1.2fd34ep-6, -0x1.3b268ap-7, -0x1.88756cp-9, -0x1.d99778p-10, 0x1.371ddp-14,
         0x1.b7e40cp-11, -0x1.0fafe8p-12},
        {0x1.c678bap-4, 0x1.461604p-4, 0x1.e5dbccp-8, -0x1.b1e8e8p-5, -0x1.1a312ep-4, -0x1.81a97cp-5, -0x1.eb04e2p-7,
         0x1.a8e6ecp-8, 0x1.aa3682p-7, 0x1.5cad68p-7, 0x1.91c6bap-8, 0x1.6b2dbap-9, 0x1.0cd8ap-10, 0x1.4d39a6p-12,
         0x1.5e13acp-14, 0x1.3a8f12p-16},
    };
    // 1 - erf 3.875 is below half an ulp of 1, and the last polynomial ends at 1.
    const Lanes a = min(abs(x), 0x1.effffep+1);
    constexpr double kQuarters = 0x1.8p21;  // in a sum with it the low bits count quarters
    const Lanes shifted = a + kQuarters;
    const Lanes t = a - (shifted - kQuarters);
    Lanes sum = look_up(kCoefficients[5], shifted);
    for (int i = 4; i > 0; --i) sum = fma(sum, t, look_up(kCoefficients[i], shifted));
    // Near 0 the polynomial is t + t Q(t), for which the constant is 0; elsewhere it is larger than any t.
    return with_sign(fma(sum, t, max(t, look_up(kCoefficients[0], shifted))), x);
}

Lanes (*function_of(NodeKind kind))(const Lanes& x) {
    switch (kind) {
        case NodeKind::Exp: return exp;
        case NodeKind::Erf: return erf;
        default: return nullptr;
    }
}

}  // namespace

bool has_table_function(NodeKind kind, const TargetTraits& traits) {
    return traits.avx512 && function_of(kind) != nullptr;
}

LLVMValueRef emit_table_function(Ir& ir, NodeKind kind, LLVMValueRef x) {
    const auto function = function_of(kind);
    const unsigned lanes = lanes_of(x);
    if (lanes == kLanes) return function({&ir, x}).value;
    LLVMValueRef result = nullptr;
    for (unsigned first = 0; first < lanes; first += kLanes) {
        const LLVMValueRef part = function({&ir, ir.padded(x, first, kLanes)}).value;
        result = first == 0 ? part : ir.joined(result, part);
    }
    return ir.lanes(result, 0, lanes);
}

}  // namespace burn::cpu::codegen
