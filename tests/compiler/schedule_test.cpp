// The kernels of groups, run by the interpreter: it knows where every buffer and every array ends.
#include <burn/compiler/schedule.h>

#include "segment_builder.h"

#include <burn/compiler/random_words.h>
#include <burn/core/half.h>
#include <burn/core/philox.h>
#include <burn/kernel/interpret.h>
#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>

namespace burn::compiler::schedule_test {
namespace {

using ops::OpCode;
using ops::PointwiseOp;

const ops::AnyOp kAdd = PointwiseOp<OpCode::add>{};
const ops::AnyOp kSub = PointwiseOp<OpCode::sub>{};
const ops::AnyOp kMul = PointwiseOp<OpCode::mul>{};

template <class Op>
ops::AnyOp over(Dims axes) {
    Op op;
    op.axes = axes;
    return op;
}

/// Runs a segment of groups alone on vectors of some width.
class Interpreted {
public:
    explicit Interpreted(std::size_t vector_bytes) : vector_bytes_(vector_bytes) {}

    template <class T>
    void give(ValueId value, const std::vector<T>& elements) {
        bytes_[value].resize(elements.size() * sizeof(T));
        std::memcpy(bytes_[value].data(), elements.data(), bytes_[value].size());
    }

    void run(const Segment& segment) {
        const GroupedSegment grouped = group_segment(segment);
        for (const GroupedStep& step : grouped.steps) {
            ASSERT_TRUE(step.is_group());
            run(step.group, grouped.segment, segment);
        }
    }

    template <class T>
    std::vector<T> get(ValueId value) const {
        const std::vector<std::byte>& bytes = bytes_.at(value);
        std::vector<T> elements(bytes.size() / sizeof(T));
        std::memcpy(elements.data(), bytes.data(), bytes.size());
        return elements;
    }

    bool found_fault = false;

private:
    void run(const Group& group, const Segment& grouped, const Segment& segment) {
        std::vector<Layout> layouts;
        for (const ValueId input : group.inputs)
            layouts.push_back(Layout::contiguous(segment.values[input].spec.shape));
        const Schedule plan = schedule(grouped, group, layouts, vector_bytes_);
        std::vector<std::vector<std::byte>> parts;
        for (const TensorSpec& spec : plan.parts) parts.push_back(room(spec));
        std::vector<std::byte> faults(static_cast<std::size_t>(plan.checks ? plan.cubes : 0));

        std::vector<kernel::BufferElements> first, second;
        for (const ValueId input : group.inputs)
            first.push_back(elements(bytes_.at(input), segment.values[input].spec));
        for (std::size_t i = 0; i < parts.size(); ++i) second.push_back(elements(parts[i], plan.parts[i]));
        const std::size_t whole = group.outputs.size() - parts.size();
        for (std::size_t i = 0; i < group.outputs.size(); ++i) {
            const TensorSpec& spec = segment.values[group.outputs[i]].spec;
            std::vector<std::byte>& bytes = bytes_[group.outputs[i]] = room(spec);
            if (i < whole) {
                first.push_back(elements(bytes, spec));
            } else {
                first.push_back(elements(parts[i - whole], plan.parts[i - whole]));
                second.push_back(elements(bytes, spec));
            }
        }
        if (plan.checks) first.push_back({faults.data(), plan.cubes});
        std::vector<std::uint64_t> scalars = plan.sizes;
        for (const AttributeRef& attribute : plan.attributes)
            scalars.push_back(random_parameter(segment.ops[attribute.op].op.as<ops::Random>(), attribute.which));
        kernel::interpret(plan.kernel, first, scalars, 0, plan.cubes);
        if (!parts.empty()) kernel::interpret(plan.combine, second, plan.combine_sizes, 0, plan.combine_cubes);
        found_fault = found_fault || std::find(faults.begin(), faults.end(), std::byte{1}) != faults.end();
    }

