#pragma once

#include <burn/base/config.h>

namespace burn {

/// Instruction sets that hand-vectorised kernels are compiled for, weakest first.
enum class Isa {
    Baseline,  ///< what the compiler may assume everywhere: SSE2 on x86-64, NEON on AArch64, SIMD128 on wasm
    Avx2,      ///< x86-64-v3: AVX2 and FMA
    Avx512,    ///< x86-64-v4: AVX-512 F, BW, DQ, VL
};

/// "baseline", "avx2", "avx512".
const char* isa_name(Isa isa);

/// Whether this processor, and the operating system's saving of registers, allow it.
bool isa_supported(Isa isa);

/// The instruction set that kernels use: the strongest supported one, or a weaker one named by the environment variable
/// BURN_ISA (isa_name; anything else, or one that is not supported, is ignored).
Isa active_isa();

/// Whether reading several rows of a large matrix at once is faster when kernels ask for the next ones early. On Zen 4, by 1.4; Zen 5
/// takes 1.2 times as long then, and a Xeon as long as without.
bool fetches_rows_early();

/// Makes kernels use `isa` from now on, for tests and measurements.
///
/// Errors    ArgumentError when it is not supported
/// Thread    not while another thread runs a kernel
void set_active_isa(Isa isa);

}  // namespace burn
