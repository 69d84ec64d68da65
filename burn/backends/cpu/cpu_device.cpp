#include <burn/backends/cpu/cpu_device.h>

#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/args.h>
#include <burn/base/parallel.h>

#include <memory>
#include <mutex>
#include <unordered_map>

namespace burn::cpu {

namespace {

/// Cubes that are worth a hand-over to another thread: the planner makes one some microseconds long.
constexpr std::int64_t kCubesPerThread = 4;

struct CpuExecutable final : compiler::Executable {
    explicit CpuExecutable(KernelFunction function) : function(function) {}
    KernelFunction function;
};

}  // namespace

bool CpuDevice::compiles() const { return code_generator() != nullptr; }

std::size_t CpuDevice::vector_bytes() const { return static_cast<std::size_t>(code_generator()->vector_bytes()); }

const compiler::Executable& CpuDevice::compile(const kernel::Kernel& kernel) {
    static std::mutex mutex;
    static auto* executables = new std::unordered_map<KernelFunction, std::unique_ptr<CpuExecutable>>;
    const KernelFunction function = compiled(kernel);
    const std::lock_guard lock(mutex);
    auto& executable = (*executables)[function];
    if (!executable) executable = std::make_unique<CpuExecutable>(function);
    return *executable;
}

void CpuDevice::launch(const compiler::Executable& executable, const compiler::Launch& launch) {
    const LaunchArguments arguments{launch.buffers.data(), launch.scalars.data()};
    const KernelFunction function = static_cast<const CpuExecutable&>(executable).function;
    parallel_for(launch.cubes, kCubesPerThread,
                 [&](std::int64_t begin, std::int64_t end) { function(&arguments, begin, end); });
}

ops::Handle CpuDevice::make_tensor(const TensorSpec& spec) { return ndarray::make_tensor(engine_, spec); }

const Layout& CpuDevice::layout(const ops::Handle& tensor) const { return ndarray::NdTensor::of(tensor).layout(); }

std::byte* CpuDevice::data(const ops::Handle& tensor) const { return ndarray::NdTensor::of(tensor).bytes(); }

bool CpuDevice::reusable(const ops::Handle& tensor) const {
    return tensor.unique() && ndarray::NdTensor::of(tensor).block()->unique() && layout(tensor).is_contiguous();
}

}  // namespace burn::cpu
