#include <burn/backends/cpu/cpu_device.h>

#include <burn/backends/cpu/convolution_candidates.h>
#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/cpu/product_candidates.h>
#include <burn/backends/ndarray/args.h>
#include <burn/base/parallel.h>

#include <algorithm>
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

void CpuDevice::launch(const compiler::Executable& executable, std::span<const compiler::Launch> launches) {
    const KernelFunction function = static_cast<const CpuExecutable&>(executable).function;
    const auto run = [&](const compiler::Launch& launch, std::int64_t begin, std::int64_t end) {
        const LaunchArguments arguments{launch.buffers.data(), launch.scalars.data()};
        function(&arguments, begin, end);
    };
    if (launches.size() == 1) {
        parallel_for(launches[0].cubes, kCubesPerThread,
                     [&](std::int64_t begin, std::int64_t end) { run(launches[0], begin, end); });
        return;
    }
    // The cubes of all launches in a row; a thread takes a stretch of them.
    std::int64_t all = 0;
    for (const compiler::Launch& launch : launches) all += launch.cubes;
    parallel_for(all, kCubesPerThread, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t first = 0;
        for (const compiler::Launch& launch : launches) {
            const std::int64_t from = std::max(begin, first), to = std::min(end, first + launch.cubes);
            if (from < to) run(launch, from - first, to - first);
            first += launch.cubes;
        }
    });
}

bool CpuDevice::takes_epilogue(const ops::AnyOp& op) const {
    switch (op.code()) {
        case ops::OpCode::MatMul:
        case ops::OpCode::Linear:
        case ops::OpCode::Conv: return true;
        default: return false;
    }
}

void CpuDevice::run_with_epilogue(const ops::AnyOp& op, ops::HandleList inputs, const ops::Handle& result,
                                  const compiler::Epilogue& epilogue) {
    const KernelFunction function = static_cast<const CpuExecutable&>(epilogue.kernel).function;
    const LaunchArguments arguments{epilogue.launch.buffers.data(), epilogue.launch.scalars.data()};
    std::int64_t cubes = 0;  // of one row of the product
    const auto run_rows = [&](std::int64_t first, std::int64_t last) {
        function(&arguments, first * cubes, last * cubes);
    };
    const ndarray::RowsFinished finished(run_rows);
    const auto multiply = [&](ndarray::Product product) {
        cubes = product.shape.n / epilogue.row * epilogue.cubes_per_row;
        product.finished = &finished;
        multiply_by_best(product);
    };
    const auto convolve = [&](ndarray::Convolution convolution) {
        cubes = convolution.shape.h.out() * convolution.shape.w.out() / epilogue.row * epilogue.cubes_per_row;
        convolution.finished = &finished;
        convolve_by_best(convolution);
    };
    const SpecList results{result.spec()};
    ndarray::Args args(engine_, std::move(inputs), results, result);
    switch (op.code()) {
        case ops::OpCode::MatMul: ndarray::run_matmul(args, multiply); break;
        case ops::OpCode::Linear: ndarray::run_linear(args, multiply); break;
        case ops::OpCode::Conv: ndarray::run_conv(op.as<ops::Conv>(), args, convolve); break;
        default: raise(ErrorKind::Internal, Message() << op.name() << ": no product whose rows could be followed");
    }
}

ops::Handle CpuDevice::make_tensor(const TensorSpec& spec) { return ndarray::make_tensor(engine_, spec); }

ops::Handle CpuDevice::contiguous(const ops::Handle& tensor) {
    const auto& mine = ndarray::NdTensor::of(tensor);
    return mine.is_contiguous() ? tensor : ndarray::copy_contiguous(mine);
}

const Layout& CpuDevice::layout(const ops::Handle& tensor) const { return ndarray::NdTensor::of(tensor).layout(); }

std::byte* CpuDevice::data(const ops::Handle& tensor) const { return ndarray::NdTensor::of(tensor).bytes(); }

bool CpuDevice::reusable(const ops::Handle& tensor) const {
    return tensor.unique() && ndarray::NdTensor::of(tensor).block()->unique() && layout(tensor).is_contiguous();
}

}  // namespace burn::cpu
