// Attention in tiles against its formulas in plain loops.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/base/memory.h>
#include <burn/ops/attention.h>
#include <burn/ops/engine.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

#include "tests/support/kernels.h"

#include <cmath>
#include <string>
#include <vector>

namespace burn::ndarray::attention_test {
namespace {

using ops::Handle;
using ops::HandleList;
using testing::for_each_isa;
using testing::Numbers;
using testing::WithThreads;

using Values = std::vector<double>;

struct Sizes {
    std::int64_t batch = 1, heads = 1, n = 1, m = 1, d = 1, e = 1;

    Shape query() const { return {batch, heads, n, d}; }
    Shape key() const { return {batch, heads, m, d}; }
    Shape value() const { return {batch, heads, m, e}; }
    Shape result() const { return {batch, heads, n, e}; }
    Shape rows() const { return {batch, heads, n, 1}; }
    Shape scores() const { return {batch, heads, n, m}; }
};

/// An operand: its values in row-major order, as the type rounds them.
struct Operand {
    TensorData data;
    Values values;

    Operand() = default;
    Operand(const TensorData& given) : data(given) {  // NOLINT
        for (std::int64_t i = 0; i < data.numel(); ++i) values.push_back(data.at(i));
    }
    std::size_t place(std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t column) const {
        const std::int64_t index[] = {batch, head, row, column};
        std::int64_t at = 0;
        for (std::size_t axis = 0; axis < 4; ++axis) {
            const std::int64_t size = data.shape()[axis];
            at = at * size + (size == 1 ? 0 : index[axis]);
        }
        return static_cast<std::size_t>(at);
    }
    double at(std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t column) const {
        return values[place(batch, head, row, column)];
    }
};

Operand reals(const Shape& shape, DType dtype, std::uint32_t seed) {
    TensorData data(shape, DType::F64);
    Numbers numbers(seed);
    for (double& value : data.mutable_values<double>()) value = 2 * numbers.real<double>();
    return data.convert(dtype);
}

Operand some_hidden(const Shape& shape) {
    TensorData data(shape, DType::F64);
    Numbers numbers(7);
    for (double& value : data.mutable_values<double>()) value = numbers.real<double>() > 0.4 ? 1 : 0;
    return data.convert(DType::Bool);
}

/// Calls body(batch, head, query).
template <class Body>
void for_each_row(const Sizes& s, Body body) {
    for (std::int64_t b = 0; b < s.batch; ++b) {
        for (std::int64_t h = 0; h < s.heads; ++h) {
            for (std::int64_t i = 0; i < s.n; ++i) body(b, h, i);
        }
    }
}

struct Problem {
    Problem(const Sizes& s, const ops::AttentionAttributes& op, DType dtype, const Shape& mask_shape = {},
            const Shape& bias_shape = {})
        : sizes(s), op(op), q(reals(s.query(), dtype, 1)), k(reals(s.key(), dtype, 2)), v(reals(s.value(), dtype, 3)),
          dy(reals(s.result(), dtype, 4)) {
        this->op.has_mask = !mask_shape.empty();
        this->op.has_bias = !bias_shape.empty();
        if (this->op.has_mask) mask = some_hidden(mask_shape);
        if (this->op.has_bias) bias = reals(bias_shape, dtype, 5);
    }

    Sizes sizes;
    ops::AttentionAttributes op;
    Operand q, k, v, dy, mask, bias;

