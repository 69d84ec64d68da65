#pragma once

#include <burn/core/distribution.h>
#include <burn/ops/define_op.h>

namespace burn::ops {

class Engine;

/// Random numbers: a pure function of key and counter, so that every backend draws the same and a replay repeats them.
///
/// The stream of a key is a sequence of blocks of four 32-bit words, block c being philox4x32(key, c). The tensor uses the
/// blocks from `counter` on; its element i uses word i of them, or words 2i (low half) and 2i + 1 where two are needed:
///
///   words   2 for an 8-byte dtype under Uniform and Normal, else 1
///   u       (w >> (bits - p)) 2^-p, of the `bits` of the word or words, p = 24 for f32, 53 f64, 11 f16, 8 bf16
///   Uniform, Float    min(low + (high - low) u, the last number before high), in f32 (f64), rounded once to the dtype
///   Uniform, Int      low + floor(w (high - low) 2^-bits)
///   Bernoulli         w < round(p 2^32)
///   Normal            mean + std z, with words w0, w1 of an even element and the odd one after it:
///                     r = sqrt(-2 ln((w0 + 1/2) 2^-bits)), t = 2 pi w1 2^-bits; z = r cos t (even), r sin t (odd)
///
/// DTypes    Uniform: Float and Int; Bernoulli: any; Normal: Float
/// Numerics  everything but Normal is equal bit for bit on all backends; Normal within a few ulp of f32 (f64)
/// Errors    ShapeError for negative sizes; DTypeError when the law does not fit the dtype; ArgumentError for parameters that
///           are no law: low > high, a probability outside [0, 1], std < 0, bounds that the dtype cannot hold, NaN
/// Source    Philox: see core/philox.h; Box and Muller, "A note on the generation of random normal deviates", 1958
struct Random {
    Shape shape;
    DType dtype = DType::F32;
    RandomLaw law = RandomLaw::Default;
    double a = 0;
    double b = 1;
    std::int64_t key = 0;
    std::int64_t counter = 0;

    static constexpr OpInfo info{
        .name = "random", .doc = "random numbers of a law", .kind = OpKind::Create, .inputs = 0};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("shape", self.shape);
        visit.structural("dtype", self.dtype);
        visit.structural("law", self.law);
        visit.runtime("a", self.a);
        visit.runtime("b", self.b);
        visit.runtime("key", self.key);
        visit.runtime("counter", self.counter);
    }
    SpecList infer(std::span<const TensorSpec> inputs);

    /// How many words of the stream one element takes.
    int words() const { return law != RandomLaw::Bernoulli && size_of(dtype) == 8 ? 2 : 1; }
    /// How many blocks of the stream the tensor takes.
    std::int64_t blocks() const { return (shape.numel() * words() + 3) / 4; }

    /// Bernoulli: the words below it are true.
    std::uint64_t threshold() const { return static_cast<std::uint64_t>(a * 0x1p32 + 0.5); }
    /// Uniform, Float: the leading bits of a word, or two, that u has.
    int unit_bits() const;
    /// Uniform, Float: min(low + range u, last) is an element before it is rounded, each of them a number of the type that
    /// elements are computed in.
    struct Bounds {
        double low = 0, range = 0, last = 0;
    };
    Bounds bounds() const;
};

/// Draws from the random stream of `engine`, which moves on. The numbers are settled here, whatever decorators do later.
Handle random(Engine& engine, const Shape& shape, DType dtype, const Distribution& distribution);
/// Random numbers in the shape and dtype of x.
Handle random_like(const Handle& x, const Distribution& distribution);

}  // namespace burn::ops
