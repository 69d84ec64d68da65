// What the two directions of attention share: packed blocks of operands, and what happens to scores before the softmax.
#pragma once

#include <bit>
#include <type_traits>

#include <burn/backends/ndarray/attention/attention.h>
#include <burn/backends/ndarray/attention/attention_kernels.h>
#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/product/gemm_kernels.h>
#include <burn/backends/ndarray/product/gemm_widened.h>
#include <burn/backends/ndarray/scratch.h>

namespace burn::ndarray {

/// One head of an attention: where its operands are.
template <class E>
struct AttentionHead {
    AttentionHead(const AttentionInputs<E>& inputs, int64_t batch, int64_t head)
        : query(inputs.query.of(batch, head)), key(inputs.key.of(batch, head)), value(inputs.value.of(batch, head)),
          mask(inputs.mask.of(batch, head)), bias(inputs.bias.of(batch, head)) {}

    MatrixView<const E> query;
    MatrixView<const E> key;
    MatrixView<const E> value;
    MatrixView<const bool> mask;
    MatrixView<const E> bias;
};

template <class T>
MatrixView<T> from_row(MatrixView<T> view, int64_t row) {
    return {view.data + row * view.row_stride, view.row_stride, view.col_stride};
}

template <class T>
MatrixView<T> turned(MatrixView<T> view) {
    return {view.data, view.col_stride, view.row_stride};
}

/// Takes rows of an operand to the type that is computed in: as they are, or widened copies.
template <class E>
class RowsReader {
public:
    using A = AttentionType<E>;

    explicit RowsReader(int64_t most_elements) : copy_(std::is_same_v<E, A> ? 0 : most_elements) {}

    MatrixView<const A> read(MatrixView<const E> view, int64_t first, int64_t rows, int64_t columns) {
        view = from_row(view, first);
        if constexpr (std::is_same_v<E, A>) {
            return view;
        } else {
            if (rows * columns == 0) return {copy_.data(), columns, 1};
            return widen<E>(rows, columns, view, copy_.data());
        }
    }

private:
    Scratch<A> copy_;
};

/// How rows are cut into tiles of the matrix product's A, one packed behind the other.
struct TileRows {
    TileRows(int64_t rows, int max_rows) : rows(rows), count(ceil_div(rows, max_rows)) {}

    int64_t first(int64_t tile) const { return cut(rows, count, tile); }
    int size(int64_t tile) const { return static_cast<int>(first(tile + 1) - first(tile)); }
    /// The tile that row `row` is in.
    int64_t holding(int64_t row) const {
        int64_t tile = row * count / rows;
        while (first(tile + 1) <= row) ++tile;
        while (first(tile) > row) --tile;
        return tile;
    }

    int64_t rows;
    int64_t count;
};

/// Rows packed as tiles of A, all of one depth.
template <class A>
struct PackedRows {
    TileRows tiles;
    const A* data;
    int64_t depth;
};

/// Products with packed operands of one type.
template <class A>
class PackedProducts {
public:
    const GemmKernels<A>& gemm = gemm_kernels<A>();
    const AttentionKernels<A>& softmax = attention_kernels<A>();
    const int64_t panel = gemm.panel;

    TileRows tiles(int64_t rows) const { return {rows, gemm.max_rows}; }
    PackedRows<A> packed(int64_t rows, int64_t depth, const A* data) const { return {tiles(rows), data, depth}; }
    /// Elements of `rows` packed rows of A, with what packing may write behind them.
    int64_t size_of_rows(int64_t rows, int64_t depth) const { return rows * depth + gemm.lanes; }
    /// Elements of `columns` packed columns of B.
    int64_t size_of_columns(int64_t columns, int64_t depth) const { return ceil_div(columns, panel) * panel * depth; }

    /// Packs a matrix [rows, depth] as tiles of A.
    void pack_rows(int64_t rows, int64_t depth, MatrixView<const A> from, A* to) const {
        const TileRows cuts = tiles(rows);
        for (int64_t tile = 0; tile < cuts.count; ++tile) {
            const int64_t row = cuts.first(tile);
            gemm.pack_rows(cuts.size(tile), depth, from_row(from, row).data, from.row_stride, from.col_stride,
                           to + row * depth);
        }
    }
    /// Packs a matrix [depth, columns] as panels of B.
    void pack_columns(int64_t columns, int64_t depth, MatrixView<const A> from, A* to) const {
        for (int64_t column = 0; column < columns; column += panel, to += panel * depth) {
            gemm.pack_columns(static_cast<int>(min_of(panel, columns - column)), depth,
                              from.data + column * from.col_stride, from.row_stride, from.col_stride, to);
        }
    }

