// The blocked, packed matrix product.
//
// The five loops of Goto and van de Geijn: column blocks of B that fit the shared cache, depth blocks, row blocks of A that
// fit a core's own cache, panels of B, tiles of A. Threads divide either the tiles or the panels, never the depth, so that no
// sum depends on how many there are.
#pragma once

#include <cstdint>
#include <optional>

#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/product/gemm.h>
#include <burn/backends/ndarray/product/gemm_kernels.h>
#include <burn/backends/ndarray/product/gemv.h>
#include <burn/backends/ndarray/product/rows_finished.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/backends/ndarray/turns.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// The same elements, rows as columns.
template <class T>
MatrixView<T> transposed(MatrixView<T> view) {
    return {view.data, view.col_stride, view.row_stride};
}

/// The operands of a product that one thread runs after another: of the next index of a batch.
template <class T>
struct NextOperands {
    const T* a = nullptr;
    const T* b = nullptr;
};

/// C = A B or C += A B; see gemm.h. C's columns are best next to each other (c.col_stride == 1).
///
/// `finished` is told of C's rows; `next`: what to fetch meanwhile.
template <class T>
class BlockedProduct {
public:
    BlockedProduct(const GemmShape& shape, MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c,
                   bool accumulate, const RowsFinished* finished, NextOperands<T> next = {})
        : shape_(shape), a_(a), b_(b), c_(c), accumulate_(accumulate), finished_(finished), kernels_(gemm_kernels<T>()),
          tiles_(ceil_div(shape.m, kernels_.max_rows)), rows_(shape.m, tiles_) {
        plan_fetching(next);
    }

    void run() {
        if (shape_.m == 1 && VectorProduct<T>::can_run(b_)) {
            VectorProduct<T>(shape_, a_, b_, c_, accumulate_).run();
            finish_rows(finished_, 0, 1, shape_.n);
        } else if (shape_.m <= kernels_.few_rows) {
            stream();
            finish_rows(finished_, 0, shape_.m, shape_.n);
        } else {
            share();
        }
    }

private:
    // Packing an element takes about as long as this many multiplications.
    static constexpr int64_t kPackWork = 8;
    // Rows and panels of B that are packed at a time: no more streams than processors follow.
    static constexpr int64_t kPackRows = 16, kPackPanels = 8;
    // Of packed panels that stay in the first cache beside a tile of A and what is written of C.
    static constexpr int64_t kNearBytes = 16 << 10;

    // A range of the depth, and the columns of B that are worked on.
    struct Slab {
        int64_t begin, depth;
        int64_t column, columns;
        bool accumulate;
        bool last;  // what completes the rows of C
    };

    // One block more costs a pass over C or A; it is not worth it for blocks that would be larger by an eighth at most.
    static int64_t blocks(int64_t size, int64_t block) { return ceil_div(size, block + block / 8); }

    // C gets the sum of one range of the depth after the other, in this order whatever else is cut how.
    int64_t depth_blocks() const { return blocks(shape_.k, kernels_.depth_block); }
    int64_t depth() const { return ceil_div(shape_.k, depth_blocks()); }
    Slab slab(int64_t block, int64_t column, int64_t columns) const {
        const int64_t begin = cut(shape_.k, depth_blocks(), block);
        const int64_t end = cut(shape_.k, depth_blocks(), block + 1);
        const bool last = end == shape_.k && column + columns == shape_.n;
        return {begin, end - begin, column, columns, accumulate_ || block > 0, last};
    }

    int64_t panels() const { return ceil_div(shape_.n, kernels_.panel); }
    int64_t tiles_per_block() const { return max_of(1, kernels_.row_block / kernels_.max_rows); }
    int64_t first_row(int64_t tile) const { return rows_.begin(tile); }

    // What a tile needs of A: where, and how far rows and columns are apart.
    struct TileOfA {
        const T* data;
        int64_t row_stride, depth_stride;
    };

