#include <burn/backends/cpu/row_kernels.h>

#include <burn/backends/cpu/executable.h>
#include <burn/backends/ndarray/nd_tensor.h>
#include <burn/base/parallel.h>

#include <algorithm>

namespace burn::cpu {

namespace {

/// An operand of this size stays in a shared cache, and is made as a whole.
constexpr std::int64_t kWholeBytes = std::int64_t{4} << 20;
/// A block that is still in the caches of the cores when the product packs it.
constexpr std::int64_t kBlockBytes = std::int64_t{1} << 20;

void run(const compiler::RowKernel& kernel, std::span<std::byte* const> buffers, std::int64_t begin, std::int64_t end) {
    const LaunchArguments arguments{buffers.data(), kernel.launch.scalars.data()};
    static_cast<const CpuExecutable&>(kernel.kernel).function(&arguments, begin, end);
}

}  // namespace

EpilogueRows::EpilogueRows(const compiler::RowKernel* epilogue) : epilogue_(epilogue) {}

const ndarray::RowsFinished* EpilogueRows::over(std::int64_t length) {
    if (epilogue_ == nullptr) return nullptr;
    cubes_ = length / epilogue_->row * epilogue_->cubes_per_row;
    return &finished_;
}

void EpilogueRows::operator()(std::int64_t begin, std::int64_t end) const {
    run(*epilogue_, epilogue_->launch.buffers, (first_ + begin) * cubes_, (first_ + end) * cubes_);
}

PrologueRows::PrologueRows(const compiler::Alongside& alongside, std::int64_t rows, std::int64_t fewest)
    : prologue_(alongside.prologue), operand_(alongside.operand), rows_(rows) {
    if (prologue_ == nullptr) return;
    const std::int64_t length = operand_.shape.numel() / rows;
    row_bytes_ = length * static_cast<std::int64_t>(size_of(operand_.dtype));
    cubes_ = length / prologue_->row * prologue_->cubes_per_row;
    if (rows * row_bytes_ > kWholeBytes) blocks_ = ndarray::ceil_div(rows, std::max(fewest, kBlockBytes / row_bytes_));
    block_ = Block::make(static_cast<std::size_t>(ndarray::ceil_div(rows, blocks_) * row_bytes_));
}

ops::Handle PrologueRows::operand(ops::Engine& engine) const {
    return ops::Handle(make_ref<ndarray::NdTensor>(engine, operand_, block_, Layout::contiguous(operand_.shape)));
}

void PrologueRows::for_blocks(std::int64_t rows, FunctionRef<void(std::int64_t first, std::int64_t rows)> body) const {
    if (prologue_ == nullptr) return body(0, rows);
    require_internal(rows == rows_, "a prologue makes other rows than a product reads");
    for (std::int64_t block = 0; block < blocks_; ++block) {
        const std::int64_t first = ndarray::cut(rows_, blocks_, block), last = ndarray::cut(rows_, blocks_, block + 1);
        make(first, last);
        body(first, last - first);
    }
}

void PrologueRows::make(std::int64_t first, std::int64_t last) const {
    SmallVector<std::byte*, 16> buffers;
    for (std::byte* buffer : prologue_->launch.buffers) buffers.push_back(buffer);
    buffers.back() = block_->data() - first * row_bytes_;  // the kernel counts from the operand's first row
    parallel_for((last - first) * cubes_, kCubesPerThread, [&](std::int64_t begin, std::int64_t end) {
        run(*prologue_, {buffers.data(), buffers.size()}, first * cubes_ + begin, first * cubes_ + end);
    });
}

}  // namespace burn::cpu
