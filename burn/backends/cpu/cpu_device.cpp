#include <burn/backends/cpu/cpu_device.h>

#include <burn/backends/cpu/convolution_candidates.h>
#include <burn/backends/cpu/kernel_cache.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/cpu/product_candidates.h>
#include <burn/backends/cpu/row_kernels.h>
#include <burn/backends/ndarray/args.h>
#include <burn/base/parallel.h>

#include <algorithm>

namespace burn::cpu {

namespace {

/// Rows and images that are worth a product of their own: packing the other operand again takes little beside it.
constexpr std::int64_t kFewestRows = 512, kFewestImages = 8;

}  // namespace

bool CpuDevice::compiles() const { return code_generator() != nullptr; }

std::string CpuDevice::why_not_compiling() const { return why_no_code_generator(); }

std::size_t CpuDevice::vector_bytes() const {
    const CodeGenerator* generator = code_generator();
    // One that was there may be gone: of what is written for these vectors then, nothing is compiled.
    return generator != nullptr ? static_cast<std::size_t>(generator->vector_bytes()) : 16;
}

compiler::ExecutableRef CpuDevice::compile(const kernel::Kernel& kernel) { return compiled(kernel); }

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

bool CpuDevice::takes_prologue(const ops::AnyOp& op, std::span<const TensorSpec> operands) const {
    switch (op.code()) {
        case ops::OpCode::MatMul: {  // one matrix on the right, so that the rows on the left are those of one product
            const Shape& right = operands[1].shape;
            return right.numel() == right[right.rank() - 2] * right[right.rank() - 1];
        }
        case ops::OpCode::Linear:
        case ops::OpCode::Conv: return true;
        default: return false;
    }
}

void CpuDevice::run_into(const ops::AnyOp& op, ops::HandleList inputs, const ops::Handle& result,
                         const compiler::Alongside& alongside) {
    EpilogueRows epilogue(alongside.epilogue);
    const bool convolves = op.code() == ops::OpCode::Conv;
    const Shape& operand = alongside.operand.shape;
    const std::int64_t rows = alongside.prologue == nullptr ? 0
                              : convolves                   ? operand[0]
                                                            : operand.numel() / operand.back();
    const PrologueRows prologue(alongside, rows, convolves ? kFewestImages : kFewestRows);
    if (alongside.prologue != nullptr) inputs[0] = prologue.operand(engine_);
    const auto multiply = [&](ndarray::Product product) {
        const ndarray::RowsFinished* finished = epilogue.over(product.shape.n);
        if (alongside.prologue != nullptr) {
            ndarray::merge_rows(product.batch, product.shape, product.a.row_stride, product.c.row_stride);
            require_internal(product.batch.rank == 0, "a prologue before a batch of products");
        }
        prologue.for_blocks(product.shape.m, [&](std::int64_t first, std::int64_t count) {
            ndarray::Product block = product;
            block.shape.m = count;
            block.c.data += first * product.c.row_stride * static_cast<std::int64_t>(size_of(product.dtype));
            block.finished = finished;
            epilogue.begin_at(first);
            multiply_by_best(block);
        });
    };
    const auto convolve = [&](const ndarray::Convolution& convolution) {
        const ndarray::Conv2dShape& shape = convolution.shape;
        const std::int64_t plane = shape.h.out() * shape.w.out();
        const ndarray::RowsFinished* finished = epilogue.over(plane);
        prologue.for_blocks(shape.batch, [&](std::int64_t first, std::int64_t images) {
            ndarray::Convolution block = convolution;
            block.shape.batch = images;
            block.result += first * shape.out_channels * plane * static_cast<std::int64_t>(size_of(convolution.dtype));
            block.finished = finished;
            epilogue.begin_at(first * shape.out_channels);
            convolve_by_best(block);
        });
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