    static std::vector<std::byte> room(const TensorSpec& spec) {
        return std::vector<std::byte>(static_cast<std::size_t>(spec.shape.numel()) * size_of(spec.dtype));
    }
    static kernel::BufferElements elements(std::vector<std::byte>& bytes, const TensorSpec& spec) {
        return {bytes.data(), spec.shape.numel()};
    }

    std::size_t vector_bytes_;
    std::map<ValueId, std::vector<std::byte>> bytes_;
};

std::vector<float> numbers(std::int64_t rows, std::int64_t columns) {
    std::vector<float> result(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<float>((i * 7 + i / 11) % 11) - 5;
    return result;
}

/// Rows and columns around the widths of vectors, blocks of columns, and parts of rows.
class ScheduleOf : public testing::TestWithParam<std::pair<std::int64_t, std::int64_t>> {
protected:
    static constexpr std::size_t kVectorBytes[] = {16, 32, 64};

    std::int64_t rows() const { return GetParam().first; }
    std::int64_t columns() const { return GetParam().second; }
    float at(const std::vector<float>& x, std::int64_t row, std::int64_t column) const {
        return x[static_cast<std::size_t>(row * columns() + column)];
    }
};

TEST_P(ScheduleOf, ColumnsAndEverything) {
    SegmentBuilder b;
    const ValueId x = b.input({rows(), columns()});
    const ValueId square = b.apply(kMul, {x, x});
    const ValueId sums = b.apply(over<ops::Sum>({0}), {square}), total = b.apply(over<ops::Sum>({0, 1}), {square});
    const ValueId lowest = b.apply(over<ops::Min>({0}), {x});
    for (const ValueId value : {sums, total, lowest}) b.hold(value);
    const std::vector<float> xs = numbers(rows(), columns());
    for (const std::size_t bytes : kVectorBytes) {
        Interpreted run(bytes);
        run.give(x, xs);
        run.run(b.segment());
        const auto columns_sums = run.get<float>(sums), minima = run.get<float>(lowest);
        float all = 0;
        for (std::int64_t j = 0; j < columns(); ++j) {
            float sum = 0, least = 6;
            for (std::int64_t i = 0; i < rows(); ++i) {
                sum += at(xs, i, j) * at(xs, i, j);
                least = std::min(least, at(xs, i, j));
            }
            ASSERT_EQ(columns_sums[static_cast<std::size_t>(j)], sum) << j;
            ASSERT_EQ(minima[static_cast<std::size_t>(j)], least) << j;
            all += sum;
        }
        EXPECT_EQ(run.get<float>(total)[0], all);
    }
}

TEST_P(ScheduleOf, RowsWithColumnsAndIndices) {
    if (columns() < 2) GTEST_SKIP() << "no row to reduce";
    SegmentBuilder b;
    const ValueId x = b.input({rows(), columns()}), at_index = b.input({rows(), 1}, DType::I64);
    const ValueId centred = b.apply(kSub, {x, b.apply(over<ops::Max>({1}), {x})});
    const ValueId picked = b.apply(ops::Gather{1}, {centred, at_index});
    const ValueId placed = b.apply(ops::Scatter{1, ops::IndexingUpdate::Add}, {x, at_index, picked});
    const ValueId sums = b.apply(over<ops::Sum>({0}), {centred});
    ops::ArgMax first_highest;
    first_highest.axis = 1;
    const ValueId place = b.apply(first_highest, {x});
    for (const ValueId value : {placed, picked, sums, place}) b.hold(value);
    const std::vector<float> xs = numbers(rows(), columns());
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < rows(); ++i) indices.push_back(i * 13 % columns());
    for (const std::size_t bytes : kVectorBytes) {
        Interpreted run(bytes);
        run.give(x, xs);
        run.give(at_index, indices);
        run.run(b.segment());
        EXPECT_FALSE(run.found_fault);
        const auto ys = run.get<float>(placed), column_sums = run.get<float>(sums), one = run.get<float>(picked);
        const auto places = run.get<std::int64_t>(place);
        std::vector<float> expected_sums(static_cast<std::size_t>(columns()), 0);
        for (std::int64_t i = 0; i < rows(); ++i) {
            const auto begin = xs.begin() + i * columns(), highest = std::max_element(begin, begin + columns());
            ASSERT_EQ(places[static_cast<std::size_t>(i)], highest - begin);
            const std::int64_t index = indices[static_cast<std::size_t>(i)];
            ASSERT_EQ(one[static_cast<std::size_t>(i)], at(xs, i, index) - *highest);
            for (std::int64_t j = 0; j < columns(); ++j) {
                expected_sums[static_cast<std::size_t>(j)] += at(xs, i, j) - *highest;
                ASSERT_EQ(at(ys, i, j), at(xs, i, j) + (j == index ? at(xs, i, index) - *highest : 0));
            }
        }
        EXPECT_EQ(column_sums, expected_sums);
        indices.back() = columns();
        run.give(at_index, indices);
        run.run(b.segment());
        EXPECT_TRUE(run.found_fault) << "and nothing beyond the row was touched";
        indices.back() = 0;
    }
}

TEST_P(ScheduleOf, AnElementIsPickedBeforeItsRowIsKept) {
    if (columns() < 2) GTEST_SKIP() << "no row to reduce";
    SegmentBuilder b;
    const ValueId x = b.input({rows(), columns()}), at_index = b.input({rows(), 1}, DType::I64);
    // The first pass picks a size; the second computes all of them and keeps them for the third.
    const ValueId size = b.apply(PointwiseOp<OpCode::sqrt>{}, {b.apply(kMul, {x, x})});
    const ValueId picked = b.apply(ops::Gather{1}, {size, at_index});
    const ValueId highest = b.apply(over<ops::Max>({1}), {x});
    const ValueId total = b.apply(over<ops::Sum>({1}), {b.apply(kAdd, {size, highest})});
    const ValueId result = b.apply(kAdd, {b.apply(kSub, {size, total}), picked});
    b.hold(result);
    const std::vector<float> xs = numbers(rows(), columns());
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < rows(); ++i) indices.push_back(i * 13 % columns());
    for (const std::size_t bytes : kVectorBytes) {
        Interpreted run(bytes);
        run.give(x, xs);
        run.give(at_index, indices);
        run.run(b.segment());
        const auto ys = run.get<float>(result);
        for (std::int64_t i = 0; i < rows(); ++i) {
            const auto begin = xs.begin() + i * columns();
            const float most = *std::max_element(begin, begin + columns());
            float sum = 0;
            for (std::int64_t j = 0; j < columns(); ++j) sum += std::fabs(at(xs, i, j)) + most;
            const float one = std::fabs(at(xs, i, indices[static_cast<std::size_t>(i)]));
            for (std::int64_t j = 0; j < columns(); ++j)
                ASSERT_EQ(at(ys, i, j), std::fabs(at(xs, i, j)) - sum + one) << i << ' ' << j;
        }
    }
}

TEST_P(ScheduleOf, RowsOfHalves) {
    if (columns() < 2) GTEST_SKIP() << "no row to reduce";
    SegmentBuilder b;
    const ValueId x = b.input({rows(), columns()}, DType::BF16), weight = b.input({1, columns()});
    const ValueId wide = b.apply(ops::Cast{DType::F32}, {x});
    const ValueId centred = b.apply(kSub, {wide, b.apply(over<ops::Max>({1}), {wide})});
    const ValueId weighted = b.apply(ops::Cast{DType::BF16}, {b.apply(kMul, {centred, weight})});
    b.hold(weighted);
    const std::vector<float> xs = numbers(rows(), columns()), weights = numbers(1, columns());
    std::vector<bf16> halves;
    for (const float each : xs) halves.emplace_back(each);
    for (const std::size_t bytes : kVectorBytes) {
        Interpreted run(bytes);
        run.give(x, halves);
        run.give(weight, weights);
        run.run(b.segment());
        const auto ys = run.get<bf16>(weighted);
        for (std::int64_t i = 0; i < rows(); ++i) {
            const auto row = xs.begin() + i * columns();
            const float highest = *std::max_element(row, row + columns());
            for (std::int64_t j = 0; j < columns(); ++j) {
                const float expected = (at(xs, i, j) - highest) * weights[static_cast<std::size_t>(j)];  // below 256
                ASSERT_EQ(static_cast<float>(ys[static_cast<std::size_t>(i * columns() + j)]), expected)
                    << i << ' ' << j;
            }
        }
    }
}

TEST_P(ScheduleOf, RowsAreDividedAsElementsAre) {
    if (columns() < 2) GTEST_SKIP() << "no row to reduce";
    SegmentBuilder b;
    const ValueId x = b.input({rows(), columns()});
    const ValueId share = b.apply(PointwiseOp<OpCode::div>{}, {x, b.apply(over<ops::Sum>({1}), {x})});
    b.hold(share);
    const std::vector<float> xs = numbers(rows(), columns());
    for (const std::size_t bytes : kVectorBytes) {
        Interpreted run(bytes);
        run.give(x, xs);
        run.run(b.segment());
        const auto ys = run.get<float>(share);
        for (std::int64_t i = 0; i < rows(); ++i) {
            float sum = 0;  // of small integers, and 0 for some rows
            for (std::int64_t j = 0; j < columns(); ++j) sum += at(xs, i, j);
            for (std::int64_t j = 0; j < columns(); ++j) {
                const float expected = at(xs, i, j) / sum, got = at(ys, i, j);
                ASSERT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected)))
                    << at(xs, i, j) << " / " << sum << " gives " << got << ", expected " << expected;
            }
        }
    }
}

