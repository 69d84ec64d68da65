#include <burn/base/memory.h>

#include <burn/base/error.h>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace burn::memory_test {
namespace {

TEST(Block, IsAlignedAndCounted) {
    const MemoryReport before = memory_report();
    for (std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{100000}}) {
        const Ref<Block> block = Block::make(bytes);
        EXPECT_EQ(block->size(), bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block->data()) % kBlockAlignment, 0u);
        if (bytes > 0) std::memset(block->data(), 0xab, bytes);
        EXPECT_EQ(memory_report().live_blocks, before.live_blocks + 1);
        EXPECT_EQ(memory_report().live_bytes, before.live_bytes + bytes);
    }
    EXPECT_EQ(memory_report().live_blocks, before.live_blocks);
    EXPECT_EQ(memory_report().live_bytes, before.live_bytes);
    EXPECT_GE(memory_report().peak_bytes, before.live_bytes + 100000);
}

// Pages of 2 MiB exist only where a block covers them whole.
TEST(Block, OfHugePagesStartsAtOne) {
    for (const std::size_t mib : {2, 3, 5, 16, 27}) {
        const Ref<Block> block = Block::make(mib << 20);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block->data()) % (2u << 20), 0u) << mib;
        std::memset(block->data(), 0xab, block->size());
    }
    release_cached_memory();
}

TEST(Block, OfASizeThatWasFreedIsReused) {
    release_cached_memory();
    EXPECT_EQ(memory_report().cached_bytes, 0u);
    Ref<Block> block = Block::make(1 << 20);
    const std::byte* place = block->data();
    block = nullptr;
    EXPECT_GE(memory_report().cached_bytes, std::uint64_t{1} << 20);
    block = Block::make(1 << 20);
    EXPECT_EQ(block->data(), place);
    block = nullptr;
    release_cached_memory();
    EXPECT_EQ(memory_report().cached_bytes, 0u);
}

TEST(Block, ThatNoMachineHasIsAnError) {
    EXPECT_THROW(Block::make(std::numeric_limits<std::size_t>::max() / 2), OutOfMemoryError);
    EXPECT_THROW(Block::make(std::numeric_limits<std::size_t>::max()), OutOfMemoryError);
}

}  // namespace
}  // namespace burn::memory_test
