// A backend that is fused by default is not fused again.
#include <burn/backends/cpu/cpu.h>

#ifdef MUST_NOT_COMPILE
using Inner = burn::Cpu;
#else
using Inner = burn::CpuEager;
#endif

burn::ops::Engine& engine() { return burn::Fusion<Inner>::engine(0); }