TEST_P(ScheduleOf, RowsTellOfTheirNaN) {
    if (columns() < 2) GTEST_SKIP() << "no row to reduce";
    SegmentBuilder b;
    const ValueId x = b.input({rows(), columns()});
    ops::ArgMax first_highest;
    ops::ArgMin first_lowest;
    first_highest.axis = first_lowest.axis = 1;
    const ValueId highest = b.apply(over<ops::Max>({1}), {x}), lowest = b.apply(over<ops::Min>({1}), {x});
    const ValueId highest_at = b.apply(first_highest, {x}), lowest_at = b.apply(first_lowest, {x});
    for (const ValueId value : {highest, lowest, highest_at, lowest_at}) b.hold(value);
    // One in every third row, two in every other third; between rows they move over all lanes and copies of a loop.
    std::vector<float> xs = numbers(rows(), columns());
    std::vector<std::int64_t> first(static_cast<std::size_t>(rows()), -1);
    for (std::int64_t i = 0; i < rows(); ++i) {
        if (i % 3 == 2) continue;
        const std::int64_t at = i * 17 % columns(), second = i % 3 == 0 ? at : (at + 5 * i) % columns();
        for (const std::int64_t j : {at, second})
            xs[static_cast<std::size_t>(i * columns() + j)] = std::numeric_limits<float>::quiet_NaN();
        first[static_cast<std::size_t>(i)] = std::min(at, second);
    }
    for (const std::size_t bytes : kVectorBytes) {
        Interpreted run(bytes);
        run.give(x, xs);
        run.run(b.segment());
        const auto maxima = run.get<float>(highest), minima = run.get<float>(lowest);
        const auto maximum_at = run.get<std::int64_t>(highest_at), minimum_at = run.get<std::int64_t>(lowest_at);
        for (std::size_t i = 0; i < first.size(); ++i) {
            const auto row = xs.begin() + static_cast<std::int64_t>(i) * columns();
            if (first[i] >= 0) {
                ASSERT_TRUE(std::isnan(maxima[i])) << i;
                ASSERT_TRUE(std::isnan(minima[i])) << i;
                ASSERT_EQ(maximum_at[i], first[i]);
                ASSERT_EQ(minimum_at[i], first[i]);
            } else {
                const auto most = std::max_element(row, row + columns()),
                           least = std::min_element(row, row + columns());
                ASSERT_EQ(maxima[i], *most);
                ASSERT_EQ(minima[i], *least);
                ASSERT_EQ(maximum_at[i], most - row);
                ASSERT_EQ(minimum_at[i], least - row);
            }
        }
    }
}

