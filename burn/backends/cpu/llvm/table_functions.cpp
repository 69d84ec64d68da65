#include <burn/backends/cpu/llvm/table_functions.h>

#include <burn/backends/cpu/llvm/lanes.h>

namespace burn::cpu::codegen {

namespace {

using kernel::NodeKind;

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
    const Lanes shifted = fma(x, 0x1.715476p+0, kSixteenths);
    const Lanes n = shifted - kSixteenths;
    // Where |x| is too large for sixteenths r is anything, and the scale makes 0 or infinity of any power near 1.
    const Lanes r = within(fma(n, 0x1.05c610p-29, fma(n, -0x1.62e430p-1, x)), 0x1p-5);
    const Lanes expm1 = fma(r * r, fma(r, 0x1.555598p-3, 0x1.00021ep-1), r);
    const Lanes power = look_up(kPowers, shifted);
    return scaled(fma(power, expm1, power), n);
}

/// Natural logarithm.
///
///   ln x = k ln 2 + ln c + ln(1 + r) for x = 2^k m, 3/4 <= m < 3/2, c next to the nearest sixteenth, r = m / c - 1
///
/// ln c is almost a number of f32, and 0 around 1.
///
/// Numerics  the polynomial is off by 2^-29
/// Source    P. T. P. Tang, Table-driven implementation of the logarithm function, ACM TOMS 16 (1990)
Lanes log(const Lanes& x) {
    // By the sixteenths modulo 16; there are 12 to 24 of them.
    static constexpr Table kReciprocals = {0x1p+0,        0x1.e1f452p-1, 0x1.c711d4p-1, 0x1.af1f4ap-1,
                                           0x1.99a968p-1, 0x1.8624d2p-1, 0x1.746c6cp-1, 0x1.6430f4p-1,
                                           0x1.5565e2p-1, 0x1p+0,        0x1p+0,        0x1p+0,
                                           0x1.5564fap+0, 0x1.3b20d8p+0, 0x1.248eeep+0, 0x1.11031cp+0};
    static constexpr Table kLogarithms = {0.0,           0x1.ef69ap-5,  0x1.e2d004p-4,  0x1.601e68p-3,  0x1.c8b076p-3,
                                          0x1.165524p-2, 0x1.45ee94p-2, 0x1.7390c2p-2,  0x1.9f009ap-2,  0.0,
                                          0.0,           0.0,           -0x1.26c50ep-2, -0x1.a9944ep-3, -0x1.11616ap-3,
                                          -0x1.07882ap-4};
    const Lanes m = positive_fraction(x);
    const Lanes k = exponent(x) - exponent(m);
    const Lanes sixteenths = m + 0x1.8p19;  // in the low bits
    const Lanes r = fma(m, look_up(kReciprocals, sixteenths), -1);
    const Lanes tail = fma(fma(fma(r, 0x1.9a7356p-3, -0x1.005dbap-2), r, 0x1.555542p-2), r, -0x1.fffff6p-2);
    return fma(k, 0x1.62e430p-1, look_up(kLogarithms, sixteenths) + fma(r * r, tail, r));
}

/// An odd function that grows from 0 to a constant, cut into 16 pieces: a polynomial of t = a - center for a = |x| in each.
///
/// Piece i is around a (slope - bend a) = i, so that pieces are narrow near 0, where the function is curved. Their centers are
/// where the function is almost a number of f32.
template <std::size_t N>
struct Pieces {
    double end;  ///< a larger |x| counts as this, where the last polynomial has come to the constant
    double slope, bend;
    Table centers;
    Table coefficients[N];
};

/// |f(x)| with a relative error: the first polynomial is t + P(t). NaN where x is.
template <std::size_t N>
Lanes magnitude(const Pieces<N>& pieces, const Lanes& x) {
    const Lanes a = min(abs(x), pieces.end);
    // In a sum with 1.5 * 2^23 the low bits are an integer.
    const Lanes piece = fma(a, fma(a, -pieces.bend, pieces.slope), 0x1.8p23);
    const Lanes t = a - look_up(pieces.centers, piece);
    Lanes sum = look_up(pieces.coefficients[N - 1], piece);
    for (std::size_t i = N - 2; i > 0; --i) sum = fma(sum, t, look_up(pieces.coefficients[i], piece));
    // The first piece has 0 for its constant, the others have more than any t of theirs.
    return fma(sum, t, max(t, look_up(pieces.coefficients[0], piece)));
}

/// Error function.
Lanes erf(const Lanes& x) {
    static constexpr Pieces<6> kPieces = {
        .end = 3.92,
        .slope = 0x1.91a956p+2,
        .bend = 0x1.2f9958p-1,
        .centers = {0.0, 0x1.48p-3, 0x1.4fp-2, 0x1.00cp-1, 0x1.5fcp-1, 0x1.bdap-1, 0x1.117p+0, 0x1.455p+0, 0x1.7d9p+0,
                    0x1.b4fp+0, 0x1.f58p+0, 0x1.1d2p+1, 0x1.4178p+1, 0x1.6998p+1, 0x1.9ap+1, 0x1.d5p+1},
        .coefficients = {{0.0, 0x1.6ef7d8p-3, 0x1.6cf194p-2, 0x1.0b279p-1, 0x1.56653cp-1, 0x1.9031f2p-1, 0x1.bcfa08p-1,
                          0x1.daf936p-1, 0x1.ee0ec6p-1, 0x1.f7ea88p-1, 0x1.fd2236p-1, 0x1.ff2a28p-1, 0x1.ffcdd8p-1,
                          0x1.fff786p-1, 0x1.ffff3ap-1, 0x1.fffff8p-1},
                         {0x1.06eba8p-3, 0x1.198cc6p+0, 0x1.038bcp+0, 0x1.c146fp-1, 0x1.685dd8p-1, 0x1.0eda7ep-1,
                          0x1.71377ep-2, 0x1.cbb526p-3, 0x1.f53562p-4, 0x1.f5fc92p-5, 0x1.8e4e94p-6, 0x1.02cd1ep-7,
                          0x1.0d8eb8p-9, 0x1.94c9eep-12, 0x1.4b59f8p-15, 0x1.c67f66p-20},
                         {0x1.ac78d4p-22, -0x1.68bc3cp-3, -0x1.53a37ep-2, -0x1.c29782p-2, -0x1.ef26e8p-2,
                          -0x1.d77b0ep-2, -0x1.8a5dcep-2, -0x1.24168cp-2, -0x1.758654p-3, -0x1.ac659p-4, -0x1.8623bp-5,
                          -0x1.203cd2p-6, -0x1.527308p-8, -0x1.1dc306p-10, -0x1.08e404p-13, -0x1.ca4cecp-19},
                         {-0x1.812e08p-2, -0x1.642692p-2, -0x1.0ff86p-2, -0x1.29be28p-3, -0x1.af1bcep-7, 0x1.74008ap-4,
                          0x1.3b7d84p-3, 0x1.55aa56p-3, 0x1.1f9b9ep-3, 0x1.93c62p-4, 0x1.bb244p-5, 0x1.80e39ap-6,
                          0x1.04de88p-7, 0x1.f8ea12p-10, 0x1.0d4aa8p-12, 0x1.ee5c42p-17},
                         {0x1.1b266ep-11, 0x1.61b1bp-4, 0x1.3a5b84p-3, 0x1.75ed42p-3, 0x1.52bf0ep-3, 0x1.d24b74p-4,
                          0x1.7ad438p-5, -0x1.5b9024p-7, -0x1.64121ap-5, -0x1.91c754p-5, -0x1.2fbfe6p-5, -0x1.4dce6ap-6,
                          -0x1.1222eep-7, -0x1.3bb306p-9, -0x1.96699ep-12, -0x1.0f0734p-14},
                         {0x1.bf2418p-4, 0x1.963c0ap-4, 0x1.d80728p-5, 0x1.922cbep-8, -0x1.47e29cp-5, -0x1.10364ap-4,
                          -0x1.0d87bcp-4, -0x1.6f0518p-5, -0x1.046abcp-6, 0x1.140376p-8, 0x1.a0b8e4p-7, 0x1.6c9e2ap-7,
                          0x1.88b0c2p-8, 0x1.0e3c84p-9, 0x1.ab97cp-12, 0x1.14d962p-15}}};
    return with_sign(magnitude(kPieces, x), x);
}

/// Standard normal distribution function: 1/2 and an odd function, a polynomial of t = |x| - center around every quarter.
///
/// To find quarters takes additions only, which the processor does beside the multiplications of the polynomial.
///
/// Numerics  the polynomials are off by 2^-25.8
Lanes normal_cdf(const Lanes& x) {
    // From here on it is 1 in f32, and there are no 32 quarters before it. In a sum with 1.5 * 2^21 the low bits count quarters.
    constexpr double kEnd = 5.5, kQuarters = 0x1.8p21;
    static constexpr LongTable kCoefficients[] = {
        {0.0,           0x1.944d16p-4, 0x1.881d78p-3, 0x1.17efp-2,   0x1.5d897ap-2, 0x1.93d08cp-2,
         0x1.bb96e4p-2, 0x1.d6fabcp-2, 0x1.e8b43p-2,  0x1.f37b6ep-2, 0x1.f9a42cp-2, 0x1.fcf2ep-2,
         0x1.fe9e22p-2, 0x1.ff68bcp-2, 0x1.ffc304p-2, 0x1.ffe8d2p-2, 0x1.fff7b2p-2, 0x1.fffd32p-2,
         0x1.ffff1cp-2, 0x1.ffffbcp-2, 0x1.ffffecp-2, 0x1.fffffap-2, 0x1p-1},
        {0x1.988448p-2,  0x1.8bf29p-2,   0x1.6883bcp-2,  0x1.345d6p-2,   0x1.ef8e7ep-3,  0x1.7610eep-3,
         0x1.0940aep-3,  0x1.61648ep-4,  0x1.ba4b5ep-5,  0x1.0402e2p-5,  0x1.1f2f02p-6,  0x1.29fa4ap-7,
         0x1.22712p-8,   0x1.09f37p-9,   0x1.c988e6p-11, 0x1.71b8bp-12,  0x1.18a588p-13, 0x1.904138p-15,
         0x1.0c2946p-16, 0x1.517158p-18, 0x1.8ef722p-20, 0x1.bb1ed4p-22, 0x1.1e2268p-19},
        {0x1.b674dap-17,  -0x1.8bf2f8p-5, -0x1.688298p-4,  -0x1.ce8cfap-4,  -0x1.ef8da8p-4,  -0x1.d39592p-4,
         -0x1.8ddf42p-4,  -0x1.353958p-4, -0x1.ba48dep-5,  -0x1.24873ap-5,  -0x1.66f466p-6,  -0x1.99c918p-7,
         -0x1.b3b014p-8,  -0x1.afea9ep-9, -0x1.8fd07ap-10, -0x1.59c702p-11, -0x1.153864p-12, -0x1.9e091p-14,
         -0x1.2e1bfep-15, -0x1.b15fbp-17, -0x1.b417f4p-21, 0x1.386888p-19,  0x1.e633bcp-15},
        {-0x1.11a434p-4, -0x1.ed97cep-5, -0x1.67d00cp-5, -0x1.67cf22p-6, -0x1.3fd56ep-14, 0x1.16b70ap-6,
         0x1.b864ap-6,   0x1.e4ac2ep-6,  0x1.b9badap-6,  0x1.5ffd28p-6,  0x1.f6e082p-7,   0x1.466ddcp-7,
         0x1.8489eep-8,  0x1.a97346p-9,  0x1.af1c1ep-10, 0x1.94fe92p-11, 0x1.620c5p-12,   0x1.1fd89ep-13,
         0x1.b2b722p-15, 0x1.3474f4p-16, 0x1.96eaa6p-18, 0x1.f57fb4p-20, 0x1.45d69cp-11},
        {0x1.8c5b52p-9,   0x1.82c4bp-7,    0x1.48bdbcp-6,   0x1.77f35ap-6,   0x1.494e14p-6,   0x1.c08d34p-7,
         0x1.8aeb4cp-8,   -0x1.43c518p-12, -0x1.28527ap-8,  -0x1.8ac434p-8,  -0x1.896e0ep-8,  -0x1.30b084p-8,
         -0x1.b2669ep-9,  -0x1.1dc542p-9,  -0x1.5079dep-10, -0x1.6b7e6cp-11, -0x1.f9d2aep-12, -0x1.16397p-12,
         -0x1.9ef79cp-15, 0x1.f6273ap-16,  -0x1.458a52p-13, -0x1.721a78p-13, 0x1.21162p-9}};
    const Lanes a = min(abs(x), kEnd);
    const Lanes quarter = a + kQuarters;
    const Lanes t = a - (quarter - kQuarters);
    Lanes sum = look_up(kCoefficients[4], quarter);
    for (std::size_t i = 4; i > 0; --i) sum = fma(sum, t, look_up(kCoefficients[i - 1], quarter));
    return with_sign(sum, x) + 0.5;
}

/// Hyperbolic tangent.
Lanes tanh(const Lanes& x) {
    static constexpr Pieces<7> kPieces = {
        .end = 9.0109,
        .slope = 0x1.b1675ap+1,
        .bend = 0x1.7adcaep-3,
        .centers = {0.0, 0x1.36cp-2, 0x1.388p-1, 0x1.db4p-1, 0x1.465p+0, 0x1.9dep+0, 0x1.fc9p+0, 0x1.3038p+1,
                    0x1.64d8p+1, 0x1.9e8p+1, 0x1.dc3p+1, 0x1.0e3cp+2, 0x1.33b4p+2, 0x1.613p+2, 0x1.97ccp+2, 0x1.086p+3},
        .coefficients = {{0.0, 0x1.2d8cbp-2, 0x1.16b842p-1, 0x1.75a3a6p-1, 0x1.b5c9cap-1, 0x1.d92964p-1, 0x1.ed170ep-1,
                          0x1.f73f12p-1, 0x1.fc2284p-1, 0x1.fe6d28p-1, 0x1.ff6634p-1, 0x1.ffc7a6p-1, 0x1.ffee86p-1,
                          0x1.fffbc8p-1, 0x1.ffff3cp-1, 0x1.fffffcp-1},
                         {0x1.278d92p-32, 0x1.d3997cp-1, 0x1.6845a8p-1, 0x1.dea9b6p-2, 0x1.135574p-2, 0x1.2aec0ap-3,
                          0x1.28f8c8p-4, 0x1.15b8bep-5, 0x1.ecdfeep-7, 0x1.923988p-8, 0x1.3369cep-9, 0x1.c2b734p-11,
                          0x1.179b2ep-12, 0x1.0dfdd8p-14, 0x1.8804eep-17, 0x1.2b6f9cp-22},
                         {-0x1.188652p-23, -0x1.13663p-2, -0x1.883efap-2, -0x1.5d4f94p-2, -0x1.d6d9d8p-3,
                          -0x1.143f44p-3, -0x1.1e01cap-4, -0x1.10f8b4p-5, -0x1.e9265ep-7, -0x1.90fe5p-8, -0x1.330d6p-9,
                          -0x1.c285dep-11, -0x1.178cacp-12, -0x1.0dbf9ap-14, -0x1.88d886p-17, -0x1.8da57ep-22},
                         {-0x1.5552a2p-2, -0x1.cd44cp-3, -0x1.aabcd4p-6, 0x1.7d6da8p-4, 0x1.b61d4ap-4, 0x1.37506cp-4,
                          0x1.60e7b6p-5, 0x1.5f7646p-6, 0x1.412afp-7, 0x1.09ad74p-8, 0x1.986d48p-10, 0x1.2c12bcp-11,
                          0x1.74a482p-13, 0x1.67ebf4p-15, 0x1.0553fep-17, 0x1.40fe6p-23},
                         {-0x1.379a5cp-12, 0x1.3f634ap-3, 0x1.228ca4p-3, 0x1.76a556p-5, -0x1.e5f338p-7, -0x1.9dfd94p-6,
                          -0x1.29682ap-6, -0x1.477316p-7, -0x1.37d994p-8, -0x1.05e772p-9, -0x1.967ebp-11,
                          -0x1.2b8c28p-12, -0x1.7683f2p-14, -0x1.77e432p-16, -0x1.e625ccp-19, 0x1.9e85eap-24},
                         {0x1.19047p-3, 0x1.94eca8p-5, -0x1.a6312p-5, -0x1.b84ce2p-5, -0x1.1b23cep-6, 0x1.1f50aap-10,
                          0x1.3779fap-8, 0x1.bf9e2cp-9, 0x1.d4b1fep-10, 0x1.9b6406p-11, 0x1.44d28ep-12, 0x1.e2a764p-14,
                          0x1.2c9c96p-15, 0x1.2438d8p-17, 0x1.aa77f2p-20, 0x1.29a4dp-23},
                         {-0x1.80d5p-6, -0x1.2327ecp-4, -0x1.c37b66p-6, 0x1.125b42p-6, 0x1.df8d56p-7, 0x1.0f23c8p-8,
                          -0x1.36127ep-10, -0x1.0edcd8p-11, -0x1.b4887ap-12, -0x1.36c2a4p-12, -0x1.ae3954p-14,
                          -0x1.3d68d4p-15, -0x1.201cbp-17, 0x1.3e4bbcp-20, -0x1.574b0ep-20, -0x1.933e32p-26}}};
    return with_sign(magnitude(kPieces, x), x);
}

Lanes (*function_of(NodeKind kind))(const Lanes& x) {
    switch (kind) {
        case NodeKind::Exp: return exp;
        case NodeKind::Log: return log;
        case NodeKind::Tanh: return tanh;
        case NodeKind::Erf: return erf;
        case NodeKind::NormalCdf: return normal_cdf;
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
