// The gradients of one head of an attention, block by block; who computes which part is in attention_backward.cpp.
//
// Scores and their cotangents are computed as they lie in memory, [queries, keys], a panel of keys in the lanes, for then four
// of the five products need nothing packed that was just computed:
//
//   scores [queries, panel] = Q tiles * K^T panel            weights = exp(scores - lse)
//   cotangents of weights [queries, panel] = dY tiles * V^T panel
//   dV^T [value width, panel] += dY^T tiles * weights        dK^T [width, panel] += Q^T tiles * cotangents of scores
//   dQ [queries, width] += cotangents of scores, packed * K panel
#pragma once

#include <burn/backends/ndarray/attention/attention_blocks.h>

namespace burn::ndarray {

/// Blocks of queries and panels of keys.
template <class A>
struct GradientBlocks {
    /// Two blocks of scores should fit a first cache.
    static constexpr int64_t kQueries = 112;

    explicit GradientBlocks(const AttentionShape& shape)
        : most(max_of(1, kQueries / gemm_kernels<A>().max_rows) * gemm_kernels<A>().max_rows),
          count(max_of(1, ceil_div(shape.queries, most))), queries(shape.queries),
          panels(ceil_div(shape.keys, gemm_kernels<A>().panel)) {}

    int64_t query_of(int64_t block) const { return cut(queries, count, block); }

    int64_t most;  ///< queries of a block
    int64_t count;
    int64_t queries;
    int64_t panels;
};

/// A part of a head's work: blocks of queries, panels of keys.
struct GradientPart {
    int64_t first_block, last_block;
    int64_t first_panel, last_panel;
};

/// Where the gradients of one head go; those without a place are not computed. To dbias they are added.
template <class E>
struct GradientPlaces {
    MatrixView<E> dq, dk, dv;
    MatrixView<AttentionType<E>> dbias;
};

/// Working memory for parts of heads, of at most `most_queries` queries.
template <class E>
class HeadGradients {
public:
    using A = AttentionType<E>;

    HeadGradients(const AttentionShape& shape, const AttentionInputs<E>& inputs, const AttentionResults<E>& results,
                  int64_t most_queries)
        : shape_(shape), inputs_(inputs), results_(results), blocks_(shape),
          queries_(products_.size_of_rows(most_queries, shape.width)),
          queries_turned_(products_.size_of_rows(most_queries, shape.width)),
          cotangents_(products_.size_of_rows(most_queries, shape.value_width)),
          cotangents_turned_(products_.size_of_rows(most_queries, shape.value_width)), lse_(most_queries),
          mean_(most_queries), dq_(most_queries * shape.width), keys_turned_(products_.panel * shape.width),
          keys_(products_.size_of_columns(shape.width, products_.panel)),
          values_turned_(products_.panel * shape.value_width), dk_(products_.panel * shape.width),
          dv_(products_.panel * shape.value_width), scores_(blocks_.most * products_.panel),
          dscores_(blocks_.most * products_.panel), slopes_(shape.softcap > 0 ? blocks_.most * products_.panel : 0),
          packed_dscores_(products_.size_of_rows(products_.gemm.max_rows, products_.panel)),
          rows_of_result_(products_.size_of_rows(max_of(shape.width, shape.value_width), products_.panel)),
          reader_(max_of(products_.panel, blocks_.most) * max_of(shape.width, shape.value_width)) {
        for (int64_t i = 0; i < blocks_.most * products_.panel; ++i) scores_[i] = dscores_[i] = 0;
    }

