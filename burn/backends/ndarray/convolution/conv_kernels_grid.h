// A convolution as products over grids of positions (see conv_kernels_table.h), for any number of images and groups.
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/convolution/conv_kernels_columns.h>
#include <burn/backends/ndarray/convolution/conv_kernels_images.h>
#include <burn/backends/ndarray/convolution/conv_kernels_table.h>
#include <burn/backends/ndarray/convolution/conv_kernels_tiles.h>
#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// Working memory of one thread for one panel.
template <class T>
struct PanelScratch {
    /// Taps that are gathered at once: their numbers at a panel's positions stay in the first cache.
    static constexpr int64_t kGathered = 192;

    PanelScratch(const GridTiles& tiles, int64_t rows)
        : sums(rows * tiles.shape.panel), gathered(tiles.gather ? kGathered * tiles.shape.panel : 0),
          offsets(tiles.gather ? kGathered : 0) {
        for (int64_t t = 0; tiles.gather && t < kGathered; ++t) offsets[t] = t * tiles.shape.panel;
    }

    Scratch<T> sums;           ///< [rows, panel]
    Scratch<T> gathered;       ///< [taps, panel]
    Scratch<int64_t> offsets;  ///< of the taps in `gathered`
};

/// One product: packed weights times the taps of every position.
template <class T>
class GridProduct {
public:
    GridProduct(const ConvKernels<T>& kernels, const GridTiles& tiles, const GridShape& shape,
                PackedWeights<T>& weights, int64_t rows, int64_t taps)
        : kernels_(kernels), tiles_(tiles), panel_(tiles.shape.panel), vectors_(panel_ / kernels.lanes), shape_(shape),
          weights_(weights), rows_(rows), taps_(taps),
          tap_blocks_(max_of(1, ceil_div(taps, tiles.gather ? PanelScratch<T>::kGathered : kTaps))),
          block_taps_(taps, tap_blocks_), panels_(ceil_div(shape.positions(), panel_)),
          offsets_(taps + kernels.taps_ahead), masks_(panels_ * vectors_), starts_(panels_ + 1) {
        for (int i = 0; i < kernels.taps_ahead; ++i) offsets_[taps + i] = 0;
        mark_outputs();
    }

    int64_t* offsets() { return offsets_.data(); }
    int64_t panels() const { return panels_; }
    int64_t work() const { return rows_ * (taps_ + 1) * shape_.positions(); }
    bool runs_across_images() const { return tiles_.across_images; }
    PanelScratch<T> make_scratch() const { return {tiles_, rows_}; }

    /// How many elements from the image's start on are read.
    int64_t reach() const {
        int64_t largest = 0;
        for (int64_t t = 0; t < taps_; ++t) largest = offsets_[t] > largest ? offsets_[t] : largest;
        return largest + panels_ * panel_;
    }

    /// All images at once, where tiles are for that.
    void run_across_images(const ImageBatch<T>& images, T* out, int64_t out_plane, const RowsFinished* finished) {
        // Vectors are read from an output on.
        const int64_t readable = reach() + kernels_.lanes;
        ColumnProduct<T>(kernels_, tiles_, shape_, weights_, rows_, taps_, offsets_.data(), readable, images, out,
                         out_plane)
            .run(finished);
    }

    /// Outputs of panels [begin, end) for one image's group.
    void run(int64_t group, const T* x, T* out, int64_t out_plane, int64_t begin, int64_t end,
             PanelScratch<T>& scratch) {
        const bool one_row = rows_ == 1 && taps_ <= kTaps && end - begin >= kernels_.row_panels;
        for (int64_t panel = begin; panel < end;) {
            // The last panels are computed together too, some of them once more.
            const int64_t together = min_of(panel, end - kernels_.row_panels);
            if (one_row && run_row(group, x, out, together, end)) {
                panel = together + kernels_.row_panels;
                continue;
            }
            if (!is_empty(masks_of(panel))) run_panel(group, x, out, out_plane, panel, end, scratch);
            ++panel;
        }
    }

private:
    // Taps that are multiplied at once: what a tile reads of the image and of the weights stays in the caches.
    static constexpr int64_t kTaps = 576;

    const std::uint32_t* masks_of(int64_t panel) const { return &masks_[panel * vectors_]; }