TEST_P(ScheduleOf, RandomNumbersAreThoseOfTheStream) {
    SegmentBuilder b;
    const ValueId x = b.input({rows(), columns()});
    ops::Random law{
        .shape = {rows(), columns()}, .law = RandomLaw::Bernoulli, .a = 0.5, .key = 77, .counter = 0xfffffffe};
    const ValueId masked = b.apply(kMul, {x, b.apply(law, {})});
    const ValueId highest = b.apply(kAdd, {masked, b.apply(over<ops::Sum>({1}), {masked})});
    b.hold(masked);
    if (columns() > 1) b.hold(highest);
    const std::vector<float> xs = numbers(rows(), columns());
    for (const std::size_t bytes : kVectorBytes) {
        Interpreted run(bytes);
        run.give(x, xs);
        run.run(b.segment());
        const auto ys = run.get<float>(masked);
        for (std::size_t i = 0; i < ys.size(); ++i) {
            const std::uint32_t word = philox4x32(77, 0xfffffffeu + std::uint64_t{i / 4})[i % 4];
            ASSERT_EQ(ys[i], word < 0x80000000u ? xs[i] : 0) << i;
        }
    }
}

/// Three passes, of which the second computes a function; the last takes what both before it kept.
void check_joined_passes(DType dtype, std::int64_t rows, std::int64_t columns, std::size_t vector_bytes) {
    SegmentBuilder b;
    const ValueId x = b.input({rows, columns}, dtype);
    const ValueId wide = b.apply(ops::Cast{DType::F32}, {x});
    const ValueId centred = b.apply(kSub, {wide, b.apply(over<ops::Max>({1}), {wide})});
    const ValueId size = b.apply(PointwiseOp<OpCode::sqrt>{}, {b.apply(kMul, {centred, centred})});
    const ValueId total = b.apply(over<ops::Sum>({1}), {size});
    const ValueId result = b.apply(kAdd, {b.apply(kSub, {size, total}), wide});
    for (const ValueId value : {total, result}) b.hold(value);
    const std::vector<float> xs = numbers(rows, columns);
    Interpreted run(vector_bytes);
    if (dtype == DType::BF16) {
        run.give(x, std::vector<bf16>(xs.begin(), xs.end()));
    } else {
        run.give(x, xs);
    }
    run.run(b.segment());
    const auto ys = run.get<float>(result), totals = run.get<float>(total);
    for (std::int64_t i = 0; i < rows; ++i) {
        const auto row = xs.begin() + i * columns;
        const float highest = *std::max_element(row, row + columns);
        float sum = 0;
        for (std::int64_t j = 0; j < columns; ++j) sum += highest - row[j];
        ASSERT_EQ(totals[static_cast<std::size_t>(i)], sum) << i;
        for (std::int64_t j = 0; j < columns; ++j)
            ASSERT_EQ(ys[static_cast<std::size_t>(i * columns + j)], highest - row[j] - sum + row[j]) << i << ' ' << j;
    }
}