    // Few rows: every panel of B is used by one thread, right after it was packed, or where it lies. So is A: a tile that is used a
    // few times only is not worth packing, if what it reads at a time does not fall on a few places of the caches.
    void stream() {
        const int64_t work = (shape_.m + kPackWork) * kernels_.panel * shape_.k;
        const bool packs_a = !lies_close(a_) && !lies_close(transposed(a_));
        const bool packs_b = !reads_in_place(panels() - 1);
        const int64_t a_size = packs_a ? ceil_div(shape_.m * depth(), kernels_.lanes) + 1 : 0;  // vectors
        parallel_for(panels(), ceil_div(kThreadWork, work), [&](int64_t first, int64_t last) {
            std::optional<Scratch<T>> room;
            const int64_t together = min_of(panels_together(), last - first);
            if (packs_a || packs_b) room.emplace(a_size * kernels_.lanes + together * kernels_.panel * depth());
            T* a = packs_a ? room->data() : nullptr;
            T* b = packs_b ? room->data() + a_size * kernels_.lanes : nullptr;
            for (int64_t block = 0; block < depth_blocks(); ++block) {
                const Slab part = slab(block, 0, shape_.n);
                if (packs_a) pack_tiles(part, 0, tiles_, a);
                for (int64_t panel = first; panel < last; panel += together)
                    stream_panels(part, panel, min_of(panel + together, last), a, b);
            }
        });
    }

    // Whether a panel of B can be read where it lies: its columns are all there, and it is used once or lies close.
    bool reads_in_place(int64_t panel) const {
        return (panel + 1) * kernels_.panel <= shape_.n && ((tiles_ == 1 && b_.col_stride == 1) || lies_close(b_));
    }

    // Whether rows are contiguous, and closer than what takes the same places of a first cache again and again.
    static bool lies_close(MatrixView<const T> matrix) {
        const int64_t most = 2048 / static_cast<int64_t>(sizeof(T));
        return matrix.col_stride == 1 && matrix.row_stride <= most && matrix.row_stride >= -most;
    }

    // Panels of B that are multiplied by one tile of A after the other: as many as stay in the first cache, for neighbours in C's
    // rows are written faster than neighbours in its columns.
    int64_t panels_together() const {
        return max_of(1, kNearBytes / (kernels_.panel * depth() * static_cast<int64_t>(sizeof(T))));
    }

    // `a`: all of A packed, or null where it is read in place; `packed`: room for the panels.
    void stream_panels(const Slab& slab, int64_t first, int64_t last, const T* a, T* packed) {
        const int64_t panel_size = kernels_.panel * slab.depth;
        for (int64_t panel = first; panel < last; ++panel) {
            if (!reads_in_place(panel)) pack_panel(slab, panel, 0, slab.depth, packed + (panel - first) * panel_size);
        }
        for (int64_t tile = 0; tile < tiles_; ++tile) {
            TileOfA rows{a_.data + first_row(tile) * a_.row_stride + slab.begin * a_.col_stride, a_.row_stride,
                         a_.col_stride};
            if (a != nullptr) rows = packed_tile(a + first_row(tile) * slab.depth, tile);
            for (int64_t panel = first; panel < last; ++panel) {
                const T* b = packed + (panel - first) * panel_size;
                int64_t b_stride = kernels_.panel;
                if (reads_in_place(panel)) {
                    b = b_.data + slab.begin * b_.row_stride + panel * kernels_.panel * b_.col_stride;
                    b_stride = b_.row_stride;
                }
                multiply_tile(slab, rows, tile, panel, b, b_stride, part_of_next(slab, panel * tiles_ + tile));
            }
        }
    }

    // What is fetched of the next product while one of this product's tiles is computed, the `index`-th of a depth block: its share of
    // the operands.
    Later part_of_next(const Slab& slab, int64_t index) const {
        if (next_.a == nullptr) return {a_.data, 0};
        const int64_t done = (slab.begin * tiles_ * panels() + slab.depth * index) * bytes_per_step_;
        const int64_t first = done / static_cast<int64_t>(sizeof(T)), size_of_a = shape_.m * shape_.k;
        return {first < size_of_a ? next_.a + first : next_.b + min_of(first - size_of_a, shape_.k * shape_.n),
                bytes_per_step_};
    }

    // Whether the elements of a matrix lie in memory without gaps.
    static bool is_dense(MatrixView<const T> matrix, int64_t rows, int64_t columns) {
        return (matrix.col_stride == 1 && matrix.row_stride == columns) ||
               (matrix.row_stride == 1 && matrix.col_stride == rows);
    }

    void plan_fetching(NextOperands<T> next) {
        if (next.a == nullptr || !is_dense(a_, shape_.m, shape_.k) || !is_dense(b_, shape_.k, shape_.n)) return;
        next_ = next;
        const int64_t bytes = (shape_.m + shape_.n) * shape_.k * static_cast<int64_t>(sizeof(T));
        bytes_per_step_ = ceil_div(bytes, panels() * tiles_ * shape_.k);
    }

