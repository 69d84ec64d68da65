// Attention (builds for an operating system).
//
// A thread takes a range of one head's queries, and goes through the keys block by block. Scores are computed turned,
// [keys, queries], so that the softmax runs along lanes, a query in each, without sums across them, and what it leaves is the
// packed operand of the product with the values, whose sums are turned, too:
//
//   scores [keys, panel] = K tiles * Q panel;  scores -> weights, online;  sums [value width, panel] += V^T tiles * weights
//
// Packed keys and values stream from the second cache past one panel of queries after the other; scores of a block and the sums
// of a panel stay in the first.
#include <burn/backends/ndarray/attention/attention_blocks.h>
#include <burn/base/cpu_features.h>
#include <burn/base/parallel.h>
#include <burn/ops/num.h>

namespace burn::ndarray {

namespace {

/// Scores of a block of keys and a panel of queries should take half of a first cache.
constexpr int64_t kBlockKeys = 128;
/// Blocks whose keys and values are packed at once.
constexpr int64_t kPackedBlocks = 8;
/// Queries that share packed keys and values: packing is little work beside their products then.
constexpr int64_t kMostQueries = 512, kFewQueries = 128;

template <class E>
class Forward {
public:
    using A = AttentionType<E>;

    Forward(const AttentionShape& shape, const AttentionInputs<E>& inputs, int64_t most_queries)
        : shape_(shape), inputs_(inputs),
          block_keys_(max_of(1, kBlockKeys / products_.gemm.max_rows) * products_.gemm.max_rows),
          blocks_(ceil_div(shape.keys, block_keys_)), queries_(products_.size_of_columns(most_queries, shape.width)),
          keys_(products_.size_of_rows(packed_keys(), shape.width)),
          values_(products_.size_of_rows(shape.value_width, packed_keys())),
          sums_(products_.size_of_columns(most_queries, shape.value_width)),
          top_(products_.size_of_columns(most_queries, 1)), total_(products_.size_of_columns(most_queries, 1)),
          scores_(block_keys_ * products_.panel),
          rows_of_y_(products_.size_of_rows(shape.value_width, products_.panel)),
          bias_(inputs.bias.data == nullptr ? 0 : block_keys_ * products_.panel),
          reader_(max_of(max_of(products_.panel, block_keys_) * max_of(shape.width, shape.value_width),
                         products_.panel * block_keys_)) {
        for (int64_t i = 0; i < block_keys_ * products_.panel; ++i) {
            scores_[i] = 0;
            if (inputs.bias.data != nullptr) bias_[i] = 0;
        }
    }

    /// Queries [first, last) of one head.
    void run(int64_t batch, int64_t head, int64_t first, int64_t last, MatrixView<E> y, MatrixView<A> lse) {
        const AttentionHead<E> from(inputs_, batch, head);
        begin(from, first, last);
        const int64_t seen = shape_.is_causal ? min_of(shape_.keys, last) : shape_.keys;
        for (int64_t block = 0; block < blocks_ && key_of(block) < seen; block += kPackedBlocks) {
            const int64_t end = min_of(block + kPackedBlocks, blocks_);
            pack(from, block, end, seen);
            for (int64_t query = first; query < last; query += products_.panel)
                go_through(from, block, end, query, min_of(products_.panel, last - query), query - first);
        }
        for (int64_t query = first; query < last; query += products_.panel)
            finish(query, min_of(products_.panel, last - query), query - first, y, lse);
    }

private:
    int64_t packed_keys() const { return min_of(shape_.keys, kPackedBlocks * block_keys_); }
    int64_t key_of(int64_t block) const { return cut(shape_.keys, blocks_, block); }

    /// Packs the queries, scaled, a panel behind the other.
    void begin(const AttentionHead<E>& from, int64_t first, int64_t last) {
        const auto scale = static_cast<A>(shape_.scale);
        const int64_t panel = products_.panel, size = shape_.width * panel;
        A* to = queries_.data();
        for (int64_t query = first; query < last; query += panel, to += size) {
            const int64_t count = min_of(panel, last - query);
            products_.pack_columns(count, shape_.width, turned(reader_.read(from.query, query, count, shape_.width)),
                                   to);
            for (int64_t i = 0; i < size; ++i) to[i] *= scale;
        }
        const int64_t lanes = ceil_div(last - first, panel) * panel;
        for (int64_t i = 0; i < lanes; ++i) {
            top_[i] = -static_cast<A>(__builtin_huge_val());
            total_[i] = 0;
        }
        __builtin_memset(sums_.data(), 0, static_cast<std::size_t>(lanes * shape_.value_width) * sizeof(A));
    }

    void pack(const AttentionHead<E>& from, int64_t first, int64_t end, int64_t seen) {
        for (int64_t block = first; block < end && key_of(block) < seen; ++block) {
            const int64_t key = key_of(block), count = key_of(block + 1) - key, at = key - key_of(first);
            products_.pack_rows(count, shape_.width, reader_.read(from.key, key, count, shape_.width),
                                keys_.data() + at * shape_.width);
            products_.pack_rows(shape_.value_width, count,
                                turned(reader_.read(from.value, key, count, shape_.value_width)),
                                values_.data() + at * shape_.value_width);
        }
    }

