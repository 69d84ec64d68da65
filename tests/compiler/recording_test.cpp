#include <burn/compiler/recording.h>

#include <burn/core/layout.h>
#include <burn/ops/all_ops.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace burn::compiler::recording_test {
namespace {

using ops::OpCode;
using ops::PointwiseOp;
using Operands = SmallVector<ValueId, 4>;
using Results = SmallVector<ValueId, 2>;

const ops::AnyOp kAdd = PointwiseOp<OpCode::add>{};
const ops::AnyOp kSub = PointwiseOp<OpCode::sub>{};
ops::AnyOp times(double number) { return PointwiseOp<OpCode::mul_scalar>{{number, {}}}; }
ops::AnyOp sum_of(std::int64_t axis) {
    ops::Sum op;
    op.axes = {axis};
    return op;
}

/// Writes recordings down with their specs, as a stream does.
class Program {
public:
    ValueId input(const Shape& shape, DType dtype = DType::F32) {
        specs_.push_back({shape, dtype});
        layouts_.push_back(Layout::contiguous(shape));
        return recording_.add_external(specs_.back());
    }
    ValueId apply(ops::AnyOp op, std::initializer_list<ValueId> inputs) {
        SpecList operands;
        for (const ValueId input : inputs) operands.push_back(specs_[input]);
        const SpecList results = op.infer({operands.data(), operands.size()});
        const ValueId first = recording_.add(op, {inputs.begin(), inputs.size()}, results);
        specs_.insert(specs_.end(), results.begin(), results.end());
        return first;
    }
    /// Ends the program; `live` are the values that outlive it.
    const Recording& end(std::initializer_list<ValueId> live) {
        recording_.end([&](ValueId value) { return std::find(live.begin(), live.end(), value) != live.end(); });
        for (const Layout& layout : layouts_) recording_.add_layout(layout.strides);
        return recording_;
    }
    void lay_out(std::size_t external, const Layout& layout) { layouts_[external] = layout; }
    Segment segment() const {
        const std::span<const ValueId> externals = recording_.externals();
        return recording_.segment([this](ValueId value) -> const TensorSpec& { return specs_[value]; },
                                  [&](ValueId value) {
                                      const auto place = std::find(externals.begin(), externals.end(), value);
                                      return layouts_[static_cast<std::size_t>(place - externals.begin())];
                                  });
    }

private:
    Recording recording_;
    std::vector<TensorSpec> specs_;
    std::vector<Layout> layouts_;  ///< of those from outside
};

/// What `write` records, as words.
std::vector<std::uint64_t> words_of(const std::function<void(Program&)>& write,
                                    std::initializer_list<ValueId> live = {2}) {
    Program program;
    write(program);
    const auto words = program.end(live).key().words();
    return {words.begin(), words.end()};
}

TEST(Recording, TheSameProgramHasTheSameKey) {
    const auto write = [](Program& p) { p.apply(kSub, {p.input({2, 3}), p.input({2, 3})}); };
    EXPECT_EQ(words_of(write), words_of(write));
}

TEST(Recording, RunTimeNumbersAreNoPartOfTheKey) {
    const auto write = [](double number) {
        return [number](Program& p) { p.apply(times(number), {p.input({2, 3})}); };
    };
    EXPECT_EQ(words_of(write(2), {1}), words_of(write(3), {1}));
}

TEST(Recording, EverythingElseIs) {
    const auto base = words_of([](Program& p) { p.apply(kSub, {p.input({4, 4}), p.input({4, 4})}); });
    const auto differs = [&](const char* what, const std::function<void(Program&)>& write,
                             std::initializer_list<ValueId> live = {2}) {
        EXPECT_NE(words_of(write, live), base) << what;
    };
    differs("operation", [](Program& p) { p.apply(kAdd, {p.input({4, 4}), p.input({4, 4})}); });
    differs("shape", [](Program& p) { p.apply(kSub, {p.input({4, 5}), p.input({4, 5})}); });
    differs("dtype", [](Program& p) { p.apply(kSub, {p.input({4, 4}, DType::F64), p.input({4, 4}, DType::F64)}); });
    differs("who takes what", [](Program& p) {
        const ValueId x = p.input({4, 4}), y = p.input({4, 4});
        p.apply(kSub, {y, x});
    });
    differs("one operand twice", [](Program& p) {
        const ValueId x = p.input({4, 4});
        p.input({4, 4});
        p.apply(kSub, {x, x});
    });
    differs("liveness", [](Program& p) { p.apply(kSub, {p.input({4, 4}), p.input({4, 4})}); }, {});
    differs("strides", [](Program& p) {
        p.apply(kSub, {p.input({4, 4}), p.input({4, 4})});
        p.lay_out(1, Layout::contiguous({4, 4}).permute({1, 0}));
    });
}

TEST(Recording, StructuralAttributesAreInTheKey) {
    const auto write = [](std::int64_t axis) {
        return [axis](Program& p) { p.apply(sum_of(axis), {p.input({4, 4, 1})}); };
    };
    EXPECT_NE(words_of(write(0), {1}), words_of(write(1), {1}));
}

TEST(Recording, GivesTheSegmentThatWasRecorded) {
    Program program;
    const ValueId x = program.input({2, 3});
    const ValueId twice = program.apply(times(2), {x});
    const ValueId y = program.input({1, 3});  // comes late: values are numbered as they come
    const ValueId sum = program.apply(kAdd, {twice, y});
    program.lay_out(1, Layout::contiguous({3, 1}).permute({1, 0}));
    program.end({x, sum});
    const Segment segment = program.segment();

    ASSERT_EQ(segment.values.size(), 4u);
    EXPECT_EQ(segment.values[sum].spec, (TensorSpec{{2, 3}, DType::F32}));
    EXPECT_EQ(segment.values[y].spec.shape, (Shape{1, 3}));
    EXPECT_EQ(segment.values[x].layout.strides, (Dims{3, 1}));
    EXPECT_EQ(segment.values[y].layout.strides, (Dims{1, 1}));
    for (ValueId value = 0; value < 4; ++value) {
        EXPECT_EQ(segment.values[value].external, value == x || value == y) << value;
        EXPECT_EQ(segment.values[value].live, value == x || value == sum) << value;
    }
    ASSERT_EQ(segment.ops.size(), 2u);
    EXPECT_EQ(segment.ops[0].op, times(2));
    EXPECT_EQ(segment.ops[0].inputs, (Operands{x}));
    EXPECT_EQ(segment.ops[0].outputs, (Results{twice}));
    EXPECT_EQ(segment.ops[1].inputs, (Operands{twice, y}));
    EXPECT_EQ(segment.ops[1].outputs, (Results{sum}));
}

TEST(Recording, OfManyValuesKnowsWhichLive) {
    Program program;
    ValueId x = program.input({5});
    for (int i = 0; i < 150; ++i) x = program.apply(kAdd, {x, x});
    const Recording& recording = program.end({63, 64, 128, 150});
    for (ValueId value = 0; value <= 150; ++value)
        EXPECT_EQ(recording.is_live(value), value == 63 || value == 64 || value == 128 || value == 150) << value;
}

TEST(Recording, StartsAgainWhenCleared) {
    const auto write = [](Recording& recording) {
        const TensorSpec spec{{3}, DType::F32};
        const ValueId inputs[] = {recording.add_external(spec)};
        recording.add(times(1), inputs, {spec});
        recording.end([](ValueId) { return true; });
        recording.add_layout({1});
    };
    Recording recording, fresh;
    write(recording);
    recording.clear();
    EXPECT_TRUE(recording.empty());
    EXPECT_TRUE(recording.externals().empty());
    write(recording);
    write(fresh);
    EXPECT_EQ(recording.key(), fresh.key());
    EXPECT_EQ(recording.ops().size(), 1u);
}

}  // namespace
}  // namespace burn::compiler::recording_test