    bool all_are_outputs() const { return shape_.out_is_contiguous() && shape_.pitch == shape_.width; }

    // Whether the outputs of a panel can be written as they are computed. What is written behind them belongs to later panels,
    // which overwrite it; panels from `end` on are another thread's.
    bool compacts(int64_t panel, int64_t end) const {
        return shape_.out_is_contiguous() && kernels_.can_compact &&
               (kernels_.compacts_exactly || starts_[panel + 1] + kernels_.lanes <= starts_[end]);
    }

    // Several panels of one row from `panel` on, if that many can be written as they are computed.
    bool run_row(int64_t group, const T* x, T* out, int64_t panel, int64_t end) {
        const int64_t next = panel + kernels_.row_panels, p = panel * panel_;
        const bool every = all_are_outputs();
        if (every ? next * panel_ > shape_.positions() : !compacts(next - 1, end)) return false;
        kernels_.row(taps_, weights_.tile(group, 0), x + p, offsets_.data(),
                     out + shape_.out_start + (every ? p : starts_[panel]), every ? nullptr : masks_of(panel));
        return true;
    }

    // Where results of tiles go; see ConvKernels::tile.
    struct Target {
        int columns;
        T* c;
        int64_t c_stride;
        const std::uint32_t* masks;
    };

    void run_panel(int64_t group, const T* x, T* out, int64_t out_plane, int64_t panel, int64_t end,
                   PanelScratch<T>& scratch) {
        const int64_t p = panel * panel_;
        const int columns = static_cast<int>(min_of(panel_, shape_.positions() - p));
        T* to = out + shape_.out_start;
        T* sums = scratch.sums.data();
        if (all_are_outputs()) {
            multiply(group, panel, x, {columns, to + p, out_plane, nullptr}, scratch);
        } else if (compacts(panel, end)) {
            multiply(group, panel, x, {columns, to + starts_[panel], out_plane, masks_of(panel)}, scratch);
        } else {
            multiply(group, panel, x, {columns, sums, panel_, nullptr}, scratch);
            scatter(p, columns, sums, out, out_plane);
        }
    }

    // The sums of one panel over one block of taps after the other; the last block's go to `target`.
    void multiply(int64_t group, int64_t panel, const T* x, const Target& target, PanelScratch<T>& scratch) {
        const Target sums{static_cast<int>(panel_), scratch.sums.data(), panel_, nullptr};
        for (int64_t block = 0; block < tap_blocks_; ++block) {
            const int64_t first = block_taps_.begin(block), taps = block_taps_.begin(block + 1) - first;
            const T* from = x + panel * panel_;
            const int64_t* offsets = offsets_.data() + first;
            if (tiles_.gather) {
                T* gathered = scratch.gathered.data();
                kernels_.gather(taps, static_cast<int>(panel_), from, offsets, gathered);
                const T* later = panel + 1 < panels_ ? from + panel_ : from;
                multiply_block(group, first, taps, {gathered, scratch.offsets.data(), later, offsets}, sums.c,
                               block + 1 == tap_blocks_ ? target : sums);
            } else {
                multiply_block(group, first, taps, {from, offsets, from, offsets + kernels_.taps_ahead}, sums.c,
                               block + 1 == tap_blocks_ ? target : sums);
            }
        }
    }

    // `sums`: those of the taps before `first`.
    void multiply_block(int64_t group, int64_t first, int64_t taps, const ConvTaps<T>& x, const T* sums,
                        const Target& to) {
        for (int64_t tile = 0; tile < weights_.tiles(); ++tile) {
            const int64_t row = weights_.first_row(tile), rows = weights_.first_row(tile + 1) - row;
            kernels_.tile(static_cast<int>(rows), to.columns, taps, weights_.tile(group, tile) + first * rows, x,
                          first > 0 ? sums + row * panel_ : nullptr, panel_, to.c + row * to.c_stride, to.c_stride,
                          to.masks);
        }
    }

    bool is_empty(const std::uint32_t* masks) const {
        std::uint32_t any = 0;
        for (int64_t v = 0; v < vectors_; ++v) any |= masks[v];
        return any == 0;
    }

