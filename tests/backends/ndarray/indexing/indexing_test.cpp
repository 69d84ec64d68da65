#include <burn/backends/ndarray/nd_tensor.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/base/parallel.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/indexing.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

/// How NdArray runs indexing: on every layout, in place where it may, the same whatever the number of threads.

namespace burn::ndarray::indexing_test {
namespace {

using ops::Handle;
using ops::IndexingUpdate;

ops::Engine& engine() { return NdArray::engine(0); }

Handle count_up(const Shape& shape) {
    return ops::reshape(ops::arange(engine(), 0, shape.numel(), 1, DType::F32), shape);
}

TensorData read(const Handle& handle) { return engine().read(handle).wait(); }

const Block* block_of(const Handle& handle) { return NdTensor::of(handle).block().get(); }

/// The same values in six layouts.
std::vector<Handle> layouts_of(const Handle& x) {
    const Shape shape = x.shape();
    std::vector<Handle> made = {x};
    made.push_back(ops::swap_dims(engine().upload(read(ops::swap_dims(x, 0, 2))), 0, 2));  // transposed
    Shape wide = shape;
    for (std::int64_t& size : wide) size = 2 * size + 1;
    ops::SliceList offset;
    ops::SliceList strided;
    ops::SliceList reversed;
    for (std::int64_t size : shape) {
        offset.push_back({1, size + 1});
        strided.push_back({1, 2 * size + 1, 2});
        reversed.push_back({0, size, -1});
    }
    for (const ops::SliceList& region : {offset, strided, reversed}) {
        made.push_back(ops::slice(ops::slice_assign(ops::full(engine(), wide, DType::F32, -1), region, x), region));
    }
    // Reversed all over: the copy holds the values backwards, the view turns them round.
    made.push_back(ops::flip(engine().upload(read(ops::flip(x, {0, 1, 2}))), {0, 1, 2}));
    return made;
}

Handle indices(std::initializer_list<std::int64_t> values, const Shape& shape) {
    return ops::reshape(engine().upload(TensorData::from(values)), shape);
}

TEST(NdArrayIndexing, ReadsEveryLayout) {
    const Handle x = count_up({3, 4, 5});
    const Handle rows = indices({2, 0, 2}, {3});
    const Handle at = ops::expand(indices({1, 3, 0}, {3, 1, 1}), {3, 2, 5});
    const Handle places = indices({2, 3, 0, 0, 1, 2}, {3, 2});
    for (const Handle& view : layouts_of(x)) {
        ASSERT_TRUE(read(view) == read(x));
        for (std::int64_t axis : {0, 1, 2})
            EXPECT_TRUE(read(ops::select(view, axis, rows)) == read(ops::select(x, axis, rows)));
        EXPECT_TRUE(read(ops::gather(view, 1, at)) == read(ops::gather(x, 1, at)));
        EXPECT_TRUE(read(ops::gather_nd(view, places)) == read(ops::gather_nd(x, places)));
    }
    // Against the definition, once.
    const TensorData got = read(ops::gather(x, 1, at));
    for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t j = 0; j < 2; ++j) {
            for (std::int64_t k = 0; k < 5; ++k)
                EXPECT_EQ(got.at((i * 2 + j) * 5 + k), i * 20 + (i == 0 ? 1 : i == 1 ? 3 : 0) * 5 + k);
        }
    }
}

// Blocks of 16 bytes and more are copied whole, in pieces that overlap at their end.
TEST(NdArrayIndexing, SelectsBlocksOfEveryLength) {
    for (const std::int64_t length : {1, 3, 4, 5, 7, 16, 33, 128, 129, 200}) {
        const Handle x = count_up({3, 5, length});
        const Handle at = indices({4, 0, 2, 2, 4, 1, 3}, {7});
        const TensorData got = read(ops::select(x, 1, at)), which = read(at);
        ASSERT_EQ(got.shape(), (Shape{3, 7, length}));
        for (std::int64_t i = 0; i < got.numel(); ++i) {
            const auto row = static_cast<std::int64_t>(which.at(i / length % 7));
            ASSERT_EQ(got.at(i), (i / length / 7 * 5 + row) * length + i % length) << length << ' ' << i;
        }
        EXPECT_TRUE(read(ops::select(x, 1, ops::flip(ops::flip(at, {0}), {0}))) == got);
        EXPECT_EQ(read(ops::select(x, 1, ops::slice(at, {{0, 0}}))).numel(), 0);
    }
}

