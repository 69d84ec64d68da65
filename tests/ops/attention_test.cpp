#include <burn/ops/attention.h>

#include <burn/ops/engine.h>
#include <burn/tensor/module_functions.h>

#include "tests/support/tensors.h"

#include <cmath>
#include <limits>

namespace burn::attention_test {
namespace {

using testing::B;
using ::testing::Each;
using ::testing::ElementsAre;

using T4 = Tensor<B, 4>;
using Mask = Tensor<B, 4, Bool>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One head of rows of one number each, or of `width` numbers.
T4 rows(std::initializer_list<double> numbers, std::int64_t width = 1) {
    const auto count = static_cast<std::int64_t>(numbers.size());
    return Tensor<B, 1>::from(numbers, {}).reshape<4>({1, 1, count / width, width});
}

Mask mask(std::initializer_list<double> hidden, std::int64_t keys) { return rows(hidden, keys).greater_scalar(0); }

/// Attention's two results for a scale of 1.
ops::HandleList attend(const T4& q, const T4& k, const T4& v) {
    ops::Attention op;
    return ops::apply(op, ops::list_of(ops::Handle(q.handle()), ops::Handle(k.handle()), ops::Handle(v.handle())));
}

TEST(Attention, IsAMeanOfValuesWeightedByScores) {
    const T4 q = rows({1, 0}), k = rows({0, std::log(3.0)}), v = rows({4, 1, 8, -1}, 2);
    // Weights 1/4 and 3/4 for the first query, 1/2 and 1/2 for the second.
    EXPECT_THAT(values(attention(q, k, v)), near({7, -0.5, 6, 0}));
    const ops::HandleList results = attend(q, k, v);
    EXPECT_THAT(values(T4(results[1])), near({std::log(4.0), std::log(2.0)}));
}

TEST(Attention, ScalesByTheRootOfTheWidth) {
    const T4 q = rows({2, 2, 2, 2}, 4), k = rows({1, 1, 1, 1, 0, 0, 0, 0}, 4), v = rows({1, 0});
    const double weight = 1 / (1 + std::exp(-4.0));  // the scores are 8 / sqrt(4) and 0
    EXPECT_THAT(values(attention(q, k, v)), near({weight}));
    EXPECT_THAT(values(attention(q, k, v, {.scale = 0.125})), near({1 / (1 + std::exp(-1.0))}));
    EXPECT_THAT(values(attention(q, k, v, {.scale = 1, .softcap = 2})),
                near({1 / (1 + std::exp(-2 * std::tanh(4.0)))}));
}

TEST(Attention, CausalCountsBothFromTheStart) {
    // All scores are equal: means over the keys up to the query's own place.
    const T4 v = rows({1, 3, 8});
    EXPECT_THAT(values(attention(rows({0, 0}), rows({1, 1, 1}), v, {.is_causal = true})), near({1, 2}));
    EXPECT_THAT(values(attention(rows({0, 0, 0, 0}), rows({1, 1, 1}), v, {.is_causal = true})), near({1, 2, 4, 4}));
}

TEST(Attention, MaskHidesWhereItIsTrue) {
    const T4 q = rows({0, 0}), k = rows({5, 6, 7}), v = rows({1, 3, 8});
    EXPECT_THAT(values(attention(q, k, v, mask({0, 0, 1, 1, 0, 0}, 3))), near({2, 5.5}));
    EXPECT_THAT(values(attention(q, k, v, mask({0, 1, 0}, 3))), near({4.5, 4.5}));  // one row for all queries
    const T4 bias = rows({0, std::log(2.0), -kInfinity}, 3);
    EXPECT_THAT(values(attention(q, k, v, bias)), near({7.0 / 3, 7.0 / 3}));
    EXPECT_THAT(values(attention(q, k, v, mask({1, 0, 0}, 3), bias, {.is_causal = true})), near({0, 3}));
}

TEST(Attention, OfNothingIsZero) {
    const T4 q = rows({1, 2}).require_grad(), k = rows({3, 4}).require_grad(), v = rows({5, 6}).require_grad();
    const auto expect_first_zero = [&](const T4& y) {
        EXPECT_EQ(values(y)[0], 0);
        EXPECT_GT(values(y)[1], 5);
        const auto gradients = (y * y).sum().backward();
        EXPECT_EQ(values(*q.grad(gradients))[0], 0);
        EXPECT_NE(values(*q.grad(gradients))[1], 0);
        for (const T4& leaf : {q, k, v}) {
            for (const double number : values(*leaf.grad(gradients))) EXPECT_TRUE(std::isfinite(number));
        }
    };
    expect_first_zero(attention(q, k, v, mask({1, 1, 0, 0}, 2)));
    expect_first_zero(attention(q, k, v, rows({-kInfinity, -kInfinity, 0, 0}, 2)));
    const T4 none = T4::zeros({1, 1, 0, 1}, {});
    EXPECT_THAT(values(attention(q, none, none)), ElementsAre(0, 0));
    EXPECT_THAT(values(T4(attend(q, none, none)[1])), Each(-kInfinity));
    EXPECT_THAT(values(*q.grad(attention(q, none, none).sum().backward())), ElementsAre(0, 0));
}

TEST(Attention, NanShowsUnlessItsScoreIsHidden) {
    const T4 q = rows({1, 1}), k = rows({0, kNan}), v = rows({5, 6});
    const std::vector<double> seen = values(attention(q, k, v));
    EXPECT_TRUE(std::isnan(seen[0]) && std::isnan(seen[1]));
    const std::vector<double> hidden = values(attention(q, k, v, {.is_causal = true}));
    EXPECT_EQ(hidden[0], 5);
    EXPECT_TRUE(std::isnan(hidden[1]));
}

TEST(Attention, HugeScoresDoNotOverflow) {
    const T4 q = rows({1000, -1000}), k = rows({1000, -1000, 999}), v = rows({1, 2, 3});
    EXPECT_THAT(values(attention(q, k, v)), near({1, 2}));
    EXPECT_THAT(values(T4(attend(q, k, v)[1])), near({1e6, 1e6}));
}

TEST(Attention, LseHasAGradientToo) {
    const T4 q = rows({1, 0}).require_grad(), k = rows({0, std::log(3.0)}).require_grad();
    const T4 lse(attend(q, k, rows({4, 8}))[1]);
    const auto gradients = lse.sum().backward();
    // dq = the weighted mean of keys, dk = the sum over queries of weights times queries
    EXPECT_THAT(values(*q.grad(gradients)), near({0.75 * std::log(3.0), 0.5 * std::log(3.0)}));
    EXPECT_THAT(values(*k.grad(gradients)), near({0.25, 0.75}));
}

TEST(Attention, HalfTypesComputeInF32) {
    // 300 equal keys: sums kept in f16 would stop at 2048 / 8, and the score would overflow.
    for (const DType dtype : {DType::F16, DType::BF16}) {
        const T4 q = T4::full({1, 1, 1, 4}, 200, {}).cast(dtype), k = T4::full({1, 1, 300, 4}, 200, {}).cast(dtype);
        const T4 v = T4::full({1, 1, 300, 1}, 8, {}).cast(dtype);
        const ops::HandleList results = attend(q, k, v);
        EXPECT_EQ(results[0].dtype(), dtype);
        EXPECT_EQ(results[1].dtype(), DType::F32);
        EXPECT_THAT(values(T4(results[0])), ElementsAre(8)) << name_of(dtype);
        EXPECT_NEAR(values(T4(results[1]))[0], 160000 + std::log(300.0), 0.1) << name_of(dtype);
    }
}

/// The composition, and its gradients by the rules of its parts, are another way to the same numbers.
TEST(Attention, AgreesWithItsFallbackInValuesAndGradients) {
    const auto reals = [](Sizes<4> shape) { return T4::random(shape, Distribution::normal(0, 1), {}); };
    for (const bool causal : {false, true}) {
        const ops::AttentionOptions options{.softcap = 3, .is_causal = causal};
        std::vector<T4> leaves{reals({2, 3, 17, 5}), reals({2, 3, 23, 5}), reals({2, 3, 23, 7}), reals({1, 3, 1, 23})};
        for (T4& leaf : leaves) leaf = leaf.require_grad();
        const T4 cotangent = reals({2, 3, 17, 7});
        const Mask hidden = reals({2, 1, 17, 23}).greater_scalar(1);
        const auto run = [&](auto function) {
            const T4 y(function(leaves[0].handle(), leaves[1].handle(), leaves[2].handle(), hidden.handle(),
                                leaves[3].handle(), options));
            const auto gradients = (y * cotangent).sum().backward();
            std::vector<std::vector<double>> all{values(y)};
            for (const T4& leaf : leaves) all.push_back(values(*leaf.grad(gradients)));
            return all;
        };
        const auto got = run([](auto... operands) { return ops::attention(operands...); });
        const auto want = run([](auto... operands) { return ops::attention_fallback(operands...); });
        for (std::size_t which = 0; which < got.size(); ++which) {
            ASSERT_EQ(got[which].size(), want[which].size());
            for (std::size_t i = 0; i < got[which].size(); ++i)
                EXPECT_NEAR(got[which][i], want[which][i], 2e-5) << "tensor " << which << ", element " << i;
        }
    }
}

TEST(Attention, RefusesWhatDoesNotFit) {
    const T4 x = T4::zeros({1, 2, 3, 4}, {});
    EXPECT_THROW(attention(x, T4::zeros({1, 2, 3, 5}, {}), x), ShapeError);
    EXPECT_THROW(attention(x, x, x, T4::zeros({1, 2, 3, 4}, {})), ShapeError);
    EXPECT_THROW(attention(x, x, x, {.softcap = -1}), ArgumentError);
    EXPECT_THROW(ops::attention_fallback(x.handle(), x.handle(), x.handle(), {}, x.handle(), {}), ShapeError);
}

}  // namespace
}  // namespace burn::attention_test