    void run(int64_t batch, int64_t head, const GradientPart& part, const GradientPlaces<E>& to) {
        const AttentionHead<E> from(inputs_, batch, head);
        first_query_ = blocks_.query_of(part.first_block);
        for (int64_t block = part.first_block; block < part.last_block; ++block)
            pack_queries(from, batch, head, block, to);
        for (int64_t panel = part.first_panel; panel < part.last_panel; ++panel) {
            const int64_t key = panel * products_.panel, count = min_of(products_.panel, shape_.keys - key);
            pack_keys(from, key, count, to);
            for (int64_t i = 0; i < products_.panel * shape_.width; ++i) dk_[i] = 0;
            for (int64_t i = 0; i < products_.panel * shape_.value_width; ++i) dv_[i] = 0;
            for (int64_t block = part.first_block; block < part.last_block; ++block)
                go_through(from, block, key, count, to);
            if (to.dk.data != nullptr) write_turned(shape_.width, count, dk_.data(), from_row(to.dk, key));
            if (to.dv.data != nullptr) write_turned(shape_.value_width, count, dv_.data(), from_row(to.dv, key));
        }
        if (to.dq.data == nullptr) return;
        const int64_t count = blocks_.query_of(part.last_block) - first_query_;
        scale(count * shape_.width, dq_.data());
        write_rows(count, shape_.width, dq_.data(), from_row(to.dq, first_query_));
    }

private:
    /// Packs a block of queries, scaled, and of dy, each in both directions; lse, and the mean of dy over the weights.
    void pack_queries(const AttentionHead<E>& from, int64_t batch, int64_t head, int64_t block,
                      const GradientPlaces<E>& to) {
        const int64_t query = blocks_.query_of(block), count = blocks_.query_of(block + 1) - query,
                      at = query - first_query_;
        A* const queries = queries_.data() + at * shape_.width;
        const MatrixView<const A> q = reader_.read(from.query, query, count, shape_.width);
        products_.pack_rows(count, shape_.width, q, queries);
        scale(count * shape_.width, queries);
        if (to.dk.data != nullptr) {
            A* const queries_turned = queries_turned_.data() + at * shape_.width;
            products_.pack_rows(shape_.width, count, turned(q), queries_turned);
            scale(count * shape_.width, queries_turned);
        }
        for (int64_t i = 0; i < count * shape_.width; ++i) dq_[at * shape_.width + i] = 0;
        const MatrixView<const E> dy = results_.dy.of(batch, head), y = results_.y.of(batch, head);
        const MatrixView<const A> cotangents = reader_.read(dy, query, count, shape_.value_width);
        products_.pack_rows(count, shape_.value_width, cotangents, cotangents_.data() + at * shape_.value_width);
        if (to.dv.data != nullptr)
            products_.pack_rows(shape_.value_width, count, turned(cotangents),
                                cotangents_turned_.data() + at * shape_.value_width);
        for (int64_t i = 0; i < count; ++i) {
            const A lse = *from_row(results_.lse.of(batch, head), query + i).data;
            // A row of nothing has weights 0, whatever its scores.
            lse_[at + i] = lse == -static_cast<A>(__builtin_huge_val()) ? -lse : lse;
            A mean = 0;
            for (int64_t p = 0; p < shape_.value_width; ++p)
                mean += cotangents.data[i * cotangents.row_stride + p * cotangents.col_stride] *
                        static_cast<A>(y.data[(query + i) * y.row_stride + p * y.col_stride]);
            if (results_.dlse.data != nullptr) mean -= *from_row(results_.dlse.of(batch, head), query + i).data;
            mean_[at + i] = mean;
        }
    }

    void scale(int64_t count, A* values) const {
        const auto factor = static_cast<A>(shape_.scale);
        for (int64_t i = 0; i < count; ++i) values[i] *= factor;
    }

    void pack_keys(const AttentionHead<E>& from, int64_t key, int64_t count, const GradientPlaces<E>& to) {
        const MatrixView<const A> k = reader_.read(from.key, key, count, shape_.width);
        products_.pack_columns(count, shape_.width, turned(k), keys_turned_.data());
        if (to.dq.data != nullptr) products_.pack_columns(shape_.width, count, k, keys_.data());
        const MatrixView<const A> v = reader_.read(from.value, key, count, shape_.value_width);
        products_.pack_columns(count, shape_.value_width, turned(v), values_turned_.data());
    }