TEST(NdArrayIndexing, FindsTheOneIndexThatIsOutside) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const Handle x = count_up({10, 8});
    for (const std::int64_t wrong : {std::int64_t{10}, std::int64_t{-1}, kMost, -kMost - 1}) {
        std::vector<std::int64_t> many(100, 9);
        many[71] = wrong;
        const Handle at = engine().upload(TensorData::from(std::span<const std::int64_t>(many), {100}));
        try {
            ops::select(x, 0, at);
            ADD_FAILURE() << wrong;
        } catch (const IndexError& error) {
            EXPECT_NE(std::string(error.what()).find(std::to_string(wrong)), std::string::npos) << error.what();
        }
        EXPECT_THROW(ops::select(x, 0, ops::slice(at, {{0, 100, 71}})), IndexError) << wrong;
    }
}

TEST(NdArrayIndexing, WritesFromAndIntoEveryLayout) {
    const Handle x = count_up({3, 4, 5});
    const Handle rows = indices({2, 0, 2}, {3});
    const Handle places = indices({2, 3, 0, 0, 1, 2}, {3, 2});
    const Handle values = ops::slice(x, {{0, 3}, {0, 3}, {0, 3}});
    for (IndexingUpdate update : {IndexingUpdate::Add, IndexingUpdate::Assign}) {
        for (const Handle& view : layouts_of(x)) {
            const Handle part = ops::slice(view, {{0, 3}, {0, 3}, {0, 3}});
            for (std::int64_t axis : {0, 1, 2}) {
                const Handle at = ops::expand(ops::reshape(rows, axis == 0   ? Shape{3, 1, 1}
                                                                 : axis == 1 ? Shape{1, 3, 1}
                                                                             : Shape{1, 1, 3}),
                                              {3, 3, 3});
                EXPECT_TRUE(read(ops::scatter(view, axis, at, part, update)) ==
                            read(ops::scatter(x, axis, at, values, update)));
            }
            EXPECT_TRUE(read(ops::select_assign(view, 0, rows, view, update)) ==
                        read(ops::select_assign(x, 0, rows, x, update)));
            const Handle blocks = ops::reshape(ops::slice(view, {Slice(), {1, 2}}), {3, 5});
            EXPECT_TRUE(
                read(ops::scatter_nd(view, places, blocks, update)) ==
                read(ops::scatter_nd(x, places, ops::reshape(ops::slice(x, {Slice(), {1, 2}}), {3, 5}), update)));
        }
    }
}

TEST(NdArrayIndexing, WritesInPlaceWhatIsGivenAway) {
    const Handle rows = indices({1}, {1});
    const Handle values = ops::full(engine(), {1, 4}, DType::F32, 1);
    Handle x = ops::full(engine(), {3, 4}, DType::F32, 0);
    const Block* block = block_of(x);
    x = ops::select_assign(std::move(x), 0, rows, values, IndexingUpdate::Add);
    EXPECT_EQ(block_of(x), block);
    x = ops::scatter(std::move(x), 0, indices({0, 1, 2, 0}, {1, 4}), values, IndexingUpdate::Add);
    EXPECT_EQ(block_of(x), block);
    x = ops::slice_assign(std::move(x), {{2, 3}}, values);
    EXPECT_EQ(block_of(x), block);
    EXPECT_TRUE(read(x) == TensorData::from<float>({{1, 0, 0, 1}, {1, 2, 1, 1}, {1, 1, 1, 1}}));
    const Handle kept = x;
    EXPECT_NE(block_of(ops::scatter_nd(std::move(x), indices({0}, {1, 1}), values, IndexingUpdate::Assign)), block);
}

TEST(NdArrayIndexing, DoesNotDependOnThreads) {
    constexpr std::int64_t kRows = 2000;
    std::vector<std::int64_t> many;
    for (std::int64_t i = 0; i < kRows; ++i) many.push_back(i * i % 37);
    const Handle at = engine().upload(TensorData::from(std::span<const std::int64_t>(many), {kRows}));
    const Handle values = ops::reshape(ops::arange(engine(), 0, kRows * 64, 1, DType::F32), {kRows, 64});
    const auto write = [&] {
        const Handle zeros = ops::full(engine(), {37, 64}, DType::F32, 0.1);
        return read(ops::select_assign(zeros, 0, at, values, IndexingUpdate::Add));
    };
    set_num_threads(1);
    const TensorData alone = write();
    set_num_threads(2);
    const TensorData together = write();
    set_num_threads(0);
    EXPECT_TRUE(alone == together);
}

}  // namespace
}  // namespace burn::ndarray::indexing_test
