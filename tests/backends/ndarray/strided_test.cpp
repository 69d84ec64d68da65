#include <burn/backends/ndarray/strided.h>

#include <burn/base/memory.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace burn::ndarray::strided_test {
namespace {

using burn::testing::for_each_isa;

/// Where element `number` in row-major order lies.
std::int64_t place_of(const Layout& layout, std::int64_t number) {
    std::int64_t place = layout.offset;
    for (std::size_t axis = layout.shape.rank(); axis-- > 0;) {
        place += number % layout.shape[axis] * layout.strides[axis];
        number /= layout.shape[axis];
    }
    return place;
}

template <class Word>
void expect_copies(const Layout& to, const Layout& from, std::size_t room) {
    std::vector<Word> source(room);
    std::vector<Word> target(room, Word(0));
    for (std::size_t i = 0; i < room; ++i) source[i] = static_cast<Word>(i * 37 + 1);
    copy_strided(sizeof(Word), reinterpret_cast<std::byte*>(target.data()), to,
                 reinterpret_cast<const std::byte*>(source.data()), from);
    std::vector<Word> expected(room, Word(0));
    for (std::int64_t i = 0; i < to.shape.numel(); ++i) {
        expected[static_cast<std::size_t>(place_of(to, i))] = source[static_cast<std::size_t>(place_of(from, i))];
    }
    EXPECT_TRUE(target == expected) << sizeof(Word);
}

void expect_copies_every_size(const Layout& to, const Layout& from, std::size_t room) {
    for_each_isa([&] {
        expect_copies<std::uint8_t>(to, from, room);
        expect_copies<std::uint16_t>(to, from, room);
        expect_copies<std::uint32_t>(to, from, room);
        expect_copies<std::uint64_t>(to, from, room);
    });
}

TEST(CopyStrided, Transposes) {
    for (const Shape& shape : {Shape{16, 16}, Shape{33, 47}, Shape{17, 300}, Shape{300, 31}, Shape{5, 40},
                               Shape{64, 64}, Shape{130, 16}, Shape{16, 161}}) {
        const Layout from = Layout::contiguous({shape[1], shape[0]}).permute({1, 0});
        expect_copies_every_size(Layout::contiguous(shape), from, 10000);
    }
}

/// A matrix of more than 8 MiB, whose transpose goes past the caches where its rows start at cache lines.
template <class Word>
void expect_large_transpose(std::int64_t rows, std::int64_t columns) {
    const std::int64_t size = rows * columns;
    const Ref<Block> from = Block::make(static_cast<std::size_t>(size) * sizeof(Word));
    const Ref<Block> to = Block::make(static_cast<std::size_t>(size) * sizeof(Word));
    auto* source = reinterpret_cast<Word*>(from->data());
    for (std::int64_t i = 0; i < size; ++i) source[i] = static_cast<Word>(i * 40503 + 1);
    for_each_isa([&] {
        std::memset(to->data(), 0, to->size());
        const Layout layout = Layout::contiguous({rows, columns}).permute({1, 0});
        copy_strided(sizeof(Word), to->data(), Layout::contiguous(layout.shape), from->data(), layout);
        const auto* target = reinterpret_cast<const Word*>(to->data());
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::int64_t j = 0; j < columns; ++j)
                ASSERT_EQ(target[j * rows + i], source[i * columns + j]) << i << ' ' << j;
        }
    });
}

TEST(CopyStrided, TransposesMoreThanTheCachesHold) {
    expect_large_transpose<std::uint32_t>(1552, 1400);
    expect_large_transpose<std::uint32_t>(1553, 1399);
    expect_large_transpose<std::uint64_t>(1048, 1027);
    expect_large_transpose<std::uint64_t>(1033, 1040);
    expect_large_transpose<std::uint16_t>(2080, 2050);
}

TEST(CopyStrided, InterleavesFewRows) {
    for (const std::int64_t rows : {2, 3, 4, 5, 15}) {
        for (const std::int64_t columns : {16, 17, 129, 9000}) {
            const Layout from = Layout::contiguous({rows, columns}).permute({1, 0});
            const auto room = static_cast<std::size_t>(rows * columns);
            expect_copies_every_size(Layout::contiguous(from.shape), from, room);
            expect_copies_every_size(from, Layout::contiguous(from.shape), room);
        }
    }
    const Layout images = Layout::contiguous({2, 3, 9, 20}).permute({0, 2, 3, 1});
    expect_copies_every_size(Layout::contiguous(images.shape), images, 1080);
    expect_copies_every_size(Layout::contiguous({7, 33}), Layout::contiguous({7, 33}).flip(1), 231);
}

TEST(CopyStrided, PermutesManyAxes) {
    const Shape shape{3, 35, 4, 18};
    for (const Dims& axes : {Dims{0, 3, 1, 2}, Dims{3, 1, 2, 0}, Dims{1, 0, 3, 2}, Dims{3, 2, 1, 0}}) {
        const Layout from = Layout::contiguous(shape).permute(axes);
        expect_copies_every_size(Layout::contiguous(from.shape), from, 8000);
        expect_copies_every_size(from, Layout::contiguous(from.shape), 8000);
    }
}

TEST(CopyStrided, ReadsPartsReversedAndRepeated) {
    const Layout whole = Layout::contiguous({60, 50});
    const Layout part = whole.slice(0, 3, 40, 1).slice(1, 1, 20, 2).permute({1, 0});
    expect_copies_every_size(Layout::contiguous(part.shape), part, 3000);
    const Layout turned = whole.flip(0).permute({1, 0});
    expect_copies_every_size(Layout::contiguous(turned.shape), turned, 3000);
    const Layout repeated = Layout::contiguous({1, 40}).expand({50, 40}).permute({1, 0});
    expect_copies_every_size(Layout::contiguous(repeated.shape), repeated, 3000);
    expect_copies_every_size(Layout::contiguous({0, 40}), Layout::contiguous({40, 0}).permute({1, 0}), 10);
}

TEST(StridedLoop, CutsWorkByItsCost) {
    std::vector<float> data(8, 1);
    const Layout layout = Layout::contiguous({8});
    StridedLoop loop(layout.shape);
    loop.add(reinterpret_cast<std::byte*>(data.data()), layout, sizeof(float));
    loop.run(
        [](const StridedRun& run) {
            for (std::int64_t i = 0; i < run.count; ++i)
                *reinterpret_cast<float*>(run.data[0] + i * run.strides[0]) += 1;
        },
        1 << 20);
    EXPECT_EQ(data, std::vector<float>(8, 2));
}

}  // namespace
}  // namespace burn::ndarray::strided_test
