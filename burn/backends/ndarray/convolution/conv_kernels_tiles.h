// How the products of a convolution are cut into tiles.
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/convolution/conv_kernels_table.h>
#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/scratch.h>

namespace burn::ndarray {

/// Weights of all groups, packed in tiles of at most `max_rows` of a group's `rows` (gemm_kernels.h), `taps` deep.
template <class T>
class PackedWeights {
public:
    PackedWeights(int max_rows, int lanes, int64_t groups, int64_t rows, int64_t taps)
        : tiles_(ceil_div(rows, max_rows)), rows_(rows, tiles_),
          // Packing may write some lanes beyond a tile: each has room for them, so that threads may pack at once.
          tile_size_(max_rows * taps + lanes), data_(groups * tiles_ * tile_size_) {}

    int64_t tiles() const { return tiles_; }
    int64_t first_row(int64_t tile) const { return rows_.begin(tile); }
    /// How many tiles are worth a thread to pack.
    int64_t packing_grain() const { return 1 + kElements / tile_size_; }
    T* tile(int64_t group, int64_t tile) { return data_.data() + (group * tiles_ + tile) * tile_size_; }

private:
    static constexpr int64_t kElements = 50'000;

    int64_t tiles_;
    EqualPieces rows_;  // of the tiles
    int64_t tile_size_;
    Scratch<T> data_;
};

/// Which positions of a grid are outputs, and where these are in an output plane.
struct GridShape {
    int64_t height = 0;
    int64_t width = 0;
    int64_t pitch = 0;  ///< positions from one row to the next, >= width
    int64_t out_start = 0;
    int64_t out_row = 0;
    int64_t out_col = 0;

    int64_t positions() const { return height > 0 && width > 0 ? (height - 1) * pitch + width : 0; }
    bool out_is_contiguous() const { return out_row == width && out_col == 1; }
};

/// How a grid is cut into tiles, and how its taps are read.
struct GridTiles {
    /// `apart`: no two taps of a position are near each other in memory, as in a 1x1 convolution.
    template <class T>
    GridTiles(const ConvKernels<T>& kernels, const GridShape& grid, int64_t rows, int64_t taps, bool apart)
        : gather(apart && rows > 2 * kernels.narrow.max_rows),
          across_images(!apart && grid.out_is_contiguous() && gathering_pays(grid, rows, kernels.narrow.panel)),
          shape(!apart && !across_images && taps >= kWideTaps && rows >= kWideRows &&
                        rows * kernels.wide.panel * static_cast<int64_t>(sizeof(T)) <= kSumBytes
                    ? kernels.wide
                    : kernels.narrow) {}

    static constexpr int64_t kWideTaps = 100, kWideRows = 4;  ///< with fewer there is little to read
    static constexpr int64_t kSumBytes = 32 << 10;            ///< sums of one panel: they stay in the first cache

    /// Gathering an output's tap, and keeping its sum apart, takes about as long as multiplying it by so many weights.
    static constexpr int64_t kGatherWork = 16;

    /// Whether a panel of positions has so many that are no outputs, that gathering outputs is worth it.
    static bool gathering_pays(const GridShape& grid, int64_t rows, int64_t panel) {
        const int64_t positions = ceil_div(grid.positions(), panel) * panel;
        return grid.height * grid.width * (rows + kGatherWork) < positions * rows;
    }

    /// Where several tiles read numbers from all over the image, these are gathered first.
    bool gather;
    /// Columns are the outputs of all images (conv_kernels_columns.h) rather than the positions of one.
    bool across_images;
    ConvTileShape shape;
};

}  // namespace burn::ndarray
