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

bool CpuDevice::runs_into(const ops::AnyOp& op) const {
    switch (op.code()) {
        case ops::OpCode::MatMul:
        case ops::OpCode::Linear:
        case ops::OpCode::Conv: return true;
        default: return false;
    }
}

namespace {

/// A kernel over the rows of a result; nothing where there is no epilogue.
class EpilogueRows {
public:
    explicit EpilogueRows(const compiler::Epilogue* epilogue) : epilogue_(epilogue) {
        if (epilogue == nullptr) return;
        function_ = static_cast<const CpuExecutable&>(epilogue->kernel).function;
        arguments_ = {epilogue->launch.buffers.data(), epilogue->launch.scalars.data()};
    }

    /// Who is told of rows with so many elements.
    const ndarray::RowsFinished* over(std::int64_t row) {
        if (epilogue_ == nullptr) return nullptr;
        cubes_ = row / epilogue_->row * epilogue_->cubes_per_row;
        return &finished_;
    }

    void operator()(std::int64_t first, std::int64_t last) const {
        function_(&arguments_, first * cubes_, last * cubes_);
    }

private:
    const compiler::Epilogue* epilogue_;
    KernelFunction function_ = nullptr;
    LaunchArguments arguments_{};
    std::int64_t cubes_ = 0;  ///< of one row
    ndarray::RowsFinished finished_{*this};
};

}  // namespace

void CpuDevice::run_into(const ops::AnyOp& op, ops::HandleList inputs, const ops::Handle& result,
                         const compiler::Epilogue* epilogue) {
    EpilogueRows rows(epilogue);
    const auto multiply = [&](ndarray::Product product) {
        product.finished = rows.over(product.shape.n);
        multiply_by_best(product);
    };
    const auto convolve = [&](ndarray::Convolution convolution) {
        convolution.finished = rows.over(convolution.shape.h.out() * convolution.shape.w.out());
        convolve_by_best(convolution);
    };
    const SpecList results{result.spec()};
    ndarray::Args args(engine_, std::move(inputs), results, result);
    switch (op.code()) {
        case ops::OpCode::MatMul: ndarray::run_matmul(args, multiply); break;
        case ops::OpCode::Linear: ndarray::run_linear(args, multiply); break;
        case ops::OpCode::Conv: ndarray::run_conv(op.as<ops::Conv>(), args, convolve); break;
        default: raise(ErrorKind::Internal, Message() << op.name() << ": runs into no memory that it is given");
    }
}

ops::Handle CpuDevice::make_tensor(const TensorSpec& spec) { return ndarray::make_tensor(engine_, spec); }

ops::Handle CpuDevice::make_tensor_in(const ops::Handle& slab, std::uint64_t place, const TensorSpec& spec) {
    Layout layout = Layout::contiguous(spec.shape);
    layout.offset = static_cast<std::int64_t>(place / size_of(spec.dtype));
    return ops::Handle(make_ref<ndarray::NdTensor>(engine_, spec, ndarray::NdTensor::of(slab).block(), layout));
}

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
