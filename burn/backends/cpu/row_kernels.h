#pragma once

#include <burn/backends/ndarray/product/rows_finished.h>
#include <burn/base/function_ref.h>
#include <burn/base/memory.h>
#include <burn/compiler/device.h>

namespace burn::cpu {

/// Cubes that are worth a hand-over to another thread: the planner makes one some microseconds long.
constexpr std::int64_t kCubesPerThread = 4;

/// An epilogue that follows the rows of a result; nothing where there is none.
class EpilogueRows {
public:
    explicit EpilogueRows(const compiler::RowKernel* epilogue);

    /// Who is told of rows with so many elements.
    const ndarray::RowsFinished* over(std::int64_t length);
    /// From here on rows are counted from this one of the result.
    void begin_at(std::int64_t first) { first_ = first; }

    void operator()(std::int64_t begin, std::int64_t end) const;

private:
    const compiler::RowKernel* epilogue_;
    std::int64_t cubes_ = 0;  ///< of one row
    std::int64_t first_ = 0;
    ndarray::RowsFinished finished_{*this};
};

/// A prologue that makes blocks of rows of an operand, one after the other in the same memory, while a product reads them;
/// nothing where there is none.
///
/// Memory    a block of rows, of a size that depends on the operand alone
class PrologueRows {
public:
    /// The operand has so many rows; `fewest` of them are worth a product.
    PrologueRows(const compiler::Alongside& alongside, std::int64_t rows, std::int64_t fewest);

    /// The operand's tensor, of which only one block of rows is ever there.
    ops::Handle operand(ops::Engine& engine) const;
    /// Calls `body(first, rows)` for every block, which is there then; or once for all `rows` where there is no prologue.
    void for_blocks(std::int64_t rows, FunctionRef<void(std::int64_t first, std::int64_t rows)> body) const;

private:
    void make(std::int64_t first, std::int64_t last) const;

    const compiler::RowKernel* prologue_;
    TensorSpec operand_;
    std::int64_t rows_, blocks_ = 1;
    std::int64_t row_bytes_ = 0, cubes_ = 0;  ///< of one row
    Ref<Block> block_;
};

}  // namespace burn::cpu
