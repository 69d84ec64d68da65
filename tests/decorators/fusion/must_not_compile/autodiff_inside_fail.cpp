// Autodiff wraps fusion, not the other way round: what fusion records has no graph.
#include <burn/backends/cpu/cpu.h>
#include <burn/decorators/autodiff/autodiff.h>

#ifdef MUST_NOT_COMPILE
using Inner = burn::Autodiff<burn::CpuEager>;
#else
using Inner = burn::CpuEager;
#endif

burn::ops::Engine& engine() { return burn::Fusion<Inner>::engine(0); }
