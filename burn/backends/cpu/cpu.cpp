#include <burn/backends/cpu/cpu.h>

#include <burn/backends/cpu/engine.h>

namespace burn {

ops::Engine& CpuEager::engine(std::size_t) { return cpu::eager_engine(); }

compiler::Device& CpuEager::compiler_device(std::size_t) { return cpu::eager_device(); }

}  // namespace burn
