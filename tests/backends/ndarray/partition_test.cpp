#include <burn/backends/ndarray/partition.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace burn::ndarray::partition_test {
namespace {

TEST(EqualPieces, CoverEverythingInPiecesThatDifferByOne) {
    for (const std::int64_t count : {0, 1, 13, 14, 15, 64, 1023}) {
        for (const std::int64_t pieces : {1, 2, 5, 14, 73}) {
            const EqualPieces cuts(count, pieces);
            EXPECT_EQ(cuts.begin(0), 0);
            EXPECT_EQ(cuts.begin(pieces), count);
            for (std::int64_t i = 0; i < pieces; ++i) {
                const std::int64_t size = cuts.begin(i + 1) - cuts.begin(i);
                EXPECT_GE(size, count / pieces);
                EXPECT_LE(size, ceil_div(count, pieces));
            }
        }
    }
}

TEST(EqualPieces, LargerOnesComeFirst) {
    const EqualPieces cuts(8, 3);  // 3, 3, 2
    EXPECT_EQ(cuts.begin(1), 3);
    EXPECT_EQ(cuts.begin(2), 6);
}

}  // namespace
}  // namespace burn::ndarray::partition_test
