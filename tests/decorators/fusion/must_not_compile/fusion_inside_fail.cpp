// A backend is fused once: a fused one compiles no kernels for somebody else.
#include <burn/backends/cpu/cpu.h>

#ifdef MUST_NOT_COMPILE
using Inner = burn::Fusion<burn::CpuEager>;
#else
using Inner = burn::CpuEager;
#endif

burn::ops::Engine& engine() { return burn::Fusion<Inner>::engine(0); }