    /// One panel of queries and the packed blocks of keys.
    void go_through(const AttentionHead<E>& from, int64_t first, int64_t end, int64_t query, int64_t count,
                    int64_t lane) {
        const int64_t panel = products_.panel;
        const int64_t seen = shape_.is_causal ? min_of(shape_.keys, query + count) : shape_.keys;
        A* const sums = sums_.data() + lane * shape_.value_width;
        for (int64_t block = first; block < end && key_of(block) < seen; ++block) {
            const int64_t key = key_of(block), packed = key_of(block + 1) - key, at = key - key_of(first);
            const int64_t keys = min_of(packed, seen - key);
            products_.multiply(products_.packed(packed, shape_.width, keys_.data() + at * shape_.width), 0, keys,
                               queries_.data() + lane * shape_.width, count, scores_.data());
            if (shape_.softcap > 0)
                products_.softmax.cap(keys, panel, static_cast<A>(shape_.softcap), scores_.data(), nullptr);
            if (from.bias.data != nullptr) add_bias(from.bias, query, count, key, keys);
            hide(shape_, from, ScoreBlock<A>{scores_.data(), 1, panel, query, count, key, keys});
            products_.softmax.advance(keys, panel, scores_.data(), top_.data() + lane, total_.data() + lane,
                                      shape_.value_width, sums);
            products_.multiply_add(
                products_.packed(shape_.value_width, packed, values_.data() + at * shape_.value_width), 0, keys,
                scores_.data(), count, sums);
        }
    }

    /// Adds the bias of a block of keys, turned like the scores.
    void add_bias(MatrixView<const E> bias, int64_t query, int64_t count, int64_t key, int64_t keys) {
        bias.data += key * bias.col_stride;
        products_.pack_columns(count, keys, turned(reader_.read(bias, query, count, keys)), bias_.data());
        add_row(keys * products_.panel, bias_.data(), 1, scores_.data(), 1);
    }

    void finish(int64_t query, int64_t count, int64_t lane, MatrixView<E> y, MatrixView<A> lse) {
        A* const sums = sums_.data() + lane * shape_.value_width;
        products_.softmax.normalise(shape_.value_width, products_.panel, total_.data() + lane, sums);
        products_.gemm.pack_rows(static_cast<int>(shape_.value_width), count, sums, products_.panel, 1,
                                 rows_of_y_.data());
        write_rows(count, shape_.value_width, rows_of_y_.data(), from_row(y, query));
        for (int64_t i = 0; i < count; ++i) {
            const A top = top_[lane + i];
            const A middle = top == -static_cast<A>(__builtin_huge_val()) ? 0 : top;
            *from_row(lse, query + i).data = middle + ops::log(ops::Num<A>(total_[lane + i])).value;
        }
    }

    const PackedProducts<A> products_;
    const AttentionShape& shape_;
    const AttentionInputs<E>& inputs_;
    const int64_t block_keys_;
    const int64_t blocks_;
    Scratch<A> queries_, keys_, values_, sums_, top_, total_, scores_, rows_of_y_, bias_;
    RowsReader<E> reader_;
};

template <class T>
const AttentionKernels<T>& choose_kernels() {
    switch (active_isa()) {
#if defined(__x86_64__)
        case Isa::Avx512: return attention_kernels_avx512(T());
        case Isa::Avx2: return attention_kernels_avx2(T());
#endif
        default: return attention_kernels_baseline(T());
    }
}

}  // namespace

template <>
const AttentionKernels<float>& attention_kernels<float>() {
    return choose_kernels<float>();
}

template <>
const AttentionKernels<double>& attention_kernels<double>() {
    return choose_kernels<double>();
}

template <class E>
void attention_forward(const AttentionShape& shape, const AttentionInputs<E>& inputs, HeadsView<E> y,
                       HeadsView<AttentionType<E>> lse) {
    const int64_t panel = gemm_kernels<AttentionType<E>>().panel, heads = shape.batch * shape.heads;
    const int64_t panels = ceil_div(shape.queries, panel);
    if (heads == 0 || panels == 0) return;
    const int64_t fair = ceil_div(heads * panels, 4 * num_threads());
    const int64_t part = min_of(max_of(fair, ceil_div(kFewQueries, panel)), ceil_div(kMostQueries, panel));
    const int64_t parts = ceil_div(panels, part), most = min_of(part * panel, shape.queries);
    const int64_t work = 1 + most * shape.keys * (shape.width + shape.value_width);
    parallel_for(heads * parts, ceil_div(kThreadWork, work), [&](int64_t begin, int64_t end) {
        Forward<E> forward(shape, inputs, most);
        for (int64_t unit = begin; unit < end; ++unit) {
            const int64_t head = unit / parts, at = folded(unit % parts, parts);
            const int64_t first = cut(panels, parts, at) * panel;
            const int64_t last = min_of(cut(panels, parts, at + 1) * panel, shape.queries);
            const int64_t i = head / shape.heads, j = head % shape.heads;
            forward.run(i, j, first, last, y.of(i, j), lse.of(i, j));
        }
    });
}

#define BURN_ATTENTION_FORWARD(E)                                                                      \
    template void attention_forward<E>(const AttentionShape&, const AttentionInputs<E>&, HeadsView<E>, \
                                       HeadsView<AttentionType<E>>);
BURN_ATTENTION_FORWARD(float)
BURN_ATTENTION_FORWARD(double)
BURN_ATTENTION_FORWARD(f16)
BURN_ATTENTION_FORWARD(bf16)
#undef BURN_ATTENTION_FORWARD

}  // namespace burn::ndarray