    /// A block of queries and a panel of keys.
    void go_through(const AttentionHead<E>& from, int64_t block, int64_t key, int64_t count,
                    const GradientPlaces<E>& to) {
        const int64_t query = blocks_.query_of(block), packed = blocks_.query_of(block + 1) - query,
                      at = query - first_query_, panel = products_.panel;
        if (packed == 0 || (shape_.is_causal && query + packed <= key)) return;
        const TileRows tiles = products_.tiles(packed);
        // Tiles of queries that are all before the first key see none.
        const int64_t tile = shape_.is_causal && key > query ? tiles.holding(key - query) : 0;
        const int64_t skipped = tiles.first(tile), queries = packed - skipped;
        A* const scores = scores_.data() + skipped * panel;
        A* const dscores = dscores_.data() + skipped * panel;
        products_.multiply(products_.packed(packed, shape_.width, queries_.data() + at * shape_.width), tile, packed,
                           keys_turned_.data(), count, scores_.data());
        products_.multiply(products_.packed(packed, shape_.value_width, cotangents_.data() + at * shape_.value_width),
                           tile, packed, values_turned_.data(), count, dscores_.data());
        if (shape_.softcap > 0)
            products_.softmax.cap(queries, panel, static_cast<A>(shape_.softcap), scores, slopes_.data());
        if (from.bias.data != nullptr) add_bias(from.bias, query + skipped, queries, key, count, scores);
        hide(shape_, from, ScoreBlock<A>{scores, panel, 1, query + skipped, queries, key, count});
        products_.softmax.gradient(queries, panel, lse_.data() + at + skipped, mean_.data() + at + skipped, scores,
                                   dscores);
        if (to.dbias.data != nullptr) add_to_dbias(query + skipped, queries, key, count, dscores, to.dbias);
        if (to.dv.data != nullptr) {
            products_.multiply_add(
                products_.packed(shape_.value_width, packed, cotangents_turned_.data() + at * shape_.value_width),
                skipped, queries, scores, count, dv_.data());
        }
        if (shape_.softcap > 0) {
            for (int64_t i = 0; i < queries * panel; ++i) dscores[i] *= slopes_[i];
        }
        if (to.dk.data != nullptr) {
            products_.multiply_add(products_.packed(shape_.width, packed, queries_turned_.data() + at * shape_.width),
                                   skipped, queries, dscores, count, dk_.data());
        }
        if (to.dq.data != nullptr) add_to_dq(tiles, tile, count, dq_.data() + at * shape_.width);
    }

    void add_to_dq(const TileRows& tiles, int64_t first_tile, int64_t count, A* dq) {
        const int64_t panel = products_.panel;
        for (int64_t tile = first_tile; tile < tiles.count; ++tile) {
            const int64_t row = tiles.first(tile);
            const int rows = tiles.size(tile);
            products_.gemm.pack_rows(rows, count, dscores_.data() + row * panel, panel, 1, packed_dscores_.data());
            for (int64_t column = 0; column < shape_.width; column += panel) {
                products_.gemm.tile(rows, static_cast<int>(min_of(panel, shape_.width - column)), count,
                                    packed_dscores_.data(), keys_.data() + column * count, panel,
                                    dq + row * shape_.width + column, shape_.width, true);
            }
        }
    }

    void add_bias(MatrixView<const E> bias, int64_t query, int64_t queries, int64_t key, int64_t count,
                  A* scores) const {
        for (int64_t i = 0; i < queries; ++i) {
            const E* from = from_row(bias, query + i).data + key * bias.col_stride;
            add_row(count, from, bias.col_stride, scores + i * products_.panel, 1);
        }
    }

    void add_to_dbias(int64_t query, int64_t queries, int64_t key, int64_t count, const A* dscores,
                      MatrixView<A> dbias) const {
        for (int64_t i = 0; i < queries; ++i) {
            A* to = from_row(dbias, query + i).data + key * dbias.col_stride;
            add_row(count, dscores + i * products_.panel, 1, to, dbias.col_stride);
        }
    }

    /// Writes `count` columns of turned sums [width, panel] as rows.
    void write_turned(int64_t width, int64_t count, const A* sums, MatrixView<E> to) {
        products_.gemm.pack_rows(static_cast<int>(width), count, sums, products_.panel, 1, rows_of_result_.data());
        write_rows(count, width, rows_of_result_.data(), to);
    }

    const PackedProducts<A> products_;
    const AttentionShape& shape_;
    const AttentionInputs<E>& inputs_;
    const AttentionResults<E>& results_;
    const GradientBlocks<A> blocks_;
    int64_t first_query_ = 0;
    Scratch<A> queries_, queries_turned_, cotangents_, cotangents_turned_, lse_, mean_, dq_;
    Scratch<A> keys_turned_, keys_, values_turned_, dk_, dv_;
    Scratch<A> scores_, dscores_, slopes_, packed_dscores_, rows_of_result_;
    RowsReader<E> reader_;
};

}  // namespace burn::ndarray