    // Rows of C for each thread from which on each packs all of B for itself. Together they pack it in less work, but where cores
    // share no cache, writing what the other has read takes 4 times as long, and reading what it wrote takes its time too: on two
    // such cores a product of 512 x 512 x 512 takes 0.91 of the time when each packs for itself.
    static constexpr int64_t kRowsToPackAlone = 64;

    int64_t columns_at_once() const {
        return ceil_div(ceil_div(shape_.n, blocks(shape_.n, kernels_.column_block)), kernels_.panel) * kernels_.panel;
    }
    bool divides_tiles() const {
        return tiles_ >= 4 * num_threads() || tiles_ * kernels_.max_rows >= columns_at_once();
    }
    bool packs_alone() const { return divides_tiles() && shape_.m >= kRowsToPackAlone * num_threads(); }

    // Many rows: threads share the rows or the panels, each packing what it needs of A; of B, all of it or a part for all of them.
    void share() {
        const int64_t most = columns_at_once();
        Scratch<T> packed((packs_alone() ? num_threads() : 1) * most * depth());
        for (int64_t column = 0; column < shape_.n; column += most) {
            for (int64_t block = 0; block < depth_blocks(); ++block) {
                share_block(slab(block, column, min_of(most, shape_.n - column)), packed.data());
            }
        }
    }

    void share_block(const Slab& slab, T* packed) {
        const int64_t panels = ceil_div(slab.columns, kernels_.panel);
        const int64_t panel_size = kernels_.panel * slab.depth;
        const bool alone = packs_alone();
        if (!alone) {
            parallel_for(panels, ceil_div(kThreadWork, kPackWork * panel_size),
                         [&](int64_t first, int64_t last) { pack_panels(slab, first, last, packed); });
        }
        if (divides_tiles()) {
            const int64_t turns = min_of(tiles_, max_of(ceil_div(tiles_, tiles_per_block()), 4 * num_threads()));
            const int64_t work = shape_.m * slab.columns * slab.depth / turns;
            parallel_turns(turns, ceil_div(kThreadWork, work), [&](Turns mine) {
                T* b = alone ? packed + mine.thread() * panels * panel_size : packed;
                bool is_packed = !alone;
                for (int64_t turn = mine.take(); turn >= 0; turn = mine.take()) {
                    if (!is_packed) pack_panels(slab, 0, panels, b);
                    is_packed = true;
                    multiply_part(slab, b, cut(tiles_, turns, turn), cut(tiles_, turns, turn + 1), 0, panels,
                                  slab.last ? finished_ : nullptr);
                }
            });
        } else {
            parallel_for(panels, ceil_div(kThreadWork, panel_size * shape_.m),
                         [&](int64_t first, int64_t last) { multiply_part(slab, packed, 0, tiles_, first, last); });
            if (slab.last) finish_rows(finished_, 0, shape_.m, shape_.n);
        }
    }

    // Tiles [first_tile, last_tile) of A times panels [first_panel, last_panel) of B. `finished`: who is told of their rows.
    void multiply_part(const Slab& slab, const T* b, int64_t first_tile, int64_t last_tile, int64_t first_panel,
                       int64_t last_panel, const RowsFinished* finished = nullptr) {
        const int64_t step = min_of(tiles_per_block(), last_tile - first_tile);
        Scratch<T> packed(step * kernels_.max_rows * slab.depth + kernels_.lanes);
        for (int64_t tile = first_tile; tile < last_tile; tile += step) {
            const int64_t end = min_of(tile + step, last_tile);
            pack_tiles(slab, tile, end, packed.data());
            for (int64_t panel = first_panel; panel < last_panel; ++panel) {
                multiply_panel(slab, packed.data(), tile, end, panel, b + panel * kernels_.panel * slab.depth,
                               row_of_later_tile(slab, end, panel - first_panel));
            }
            if (finished != nullptr) (*finished)(first_row(tile), first_row(end));
        }
    }

    T* pack_tiles(const Slab& slab, int64_t first, int64_t last, T* to) {
        for (int64_t tile = first; tile < last; ++tile) {
            const int64_t row = first_row(tile);
            const int64_t rows = first_row(tile + 1) - row;
            kernels_.pack_rows(static_cast<int>(rows), slab.depth,
                               a_.data + row * a_.row_stride + slab.begin * a_.col_stride, a_.row_stride, a_.col_stride,
                               to);
            to += rows * slab.depth;
        }
        return to;
    }

