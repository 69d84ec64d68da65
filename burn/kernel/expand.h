#pragma once

#include <burn/kernel/kernel.h>

#include <bitset>

namespace burn::kernel {

/// Whether `expand` knows how to write a function of this element type with other nodes.
bool is_expandable(NodeKind kind, DType dtype);

/// Which functions `expand` rewrites.
struct ExpandOptions {
    std::bitset<kNodeKinds> kept;  ///< kinds that stay as they are, but of f64

    ExpandOptions& keep(NodeKind kind) {
        kept.set(static_cast<std::size_t>(kind));
        return *this;
    }
};

/// Rewrites the Float functions of a verified kernel into arithmetic on lanes: polynomials, fma, integer nodes on the bits.
///
/// What a target has no instruction for becomes straight code that vectors run through without calls. Only sin, cos and tan
/// hold a branch, taken when some lane is beyond 2^17. Sqrt, Floor, Ceil, Trunc and Round stay.
///
/// DTypes    f32; f16 and bf16 through f32; of f64 exp and log, the others stay as they are
/// Numerics  within 2 ulp for every input of f32, 1 ulp for f64; zeros, infinities, NaN and subnormal numbers as in C
/// Needs     a target with an instruction for fma; elsewhere calls of the C library are faster
/// Source    ranges are reduced as the files expand_*.h say; the polynomials are minimax, by Remez exchange on the range and
///           in the error that they name, coefficients rounded one after the other and the rest fitted again
Kernel expand(const Kernel& kernel, const ExpandOptions& options = {});

}  // namespace burn::kernel
