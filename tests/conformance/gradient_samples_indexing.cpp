#include "tests/conformance/gradient_samples.h"

#include <burn/ops/indexing.h>
#include <burn/ops/sort.h>

namespace burn::conformance {

void sample_indexing(GradientSamples& samples) {
    constexpr auto kAdd = ops::IndexingUpdate::Add;
    constexpr auto kAssign = ops::IndexingUpdate::Assign;

    samples.push_back({"gather along 0", ops::Gather{0}, {reals({4, 3}), indices({6, 2}, 4)}});
    samples.push_back({"gather along -1", ops::Gather{-1}, {reals({2, 3, 5}), indices({2, 3, 4}, 5)}});
    samples.push_back({"scatter, adding at repeated places",
                       ops::Scatter{1, kAdd},
                       {reals({2, 4}), indices({2, 6}, 4), reals({2, 6}, -2, 2, 2)}});
    samples.push_back(
        {"scatter, assigning", ops::Scatter{0, kAssign}, {reals({5}), index_list({3, 1, 4}), reals({3}, -2, 2, 2)}});
    samples.push_back({"select", ops::Select{1}, {reals({2, 4, 3}), index_list({3, 0, 3})}});
    samples.push_back({"select_assign, adding",
                       ops::SelectAssign{1, kAdd},
                       {reals({2, 4}), index_list({3, 0, 3}), reals({2, 3}, -2, 2, 2)}});
    samples.push_back({"select_assign, assigning",
                       ops::SelectAssign{0, kAssign},
                       {reals({4, 2}), index_list({3, 0}), reals({2, 2}, -2, 2, 2)}});
    samples.push_back({"gather_nd of elements", ops::GatherNd{}, {reals({3, 4}), indices({2, 5, 2}, 3)}});
    samples.push_back({"gather_nd of rows", ops::GatherNd{}, {reals({3, 4}), indices({5, 1}, 3)}});
    samples.push_back(
        {"scatter_nd, adding", ops::ScatterNd{kAdd}, {reals({3, 4}), indices({5, 2}, 3), reals({5}, -2, 2, 2)}});
    samples.push_back({"scatter_nd of rows, assigning",
                       ops::ScatterNd{kAssign},
                       {reals({4, 3}), TensorData::from<std::int64_t>({{2}, {0}}), reals({2, 3}, -2, 2, 2)}});
    samples.push_back({"sort", ops::Sort{.axis = 1}, {reals({3, 5})}});
    samples.push_back(
        {"sort descending, the first three", ops::Sort{.axis = 0, .descending = true, .count = 3}, {reals({5, 2})}});
}

}  // namespace burn::conformance
