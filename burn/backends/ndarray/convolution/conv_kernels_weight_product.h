// Weight gradients as matrix products, for many filters: dy [filters, outputs] times x [outputs, taps], both packed.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include <burn/backends/ndarray/convolution/conv_kernels_weight_grid.h>
#include <burn/backends/ndarray/product/gemm_kernels.h>

namespace burn::ndarray {

/// Images are added one after the other, small ones several at a time, for the sums to be read and written less often; threads share
/// the panels of taps, and where they meet in one its tiles of filters: there may be five panels for two threads.
template <class T>
class WeightProduct {
public:
    explicit WeightProduct(WeightGrid<T>& grid)
        : g_(grid), tiles_(ceil_div(grid.rows, product_.max_rows)),
          blocks_(ceil_div(grid.steps * grid.lanes, kPositions)),
          together_(blocks_ > 1 ? 1 : min_of(grid.s.batch, max_of(1, kPositions / grid.outputs()))),
          tile_size_(product_.max_rows * together_ * grid.outputs() + product_.lanes), packed_(tiles_ * tile_size_),
          first_(blocks_ + 1), images_(together_) {
        int64_t outputs = 0;
        for (int64_t block = 0; block < blocks_; ++block) {
            first_[block] = outputs;
            for (int64_t step = first_step(block); step < first_step(block + 1); ++step) {
                outputs += __builtin_popcount(g_.masks[step]);
            }
        }
        first_[blocks_] = outputs;
    }

    void run(T* dw) {
        const int64_t groups = g_.s.groups;
        for (int64_t group = 0; group < groups; ++group) {
            for (int64_t image = 0; image < g_.s.batch; image += together_) {
                const int64_t count = min_of(together_, g_.s.batch - image);
                find_images(image * groups + group, count);
                add(image * groups + group, count, image > 0, dw + group * g_.rows * g_.taps);
            }
        }
    }

private:
    struct Tiles {
        int64_t begin, end;
    };
    static constexpr int64_t kPositions = 256;  // of x packed at once: a panel of them stays in the first cache

    int64_t first_step(int64_t block) const { return min_of(g_.steps, block * (kPositions / g_.lanes)); }
    int64_t first_row(int64_t tile) const { return cut(g_.rows, tiles_, tile); }

    // Where `count` images of a group are from now on: image `index` and those of the next of the batch.
    void find_images(int64_t index, int64_t count) {
        const int64_t size = max_of(g_.images.copy_size(), g_.reach);
        for (int64_t i = 0; i < count; ++i, index += g_.s.groups) {
            images_[i] = g_.images.image(index);
            if (g_.images.is_readable(index, g_.reach)) continue;
            if (!copies_) {
                copies_.emplace(together_ * size);
                std::memset(copies_->data(), 0, static_cast<std::size_t>(together_ * size) * sizeof(T));
            }
            T* copy = copies_->data() + i * size;
            const int64_t grain = 1 + 100'000 / (g_.images.planes.channel_size() + 1);
            parallel_for(g_.images.channels, grain, [&](int64_t begin, int64_t end) {
                copy_planes(g_.kernels, g_.images.planes, g_.images.image(index), copy, begin, end);
            });
            images_[i] = copy;
        }
    }

    // Adds these images' part to dw of their group.
    void add(int64_t index, int64_t count, bool accumulate, T* dw) {
        const int64_t outputs = count * g_.outputs();
        parallel_for(tiles_, 1 + 50'000 / (product_.max_rows * outputs + 1), [&](int64_t begin, int64_t end) {
            for (int64_t tile = begin; tile < end; ++tile) pack_rows(index, count, tile);
        });
        const int64_t shares = min_of(tiles_, 4), panels = ceil_div(g_.taps, product_.panel);
        const int64_t work = g_.rows * product_.panel * outputs / shares + 1;
        parallel_for(panels * shares, ceil_div(kThreadWork, work), [&](int64_t begin, int64_t end) {
            Scratch<T> panel_of_x(kPositions * product_.panel);
            for (int64_t panel = begin / shares; panel * shares < end; ++panel) {
                const int64_t before = panel * shares;
                const Tiles tiles{cut(tiles_, shares, max_of(begin - before, 0)),
                                  cut(tiles_, shares, min_of(end - before, shares))};
                multiply(panel, tiles, count, accumulate, panel_of_x.data(), dw);
            }
        });
    }

    // Packs the rows of a tile: the outputs of one image after the other, and of one block after the other. What packing writes
    // behind an image's is overwritten by the next one.
    void pack_rows(int64_t index, int64_t count, int64_t tile) {
        const int64_t rows = first_row(tile + 1) - first_row(tile);
        T* to = packed_.data() + tile * tile_size_;
        for (int64_t i = 0; i < count; ++i, index += g_.s.groups, to += rows * g_.outputs()) {
            product_.pack_rows(static_cast<int>(rows), g_.outputs(), g_.dy_of(index) + first_row(tile) * g_.outputs(),
                               g_.outputs(), 1, to);
        }
    }

    void multiply(int64_t panel, Tiles tiles, int64_t count, bool accumulate, T* panel_of_x, T* dw) {
        const int64_t tap = panel * product_.panel;
        const int taps = static_cast<int>(min_of(product_.panel, g_.taps - tap));
        for (int64_t block = 0; block < blocks_; ++block) {
            const int64_t step = first_step(block);
            const int64_t outputs = first_[block + 1] - first_[block];
            for (int64_t i = 0; i < count; ++i) {
                g_.kernels.pack_taps(taps, first_step(block + 1) - step, images_[i] + step * g_.lanes,
                                     g_.offsets.data() + tap, g_.masks.data() + step,
                                     panel_of_x + i * outputs * product_.panel);
            }
            for (int64_t tile = tiles.begin; tile < tiles.end; ++tile) {
                const int64_t row = first_row(tile);
                const int rows = static_cast<int>(first_row(tile + 1) - row);
                product_.tile(rows, taps, count * outputs, packed_.data() + tile * tile_size_ + first_[block] * rows,
                              panel_of_x, product_.panel, dw + row * g_.taps + tap, g_.taps, accumulate || block > 0);
            }
        }
    }

    WeightGrid<T>& g_;
    const GemmKernels<T>& product_ = gemm_kernels<T>();
    int64_t tiles_;
    int64_t blocks_;    // of positions
    int64_t together_;  // images at a time; 1 where an image has several blocks
    int64_t tile_size_;
    Scratch<T> packed_;
    Scratch<int64_t> first_;            // outputs in front of each block
    Scratch<const T*> images_;          // those of the moment
    std::optional<Scratch<T>> copies_;  // of those that cannot be read where they are; 0 around them
};

}  // namespace burn::ndarray