    /// c = a b for the tiles of `a` from `first` on that begin before row `end`; b and c [.., columns] are panels, c's row 0
    /// that of a's.
    void multiply(const PackedRows<A>& a, int64_t first, int64_t end, const A* b, int64_t columns, A* c) const {
        for (int64_t tile = first; tile < a.tiles.count && a.tiles.first(tile) < end; ++tile) {
            const int64_t row = a.tiles.first(tile);
            gemm.tile(a.tiles.size(tile), static_cast<int>(columns), a.depth, a.data + row * a.depth, b, panel,
                      c + row * panel, panel, false);
        }
    }
    /// c += a b over `depth` elements of a's depth, from `skipped` on; b and c [.., columns] are panels.
    void multiply_add(const PackedRows<A>& a, int64_t skipped, int64_t depth, const A* b, int64_t columns, A* c) const {
        for (int64_t tile = 0; tile < a.tiles.count; ++tile) {
            const int64_t row = a.tiles.first(tile);
            const int rows = a.tiles.size(tile);
            gemm.tile(rows, static_cast<int>(columns), depth, a.data + row * a.depth + skipped * rows, b, panel,
                      c + row * panel, panel, true);
        }
    }
};

/// Scores of `queries` x `keys` pairs in memory: that of query i and key j is at scores[i * query_stride + j * key_stride].
template <class A>
struct ScoreBlock {
    A* scores;
    int64_t query_stride, key_stride;
    int64_t first_query, queries;
    int64_t first_key, keys;
};

/// -inf if `hide`, without a jump that would be guessed wrong where masks look random.
template <class A>
A hidden_if(bool hide, A score) {
    using Bits = std::conditional_t<sizeof(A) == 4, std::uint32_t, std::uint64_t>;
    const Bits kept = static_cast<Bits>(hide) - 1;
    const Bits nothing = std::bit_cast<Bits>(-static_cast<A>(__builtin_huge_val()));
    return std::bit_cast<A>((std::bit_cast<Bits>(score) & kept) | (nothing & ~kept));
}

/// to += from, for `count` elements.
template <class E, class A>
void add_row(int64_t count, const E* from, int64_t from_stride, A* to, int64_t to_stride) {
    if (from_stride == 1 && to_stride == 1) {  // the loop that compilers find vectors for
        for (int64_t i = 0; i < count; ++i) to[i] += static_cast<A>(from[i]);
    } else {
        for (int64_t i = 0; i < count; ++i) to[i * to_stride] += static_cast<A>(from[i * from_stride]);
    }
}

/// Hides what causality hides: keys behind their query.
template <class A>
void hide_later(const ScoreBlock<A>& block) {
    const A nothing = -static_cast<A>(__builtin_huge_val());
    const int64_t behind = block.first_query + 1 - block.first_key;  // the first key that query 0 does not see
    if (block.query_stride == 1) {                                   // along what lies next to each other
        for (int64_t j = max_of(0, behind); j < block.keys; ++j) {
            A* row = block.scores + j * block.key_stride;
            for (int64_t i = 0; i < min_of(block.queries, j - behind + 1); ++i) row[i] = nothing;
        }
        return;
    }
    for (int64_t i = 0; i < block.queries; ++i) {
        A* row = block.scores + i * block.query_stride;
        for (int64_t j = max_of(0, behind + i); j < block.keys; ++j) row[j * block.key_stride] = nothing;
    }
}

/// Hides what the mask and causality hide.
template <class E, class A>
void hide(const AttentionShape& shape, const AttentionHead<E>& head, const ScoreBlock<A>& block) {
    if (shape.is_causal) hide_later(block);
    if (head.mask.data == nullptr) return;
    for (int64_t i = 0; i < block.queries; ++i) {
        A* row = block.scores + i * block.query_stride;
        const bool* mask = from_row(head.mask, block.first_query + i).data + block.first_key * head.mask.col_stride;
        for (int64_t j = 0; j < block.keys; ++j) {
            A& score = row[j * block.key_stride];
            score = hidden_if(mask[j * head.mask.col_stride], score);
        }
    }
}

/// The part at a place of an order in which early and late parts alternate: under causality they differ in work, and threads take
/// ranges of places.
inline int64_t folded(int64_t part, int64_t parts) { return part % 2 == 0 ? part / 2 : parts - 1 - part / 2; }

template <class E, class A>
void write_rows(int64_t rows, int64_t columns, const A* from, MatrixView<E> to) {
    for (int64_t i = 0; i < rows; ++i, from += columns) {
        E* row = to.data + i * to.row_stride;
        if constexpr (std::is_same_v<E, A>) {
            if (to.col_stride == 1) {
                __builtin_memcpy(row, from, static_cast<std::size_t>(columns) * sizeof(E));
                continue;
            }
        }
        for (int64_t j = 0; j < columns; ++j) row[j * to.col_stride] = static_cast<E>(from[j]);
    }
}

}  // namespace burn::ndarray