    void mark_outputs() {
        const int lanes = kernels_.lanes;
        int64_t position = 0, column = 0, outputs = 0;
        for (int64_t panel = 0; panel < panels_; ++panel) {
            starts_[panel] = outputs;
            for (int64_t v = 0; v < vectors_; ++v) {
                std::uint32_t bits = 0;
                for (int lane = 0; lane < lanes; ++lane, ++position) {
                    if (position < shape_.positions() && column < shape_.width) {
                        bits |= std::uint32_t{1} << lane;
                        ++outputs;
                    }
                    if (++column == shape_.pitch) column = 0;
                }
                masks_[panel * vectors_ + v] = bits;
            }
        }
        starts_[panels_] = outputs;
    }

    // Moves the outputs among `columns` positions from p on to their places.
    void scatter(int64_t p, int columns, const T* sums, T* out, int64_t out_plane) {
        int64_t y = p / shape_.pitch;
        int64_t x = p % shape_.pitch;
        for (int column = 0; column < columns; x = 0, ++y) {
            const int left = columns - column;
            const int run = static_cast<int>(shape_.width - x < left ? shape_.width - x : left);
            if (run > 0) {
                T* to = out + shape_.out_start + y * shape_.out_row + x * shape_.out_col;
                const T* from = sums + column;
                for (int64_t row = 0; row < rows_; ++row, to += out_plane, from += panel_) {
                    if (shape_.out_col == 1) {
                        for (int i = 0; i < run; ++i) to[i] = from[i];
                    } else {
                        for (int i = 0; i < run; ++i) to[i * shape_.out_col] = from[i];
                    }
                }
            }
            const int64_t row_left = shape_.pitch - x;
            column = row_left < left ? column + static_cast<int>(row_left) : columns;
        }
    }

    const ConvKernels<T>& kernels_;
    GridTiles tiles_;
    int64_t panel_;
    int64_t vectors_;  // of a panel
    GridShape shape_;
    PackedWeights<T>& weights_;
    int64_t rows_;
    int64_t taps_;
    int64_t tap_blocks_;
    EqualPieces block_taps_;
    int64_t panels_;
    Scratch<int64_t> offsets_;
    Scratch<std::uint32_t> masks_;
    Scratch<int64_t> starts_;  // outputs in front of each panel
};

/// Runs one product on every image and group of the batch; out is contiguous [count, rows, out_plane]. `finished` is told of its
/// planes.
///
/// Threads share images where there are many, otherwise the panels of one after the other.
template <class T>
void run_grid(const ConvKernels<T>& kernels, GridProduct<T>& grid, const ImageBatch<T>& images, int64_t rows, T* out,
              int64_t out_plane, const RowsFinished* finished = nullptr) {
    if (grid.runs_across_images()) return grid.run_across_images(images, out, out_plane, finished);
    const int64_t reach = grid.reach();
    const int64_t work = grid.work() + images.copy_size();
    if (images.count >= 2 * num_threads() || work < 2 * kThreadWork) {
        parallel_for(images.count, ceil_div(kThreadWork, work), [&](int64_t begin, int64_t end) {
            PanelScratch<T> scratch = grid.make_scratch();
            PlaneCopy<T> copy(kernels, images, reach);
            for (int64_t i = begin; i < end; ++i) {
                const T* x = copy.of(i, 0, images.channels);
                grid.run(i % images.groups, x, out + i * rows * out_plane, out_plane, 0, grid.panels(), scratch);
                finish_rows(finished, i * rows, (i + 1) * rows, out_plane);
            }
        });
        return;
    }
    PlaneCopy<T> copy(kernels, images, reach);
    for (int64_t i = 0; i < images.count; ++i) {
        const T* x = images.image(i);
        if (copy.needs_copy(i)) {
            T* room = copy.room();
            const int64_t grain = 1 + 100'000 / (images.planes.channel_size() + 1);
            parallel_for(images.channels, grain, [&](int64_t begin, int64_t end) {
                copy_planes(kernels, images.planes, images.image(i), room, begin, end);
            });
            x = room;
        }
        parallel_for(grid.panels(), ceil_div(kThreadWork * grid.panels(), work), [&](int64_t begin, int64_t end) {
            PanelScratch<T> scratch = grid.make_scratch();
            grid.run(i % images.groups, x, out + i * rows * out_plane, out_plane, begin, end, scratch);
        });
        finish_rows(finished, i * rows, (i + 1) * rows, out_plane);
    }
}

}  // namespace burn::ndarray