TEST(Schedule, JoinedPassesWalkEveryRowOfACube) {
    for (const DType dtype : {DType::F32, DType::BF16}) {
        for (const std::size_t vector_bytes : {std::size_t{16}, std::size_t{64}}) {
            // 128 rows are a cube; the last one has one, two or three.
            for (const std::int64_t rows : {513, 514, 515}) check_joined_passes(dtype, rows, 64, vector_bytes);
            check_joined_passes(dtype, 40, 1027, vector_bytes);
        }
    }
}

/// By block that touches elements: what it asks for (r to read, w to write), what it loads and what it stores, in this order.
std::vector<std::string> accesses_of(const SegmentBuilder& b, std::span<const Layout> layouts,
                                     std::size_t vector_bytes) {
    const GroupedSegment grouped = group_segment(b.segment());
    const kernel::Kernel kernel = schedule(grouped.segment, grouped.steps.at(0).group, layouts, vector_bytes).kernel;
    std::vector<std::string> blocks;
    for (const auto& block : kernel.blocks) {
        std::string accesses;
        for (const kernel::NodeId id : block) {
            const kernel::Node& node = kernel[id];
            if (node.kind == kernel::NodeKind::Prefetch)
                accesses += static_cast<kernel::Access>(node.immediate) == kernel::Access::Read ? 'r' : 'w';
            if (node.kind == kernel::NodeKind::Load) accesses += 'l';
            if (node.kind == kernel::NodeKind::Store) accesses += 's';
        }
        if (!accesses.empty()) blocks.push_back(accesses);
    }
    return blocks;
}

