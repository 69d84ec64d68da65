#include <burn/backends/cpu/cpu.h>

#include <burn/backends/cpu/cpu_device.h>
#include <burn/backends/ndarray/engine.h>

namespace burn {

namespace {

ndarray::NdArrayEngine& eager_engine() {
    static ndarray::NdArrayEngine engine("cpu_eager");
    return engine;
}

}  // namespace

ops::Engine& CpuEager::engine(std::size_t) { return eager_engine(); }

compiler::Device& CpuEager::compiler_device(std::size_t) {
    static cpu::CpuDevice device(eager_engine());
    return device;
}

}  // namespace burn