    bool hides(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        return (op.is_causal && j > i) || (op.has_mask && mask.at(b, h, i, j) != 0);
    }
    double product(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        double sum = 0;
        for (std::int64_t p = 0; p < sizes.d; ++p) sum += q.at(b, h, i, p) * k.at(b, h, j, p);
        return sum * op.scale;
    }
    double score(std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) const {
        if (hides(b, h, i, j)) return -HUGE_VAL;
        const double plain = product(b, h, i, j);
        const double capped = op.softcap > 0 ? op.softcap * std::tanh(plain / op.softcap) : plain;
        return capped + (op.has_bias ? bias.at(b, h, i, j) : 0);
    }
    double largest_score() const {
        double largest = 0;
        for_each_row(sizes, [&](std::int64_t b, std::int64_t h, std::int64_t i) {
            for (std::int64_t j = 0; j < sizes.m; ++j) largest = std::max(largest, std::abs(product(b, h, i, j)));
        });
        return largest;
    }
};

struct Forward {
    Values y, lse;
};

Forward plain_forward(const Problem& p) {
    const Sizes& s = p.sizes;
    Forward result;
    for_each_row(s, [&](std::int64_t b, std::int64_t h, std::int64_t i) {
        Values scores, sums(static_cast<std::size_t>(s.e));
        double top = -HUGE_VAL, total = 0;
        for (std::int64_t j = 0; j < s.m; ++j) {
            scores.push_back(p.score(b, h, i, j));
            top = std::max(top, scores.back());
        }
        for (std::int64_t j = 0; j < s.m && std::isfinite(top); ++j) {
            const double weight = std::exp(scores[static_cast<std::size_t>(j)] - top);
            total += weight;
            for (std::int64_t c = 0; c < s.e; ++c) sums[static_cast<std::size_t>(c)] += weight * p.v.at(b, h, j, c);
        }
        for (const double sum : sums) result.y.push_back(total == 0 ? 0 : sum / total);
        result.lse.push_back(top + std::log(total));
    });
    return result;
}

struct Backward {
    Values dq, dk, dv, dbias;
};

/// From y and lse as they came out.
Backward plain_backward(const Problem& p, const Operand& y, const Operand& lse, const Operand& dlse) {
    const Sizes& s = p.sizes;
    Backward result;
    result.dq.resize(p.q.values.size());
    result.dk.resize(p.k.values.size());
    result.dv.resize(p.v.values.size());
    result.dbias.resize(p.bias.values.size());
    const auto at = [](const Shape& shape, std::int64_t b, std::int64_t h, std::int64_t row, std::int64_t column) {
        return static_cast<std::size_t>(((b * shape[1] + h) * shape[2] + row) * shape[3] + column);
    };
    for_each_row(s, [&](std::int64_t b, std::int64_t h, std::int64_t i) {
        double mean = dlse.values.empty() ? 0 : -dlse.at(b, h, i, 0);
        for (std::int64_t c = 0; c < s.e; ++c) mean += p.dy.at(b, h, i, c) * y.at(b, h, i, c);
        for (std::int64_t j = 0; j < s.m; ++j) {
            if (!std::isfinite(p.score(b, h, i, j))) continue;
            const double weight = std::exp(p.score(b, h, i, j) - lse.at(b, h, i, 0));
            double slope = -mean;
            for (std::int64_t c = 0; c < s.e; ++c) {
                slope += p.dy.at(b, h, i, c) * p.v.at(b, h, j, c);
                result.dv[at(s.value(), b, h, j, c)] += weight * p.dy.at(b, h, i, c);
            }
            slope *= weight;
            if (p.op.has_bias) result.dbias[p.bias.place(b, h, i, j)] += slope;
            slope *= p.op.scale;
            if (p.op.softcap > 0) slope *= 1 - std::pow(std::tanh(p.product(b, h, i, j) / p.op.softcap), 2);
            for (std::int64_t c = 0; c < s.d; ++c) {
                result.dq[at(s.query(), b, h, i, c)] += slope * p.k.at(b, h, j, c);
                result.dk[at(s.key(), b, h, j, c)] += slope * p.q.at(b, h, i, c);
            }
        }
    });
    return result;
}

/// How an operand lies in memory.
enum class Placing { Contiguous, HeadsInside, Turned, Reversed };

Handle place(const TensorData& data, Placing placing) {
    const Handle x = NdArray::engine(0).upload(data);
    const auto copied = [](const Handle& view) {
        return NdArray::engine(0).upload(NdArray::engine(0).read(view).wait());
    };
    const auto reversed = [](const Handle& it) {
        return ops::slice(it, {Slice(), Slice(), Slice(0, Slice::kToEnd, -1), Slice(0, Slice::kToEnd, -1)});
    };
    switch (placing) {
        case Placing::Contiguous: return x;
        case Placing::HeadsInside: return ops::swap_dims(copied(ops::swap_dims(x, 1, 2)), 1, 2);
        case Placing::Turned: return ops::swap_dims(copied(ops::swap_dims(x, 2, 3)), 2, 3);
        case Placing::Reversed: return reversed(copied(reversed(x)));
    }
    return x;
}

struct Got {
    Operand y, lse, dq, dk, dv, dbias;
};

Got run(const Problem& p, const Operand& dlse = {}, Placing placing = Placing::Contiguous) {
    const auto read = [](const Handle& handle) { return Operand(NdArray::engine(0).read(handle).wait()); };
    const auto add_options = [&](HandleList& operands) {
        if (p.op.has_mask) operands.push_back(place(p.mask.data, placing));
        if (p.op.has_bias) operands.push_back(place(p.bias.data, placing));
    };
    HandleList operands;
    for (const Operand* operand : {&p.q, &p.k, &p.v}) operands.push_back(place(operand->data, placing));
    HandleList forward = operands;
    add_options(forward);
    const HandleList results = ops::apply(ops::Attention{p.op}, std::move(forward));
    for (const Handle& result : results) operands.push_back(result);
    operands.push_back(place(p.dy.data, placing));
    if (!dlse.values.empty()) operands.push_back(place(dlse.data, placing));
    add_options(operands);
    const ops::AttentionGradAttributes of{p.op, !dlse.values.empty()};
    Operand dbias;
    if (p.op.has_bias) dbias = read(ops::apply_one(ops::AttentionBiasGrad{of}, operands));
    const HandleList gradients = ops::apply(ops::AttentionGrad{of}, std::move(operands));
    return {read(results[0]), read(results[1]), read(gradients[0]), read(gradients[1]), read(gradients[2]), dbias};
}

double roundoff(DType dtype) {
    switch (dtype) {
        case DType::F64: return 0x1p-53;
        case DType::F16: return 0x1p-11;
        case DType::BF16: return 0x1p-8;
        default: return 0x1p-24;
    }
}

/// Results are rounded once to their type, after arithmetic in `computed`. Its errors grow with the length of the sums; and those
/// of weights, being exponentials, with the size of the scores.
void expect_near(const Operand& got, const Values& want, DType computed, double sums, double score, const char* what) {
    ASSERT_EQ(got.values.size(), want.size()) << what;
    double magnitude = 1;
    for (const double value : want) magnitude = std::isfinite(value) ? std::max(magnitude, std::abs(value)) : magnitude;
    for (std::size_t i = 0; i < want.size(); ++i) {
        const double tolerance = roundoff(got.data.dtype()) * std::abs(want[i]) +
                                 16 * roundoff(computed) * (4 + std::sqrt(sums) + score) * magnitude;
        if (got.values[i] == want[i] || std::abs(got.values[i] - want[i]) <= tolerance) continue;
        ADD_FAILURE() << what << ", element " << i << ": " << got.values[i] << ", expected " << want[i];
        return;
    }
}

void expect_right(const Problem& p, DType dtype, bool with_dlse = false, Placing placing = Placing::Contiguous) {
    const Sizes& s = p.sizes;
    SCOPED_TRACE(
        (Message() << "scores " << s.scores() << ", widths " << s.d << " and " << s.e << ", " << name_of(dtype))
            .text());
    const DType computed = dtype == DType::F64 ? DType::F64 : DType::F32;
    const Operand dlse = with_dlse ? reals(s.rows(), computed, 6) : Operand();
    const Got got = run(p, dlse, placing);
    const Forward forward = plain_forward(p);
    const double score = p.largest_score();
    expect_near(got.y, forward.y, computed, static_cast<double>(s.m), score, "y");
    expect_near(got.lse, forward.lse, computed, static_cast<double>(s.d), score, "lse");
    const Backward backward = plain_backward(p, got.y, got.lse, dlse);
    expect_near(got.dq, backward.dq, computed, static_cast<double>(s.m), score, "dq");
    expect_near(got.dk, backward.dk, computed, static_cast<double>(s.n), score, "dk");
    expect_near(got.dv, backward.dv, computed, static_cast<double>(s.n), score, "dv");
    if (p.op.has_bias) {
        const double shared =
            static_cast<double>(s.scores().numel() / std::max<std::int64_t>(1, got.dbias.data.numel()));
        expect_near(got.dbias, backward.dbias, computed, shared, score, "dbias");
    }
}

const Sizes kSizes[] = {
    {},
    {.n = 5, .m = 3, .d = 2, .e = 7},
    {.batch = 2, .heads = 3, .n = 33, .m = 31, .d = 16, .e = 16},
    {.heads = 2, .n = 130, .m = 257, .d = 20, .e = 40},
    {.n = 600, .m = 70, .d = 8, .e = 5},   // more queries than share packed keys
    {.n = 17, .m = 1200, .d = 3, .e = 9},  // more keys than are packed at once
};

TEST(Attention, OfManySizes) {
    for_each_isa([] {
        for (const Sizes& s : kSizes) {
            for (const DType dtype : {DType::F32, DType::F64, DType::F16, DType::BF16}) {
                expect_right({s, {.scale = 0.5}, dtype}, dtype);
                expect_right({s, {.scale = 0.5, .is_causal = true}, dtype}, dtype, true);
            }
        }
    });
}

TEST(Attention, OfEmptyAxes) {
    for (const Sizes& s : {Sizes{.n = 0, .m = 3}, Sizes{.n = 3, .m = 0}, Sizes{.n = 3, .m = 3, .d = 0},
                           Sizes{.n = 3, .m = 3, .e = 0}, Sizes{.heads = 0}, Sizes{.batch = 0}}) {
        expect_right({s, {}, DType::F32}, DType::F32, true);
        expect_right({s, {.is_causal = true}, DType::F32}, DType::F32);
    }
}

TEST(Attention, MaskBiasAndCapOfEveryShape) {
    for_each_isa([] {
        const Sizes s{.batch = 2, .heads = 2, .n = 45, .m = 140, .d = 6, .e = 5};
        for (const Shape& shape :
             {s.scores(), Shape{1, 1, 45, 140}, Shape{2, 1, 1, 140}, Shape{1, 2, 45, 1}, Shape{1, 2, 1, 1}}) {
            for (const DType dtype : {DType::F32, DType::F64, DType::F16}) {
                expect_right({s, {.scale = 0.5}, dtype, shape}, dtype);
                expect_right({s, {.scale = 0.5}, dtype, {}, shape}, dtype);
                expect_right({s, {.scale = 0.5, .softcap = 1.5, .is_causal = true}, dtype, shape, shape}, dtype, true);
            }
        }
    });
}

TEST(Attention, OfOperandsThatLieInAnyOrder) {
    const Sizes s{.batch = 2, .heads = 3, .n = 40, .m = 50, .d = 9, .e = 20};
    for (const Placing placing : {Placing::HeadsInside, Placing::Turned, Placing::Reversed}) {
        for (const DType dtype : {DType::F32, DType::BF16})
            expect_right({s, {.scale = 0.5}, dtype, {2, 1, 40, 50}, {1, 3, 40, 50}}, dtype, true, placing);
    }
}

TEST(Attention, OfFarAndCloseScores) {
    // exp of differences of hundreds is 0, and of the cap's both ends.
    const Sizes s{.n = 40, .m = 50, .d = 4, .e = 3};
    for (const double scale : {200.0, 1e-3, -3.0, 0.0}) {
        expect_right({s, {.scale = scale}, DType::F64}, DType::F64);
        expect_right({s, {.scale = scale, .softcap = 5}, DType::F64}, DType::F64);
    }
}

TEST(Attention, SameBitsForAnyNumberOfThreads) {
    for (const Sizes& s : {Sizes{.heads = 1, .n = 700, .m = 300, .d = 32, .e = 24},
                           Sizes{.heads = 5, .n = 300, .m = 700, .d = 32, .e = 24}}) {
        for (const bool causal : {false, true}) {
            const Problem p(s, {.scale = 0.25, .is_causal = causal}, DType::F32, {}, {1, 1, causal ? s.n : 1, s.m});
            const auto with_threads = [&](int threads) {
                const WithThreads set(threads);
                return run(p);
            };
            const Got one = with_threads(1);
            for (const int threads : {2, 3, 7}) {
                const Got many = with_threads(threads);
                for (const auto part : {&Got::y, &Got::lse, &Got::dq, &Got::dk, &Got::dv, &Got::dbias})
                    EXPECT_TRUE((one.*part).data == (many.*part).data) << threads << " threads";
            }
        }
    }
}

TEST(Attention, NeverHasAllScoresInMemory) {
    const std::int64_t n = 4096;  // all scores would be 64 MiB
    const Problem p({.n = n, .m = n, .d = 8, .e = 8}, {.is_causal = true}, DType::F32, {}, {1, 1, 1, n});
    // Fills the gap below the highest memory so far, so that whatever is taken now shows.
    const MemoryReport before = memory_report();
    const Ref<Block> filling = Block::make(before.peak_bytes - before.live_bytes);
    const std::uint64_t start = memory_report().peak_bytes;
    {
        const WithThreads two(2);  // each has tiles of its own
        run(p);
    }
    EXPECT_LT(memory_report().peak_bytes - start, std::uint64_t{6} << 20);
}

}  // namespace
}  // namespace burn::ndarray::attention_test
