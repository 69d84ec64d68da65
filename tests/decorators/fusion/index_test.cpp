// Elements of rows that an index names, read and written inside kernels.
#include "fused.h"

#include <burn/ops/cast.h>
#include <burn/ops/create.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/loss.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>
#include <burn/ops/softmax.h>
#include <gmock/gmock.h>

#include <cmath>

namespace burn::fusion::index_test {
namespace {

using ops::Handle;
using ops::IndexingUpdate;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t kRows = 40, kColumns = 70;

/// An index for each of `kRows` rows, [rows, 1]; the one of `row` is `other`.
TensorData indices(DType dtype = DType::I64, std::int64_t row = 0, std::int64_t other = 0) {
    std::vector<std::int64_t> numbers(kRows);
    for (std::int64_t i = 0; i < kRows; ++i) numbers[static_cast<std::size_t>(i)] = i * 17 % kColumns;
    numbers[static_cast<std::size_t>(row)] = other;
    return TensorData::from(std::span<const std::int64_t>(numbers), {kRows, 1}).convert(dtype);
}

class FusedIndex : public Fused {
protected:
    static Handle input() { return engine().upload(whole_numbers({kRows, kColumns})); }
};

TEST_F(FusedIndex, AnElementOfARowIsComputedAlone) {
    const TensorData x = whole_numbers({kRows, kColumns});
    for (const DType dtype : {DType::I64, DType::I32, DType::U8}) {
        const Handle at = engine().upload(indices(dtype));
        const Handle centred = ops::sub(input(), ops::max(input(), {1}));
        const Handle picked = ops::mul_scalar(ops::gather(centred, 1, at), 2);
        EXPECT_EQ(count(plan(), "rows"), 1);
        const TensorData data = values(picked), places = indices();
        for (std::int64_t row = 0; row < kRows; ++row) {
            double highest = -6;
            for (std::int64_t j = 0; j < kColumns; ++j) highest = std::max(highest, x.at(row * kColumns + j));
            EXPECT_EQ(data.at(row), 2 * (x.at(row * kColumns + static_cast<std::int64_t>(places.at(row))) - highest));
        }
    }
}

TEST_F(FusedIndex, AnElementOfAKeptValue) {
    // exp waits in an array between its sum and the quotient: the element may come from there.
    const auto program = [](const Handle& x) {
        const Handle at = x.engine().upload(indices());
        const Handle e = ops::exp(ops::sub(x, ops::max(x, {1})));
        const Handle quotient = ops::div(e, ops::sum(e, {1}));
        return ops::mul(ops::gather(quotient, 1, at), ops::add_scalar(ops::sum(ops::mul(quotient, e), {1}), 1));
    };
    const Handle y = program(input());
    EXPECT_EQ(count(plan(), ""), 1);
    expect_near(whole_numbers({kRows, kColumns}), program, 1e-6);
}

TEST_F(FusedIndex, AValueIsPlacedInEachRow) {
    for (const IndexingUpdate update : {IndexingUpdate::Assign, IndexingUpdate::Add}) {
        const auto program = [&](const Handle& x) {
            const Handle at = x.engine().upload(indices());
            const Handle value = ops::add_scalar(ops::max(x, {1}), 3);
            return ops::mul_scalar(ops::scatter(ops::neg(x), 1, at, value, update), 2);
        };
        const Handle y = program(input());
        EXPECT_EQ(count(plan(), ""), 1);
        expect_same(whole_numbers({kRows, kColumns}), program);
        expect_same(whole_numbers({kRows, kColumns}, DType::F16), program);
        expect_same(whole_numbers({kRows, kColumns}, DType::I32), program);
        expect_same(whole_numbers({kRows, kColumns}), [&](const Handle& x) {
            const Handle at = x.engine().upload(indices());
            return ops::scatter(ops::equal_scalar(x, 2), 1, at, ops::any(ops::equal_scalar(x, 3), {1}), update);
        });
    }
}

TEST_F(FusedIndex, RowsOfMoreAxesAndOtherLayouts) {
    const TensorData x = whole_numbers({kColumns, 8, 5, 1});
    const auto program = [](const Handle& x) {
        const Handle turned = ops::permute(x, {1, 2, 0, 3});  // [8, 5, columns, 1]
        const Handle at = ops::reshape(x.engine().upload(indices()), {8, 5, 1, 1});
        const Handle centred = ops::sub(turned, ops::min(turned, {2}));
        return ops::add(ops::gather(centred, 2, at),
                        ops::sum(ops::scatter(centred, 2, at, ops::max(centred, {2}), IndexingUpdate::Add), {2}));
    };
    expect_same(x, program);
}

TEST_F(FusedIndex, IndicesThatNameMoreThanOneElementARowRunAsTheyDid) {
    const auto program = [](const Handle& x) {
        const Handle at = ops::reshape(x.engine().upload(indices()), {kRows / 2, 2});
        return ops::gather(ops::add_scalar(x, 1), 1, at);
    };
    expect_same(whole_numbers({kRows, kColumns}), program);
}

TEST_F(FusedIndex, AnIndexBeyondTheRowIsAnErrorOfWhatDependsOnIt) {
    for (const std::int64_t wrong : {kColumns, std::int64_t{-1}}) {
        for (const bool places : {false, true}) {
            const Handle x = input(), at = engine().upload(indices(DType::I64, 23, wrong));
            Handle given_away = ops::add_scalar(x, 1);
            values(given_away);
            const Handle centred = ops::sub(std::move(given_away), ops::max(x, {1}));
            const Handle broken = places ? ops::scatter(centred, 1, at, ops::sum(centred, {1}), IndexingUpdate::Add)
                                         : ops::gather(centred, 1, at);
            const Handle sound = ops::mul_scalar(centred, 2);
            EXPECT_EQ(count(plan(), ""), 1);
            try {
                values(ops::add_scalar(broken, 1));
                ADD_FAILURE() << "an index of " << wrong << " in a row of " << kColumns;
            } catch (const IndexError& error) {
                EXPECT_THAT(error.what(), HasSubstr(places ? "scatter" : "gather"));
                EXPECT_THAT(error.what(), HasSubstr(std::to_string(wrong)));
            }
            const TensorData numbers = whole_numbers({kRows, kColumns});
            double highest = -6;
            for (std::int64_t j = 0; j < kColumns; ++j) highest = std::max(highest, numbers.at(j));
            EXPECT_EQ(values(sound).at(3), 2 * (numbers.at(3) + 1 - highest));
            EXPECT_NO_THROW(engine().sync()) << "a read has raised it";
        }
    }
}

TEST_F(FusedIndex, CrossEntropyOfPyTorch) {
    // torch.nn.functional.cross_entropy([[1, 2, 3], [1, -2, 4]], [2, 0], reduction="none"), and its gradient.
    const Handle x = engine().upload(TensorData::from({{1.f, 2.f, 3.f}, {1.f, -2.f, 4.f}}));
    const Handle targets = engine().upload(TensorData::from({std::int64_t{2}, std::int64_t{0}}));
    const Handle losses = ops::cross_entropy(x, targets);
    EXPECT_EQ(count(plan(), ""), 1);
    const TensorData data = values(losses);
    EXPECT_NEAR(data.at(0), 0.40760597, 1e-6);
    EXPECT_NEAR(data.at(1), 3.05094576, 1e-6);
    EXPECT_EQ(data.shape(), Shape{2});
}

TEST_F(FusedIndex, ATargetThatIsNoClass) {
    const Handle targets = engine().upload(indices(DType::I64, 5, kColumns).reshape({kRows}));
    const Handle dy = engine().upload(whole_numbers({kRows}));
    const auto expect_error_of = [](const std::string& name, auto make) {
        try {
            values(make());
            ADD_FAILURE() << "a target of " << kColumns << " of as many classes";
        } catch (const IndexError& error) {
            EXPECT_THAT(error.what(),
                        StartsWith(name + ": index " + std::to_string(kColumns) + " is out of range on axis 1 of "));
        }
    };
    // Recorded as their parts, but told in the name of what was called; so is a part that was called itself.
    expect_error_of("cross_entropy", [&] { return ops::cross_entropy(input(), targets); });
    expect_error_of("cross_entropy_grad",
                    [&] { return ops::apply_one(ops::CrossEntropyGrad{}, ops::list_of(input(), targets, dy)); });
    const Handle at = ops::reshape(targets, {kRows, 1});
    const Handle loss = ops::cross_entropy(input(), targets), picked = ops::gather(ops::neg(input()), 1, at);
    expect_error_of("cross_entropy", [&] { return loss; });
    expect_error_of("gather", [&] { return picked; });
    EXPECT_NO_THROW(engine().sync()) << "a read has raised it";
    // A backend that runs it whole says the same.
    ops::Engine& plain = NdArray::engine(0);
    expect_error_of("cross_entropy",
                    [&] { return ops::cross_entropy(plain.upload(values(input())), plain.upload(values(targets))); });
}

}  // namespace
}  // namespace burn::fusion::index_test