TEST(Schedule, VectorsThatAreWalkedTogetherAreStoredTogether) {
    SegmentBuilder b;
    const ValueId x = b.input({8, 1000});
    b.hold(b.apply(kAdd, {x, b.apply(kMul, {x, x})}));
    const Layout layout = Layout::contiguous({8, 1000});
    // The first loop over the columns takes four vectors.
    EXPECT_EQ(accesses_of(b, {&layout, 1}, 32), (std::vector<std::string>{"llllssss", "ls", "ls"}));
}

TEST(Schedule, JoinedPassesAskWithTheRowThatIsStored) {
    SegmentBuilder b;
    const Shape shape{2048, 1500};
    const ValueId x = b.input(shape);
    const ValueId powers = b.apply(PointwiseOp<OpCode::exp>{}, {b.apply(kSub, {x, b.apply(over<ops::Max>({1}), {x})})});
    b.hold(b.apply(PointwiseOp<OpCode::div>{}, {powers, b.apply(over<ops::Sum>({1}), {powers})}));
    const Layout layout = Layout::contiguous(shape);
    std::size_t stored = 0;
    for (const std::string& block : accesses_of(b, {&layout, 1}, 64)) {
        const auto count = [&block](char access) { return std::count(block.begin(), block.end(), access); };
        // Those of the first and second pass over a cube's first rows were asked for by the cube before.
        EXPECT_EQ(count('r'), count('w')) << block;
        if (count('w') > 0) ++stored;
    }
    EXPECT_EQ(stored, 6u) << "three loops over the columns, where all passes walk and where the last walks alone";
}

TEST(Schedule, DearElementsAreAskedForBeforeTheVectorsThatAreWalkedTogether) {
    const auto accesses = [](DType dtype, const Shape& bias, std::size_t vector_bytes) {
        SegmentBuilder b;
        const ValueId x = b.input({8, 1000}, dtype), y = b.input(bias, dtype);
        b.hold(b.apply(PointwiseOp<OpCode::exp>{}, {b.apply(kAdd, {x, y})}));
        const Layout layouts[] = {Layout::contiguous({8, 1000}), Layout::contiguous(bias)};
        return accesses_of(b, layouts, vector_bytes);
    };
    using Blocks = std::vector<std::string>;
    // What every row uses stays in the first cache.
    EXPECT_EQ(accesses(DType::F32, {1, 1000}, 64), (Blocks{"rrrrwwwwllllllllssss", "rwlls", "rwlls"}));
    EXPECT_EQ(accesses(DType::F32, {8, 1000}, 64), (Blocks{"rrrrrrrrwwwwllllllllssss", "rrwlls", "rrwlls"}))
        << "one long row";
    EXPECT_EQ(accesses(DType::F32, {8, 1000}, 32), (Blocks{"rrrrwwllllllllssss", "rrwlls", "rrwlls"}))
        << "two vectors share a line";
    EXPECT_EQ(accesses(DType::BF16, {1, 1000}, 64), (Blocks{"lls", "lls"})) << "halves are few bytes";
}

INSTANTIATE_TEST_SUITE_P(Shapes, ScheduleOf,
                         testing::Values(std::pair(3, 5), std::pair(33, 70), std::pair(200, 17), std::pair(20, 1030),
                                         std::pair(300, 64), std::pair(2, 9), std::pair(70, 1), std::pair(2, 8200)));

}  // namespace
}  // namespace burn::compiler::schedule_test
