// Who computes which part of the gradients of attention (builds for an operating system).
//
// A thread takes whole heads. When there are too few, threads share one: first each takes keys and computes dK and dV, then each
// takes queries and computes dQ. The gradient of a bias that heads share is computed by threads that each take keys, or else
// queries, of all heads. Every sum is made in the same order as by one thread.
#include <burn/backends/ndarray/attention/attention_backward.h>

#include <burn/base/parallel.h>

namespace burn::ndarray {

namespace {

/// How many parts of at least `least` of `count` things there should be, so that each thread has some.
int64_t fair_parts(int64_t heads, int64_t count, int64_t least) {
    return max_of(1, min_of(ceil_div(4 * num_threads(), heads), count / least));
}

}  // namespace

template <class E>
void attention_backward(const AttentionShape& shape, const AttentionInputs<E>& inputs,
                        const AttentionResults<E>& results, HeadsView<E> dq, HeadsView<E> dk, HeadsView<E> dv) {
    const GradientBlocks<AttentionType<E>> blocks(shape);
    const int64_t heads = shape.batch * shape.heads, threads = num_threads();
    const int64_t work = 1 + shape.queries * shape.keys * (3 * shape.width + 2 * shape.value_width);
    if (heads == 0) return;
    // Runs the parts that `part_of` gives for indices below `parts`, of every head.
    const auto run = [&](int64_t parts, int64_t most_queries, auto part_of, auto places_of) {
        parallel_for(heads * parts, ceil_div(kThreadWork, 1 + work / parts), [&](int64_t begin, int64_t end) {
            HeadGradients<E> gradients(shape, inputs, results, most_queries);
            for (int64_t unit = begin; unit < end; ++unit) {
                const int64_t i = unit / parts / shape.heads, j = unit / parts % shape.heads;
                gradients.run(i, j, part_of(folded(unit % parts, parts)), places_of(i, j));
            }
        });
    };
    // Sharing heads computes 7 products in place of 5.
    if (5 * ceil_div(heads, threads) * threads <= 7 * heads) {
        return run(
            1, shape.queries, [&](int64_t) { return GradientPart{0, blocks.count, 0, blocks.panels}; },
            [&](int64_t i, int64_t j) { return GradientPlaces<E>{dq.of(i, j), dk.of(i, j), dv.of(i, j), {}}; });
    }
    const int64_t key_parts = fair_parts(heads, blocks.panels, 2), query_parts = fair_parts(heads, blocks.count, 1);
    run(
        key_parts, shape.queries,
        [&](int64_t part) {
            return GradientPart{0, blocks.count, cut(blocks.panels, key_parts, part),
                                cut(blocks.panels, key_parts, part + 1)};
        },
        [&](int64_t i, int64_t j) { return GradientPlaces<E>{{}, dk.of(i, j), dv.of(i, j), {}}; });
    run(
        query_parts, ceil_div(blocks.count, query_parts) * blocks.most,
        [&](int64_t part) {
            return GradientPart{cut(blocks.count, query_parts, part), cut(blocks.count, query_parts, part + 1), 0,
                                blocks.panels};
        },
        [&](int64_t i, int64_t j) { return GradientPlaces<E>{dq.of(i, j), {}, {}, {}}; });
}

template <class E>
void attention_bias_backward(const AttentionShape& shape, const AttentionInputs<E>& inputs,
                             const AttentionResults<E>& results, HeadsView<AttentionType<E>> dbias) {
    const GradientBlocks<AttentionType<E>> blocks(shape);
    const bool by_keys = dbias.strides[3] != 0, by_queries = !by_keys && dbias.strides[2] != 0;
    // An element belongs to one part, and meets the heads in their order.
    const int64_t things = by_keys ? blocks.panels : by_queries ? blocks.count : 1;
    const int64_t parts = max_of(1, min_of(things, 2 * num_threads()));
    const int64_t work = shape.batch * shape.heads * shape.queries * shape.keys * (shape.width + shape.value_width);
    parallel_for(parts, ceil_div(kThreadWork, 1 + work / parts), [&](int64_t begin, int64_t end) {
        HeadGradients<E> gradients(shape, inputs, results, shape.queries);
        for (int64_t unit = begin; unit < end; ++unit) {
            const int64_t at = folded(unit, parts), first = cut(things, parts, at), last = cut(things, parts, at + 1);
            GradientPart part{0, blocks.count, 0, blocks.panels};
            if (by_keys) part.first_panel = first, part.last_panel = last;
            if (by_queries) part.first_block = first, part.last_block = last;
            for (int64_t i = 0; i < shape.batch; ++i) {
                for (int64_t j = 0; j < shape.heads; ++j) gradients.run(i, j, part, {{}, {}, {}, dbias.of(i, j)});
            }
        }
    });
}

#define BURN_ATTENTION_BACKWARD(E)                                                                                    \
    template void attention_backward<E>(const AttentionShape&, const AttentionInputs<E>&, const AttentionResults<E>&, \
                                        HeadsView<E>, HeadsView<E>, HeadsView<E>);                                    \
    template void attention_bias_backward<E>(const AttentionShape&, const AttentionInputs<E>&,                        \
                                             const AttentionResults<E>&, HeadsView<AttentionType<E>>);
BURN_ATTENTION_BACKWARD(float)
BURN_ATTENTION_BACKWARD(double)
BURN_ATTENTION_BACKWARD(f16)
BURN_ATTENTION_BACKWARD(bf16)
#undef BURN_ATTENTION_BACKWARD

}  // namespace burn::ndarray