    // Several panels, all a few rows at a time: rows that are contiguous are read as such.
    void pack_panels(const Slab& slab, int64_t first, int64_t last, T* to) {
        const int64_t rows = b_.col_stride == 1 ? kPackRows : slab.depth;
        for (int64_t group = first; group < last; group += kPackPanels) {
            for (int64_t row = 0; row < slab.depth; row += rows) {
                for (int64_t panel = group; panel < min_of(group + kPackPanels, last); ++panel) {
                    pack_panel(slab, panel, row, min_of(rows, slab.depth - row),
                               to + (panel * slab.depth + row) * kernels_.panel);
                }
            }
        }
    }

    // `rows` rows of a panel, from the slab's row `row` on.
    void pack_panel(const Slab& slab, int64_t panel, int64_t row, int64_t rows, T* to) {
        const int64_t column = panel * kernels_.panel;
        const T* from = b_.data + (slab.begin + row) * b_.row_stride + (slab.column + column) * b_.col_stride;
        kernels_.pack_columns(static_cast<int>(min_of(kernels_.panel, slab.columns - column)), rows, from,
                              b_.row_stride, b_.col_stride, to);
    }

    // Packed tiles times a panel.
    void multiply_panel(const Slab& slab, const T* a, int64_t first_tile, int64_t last_tile, int64_t panel, const T* b,
                        Later later) {
        for (int64_t tile = first_tile; tile < last_tile; ++tile) {
            const TileOfA rows = packed_tile(a, tile);
            multiply_tile(slab, rows, tile, panel, b, kernels_.panel, later);
            a += rows.depth_stride * slab.depth;
        }
    }

    // What is fetched of A while its tiles up to `end` are multiplied by the `index`-th panel: a row of the tile that this thread will
    // probably take next.
    Later row_of_later_tile(const Slab& slab, int64_t end, int64_t index) const {
        if (end >= tiles_ || first_row(end) + index >= first_row(end + 1)) return {a_.data, 0};
        return {a_.data + (first_row(end) + index) * a_.row_stride + slab.begin * a_.col_stride,
                a_.col_stride * static_cast<int64_t>(sizeof(T))};
    }

    TileOfA packed_tile(const T* data, int64_t tile) const { return {data, 1, first_row(tile + 1) - first_row(tile)}; }

    void multiply_tile(const Slab& slab, const TileOfA& a, int64_t tile, int64_t panel, const T* b, int64_t b_stride,
                       Later later) {
        const int64_t column = panel * kernels_.panel;
        const int columns = static_cast<int>(min_of(kernels_.panel, slab.columns - column));
        const int64_t row = first_row(tile);
        const int rows = static_cast<int>(first_row(tile + 1) - row);
        T* c = c_.data + row * c_.row_stride + (slab.column + column) * c_.col_stride;
        if (c_.col_stride == 1) {
            kernels_.strided_tile(rows, columns, slab.depth, a.data, a.row_stride, a.depth_stride, b, b_stride, c,
                                  c_.row_stride, slab.accumulate, later);
        } else {
            multiply_scattered(rows, columns, slab, a, b, b_stride, c);
        }
    }

    // A tile whose columns lie apart in C goes through a buffer.
    void multiply_scattered(int rows, int columns, const Slab& slab, const TileOfA& a, const T* b, int64_t b_stride,
                            T* c) {
        alignas(64) T sums[16 * 32];
        kernels_.strided_tile(rows, columns, slab.depth, a.data, a.row_stride, a.depth_stride, b, b_stride, sums,
                              kernels_.panel, false, {a.data, 0});
        for (int j = 0; j < columns; ++j) {
            T* to = c + j * c_.col_stride;
            for (int i = 0; i < rows; ++i, to += c_.row_stride) {
                const T sum = sums[i * kernels_.panel + j];
                *to = slab.accumulate ? *to + sum : sum;
            }
        }
    }

    GemmShape shape_;
    MatrixView<const T> a_;
    MatrixView<const T> b_;
    MatrixView<T> c_;
    bool accumulate_;
    const RowsFinished* finished_;
    const GemmKernels<T>& kernels_;
    int64_t tiles_;
    EqualPieces rows_;      // of the tiles
    NextOperands<T> next_;  // null: nothing is fetched
    int64_t bytes_per_step_ = 0;
};

}  // namespace burn::ndarray
