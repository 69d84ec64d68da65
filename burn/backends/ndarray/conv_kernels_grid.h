// A convolution as products over grids of positions (see conv_kernels_table.h), for any number of images and groups.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include <burn/backends/ndarray/conv_kernels_planes.h>
#include <burn/backends/ndarray/conv_kernels_table.h>
#include <burn/backends/ndarray/gemm_kernels.h>
#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// Weights of all groups, packed in tiles of at most `max_rows` of a group's `rows` (gemm_kernels.h), `taps` deep.
template <class T>
class PackedWeights {
public:
    PackedWeights(const ConvKernels<T>& kernels, int64_t groups, int64_t rows, int64_t taps)
        : rows_(rows), tiles_(ceil_div(rows, kernels.max_rows)),
          // Packing may write some lanes beyond a tile: each has room for them, so that threads may pack at once.
          tile_size_(kernels.max_rows * taps + kernels.lanes), data_(groups * tiles_ * tile_size_) {}

    int64_t tiles() const { return tiles_; }
    int64_t first_row(int64_t tile) const { return cut(rows_, tiles_, tile); }
    T* tile(int64_t group, int64_t tile) { return data_.data() + (group * tiles_ + tile) * tile_size_; }

private:
    int64_t rows_;
    int64_t tiles_;
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

/// Working memory of one thread for one panel.
template <class T>
struct PanelScratch {
    /// Taps that are gathered at once: their numbers at a panel's positions stay in the first cache.
    static constexpr int64_t kGathered = 288;

    PanelScratch(const ConvKernels<T>& kernels, int64_t rows)
        : sums(rows * kernels.panel), panel(kGathered * kernels.panel) {}

    Scratch<T> sums;   ///< [rows, panel]
    Scratch<T> panel;  ///< [taps, panel]
};

/// One product: packed weights times the taps of every position.
template <class T>
class GridProduct {
public:
    /// `apart`: no two taps of a position are near each other in memory, as in a 1x1 convolution.
    GridProduct(const ConvKernels<T>& kernels, const GridShape& shape, PackedWeights<T>& weights, int64_t rows,
                int64_t taps, bool apart)
        : kernels_(kernels), vectors_(kernels.panel / kernels.lanes), shape_(shape), weights_(weights), rows_(rows),
          taps_(taps),
          // Where several tiles read numbers from all over the image, these are gathered first.
          gather_(apart && weights.tiles() >= 3), panels_(ceil_div(shape.positions(), kernels.panel)), offsets_(taps),
          masks_(panels_ * vectors_), starts_(panels_ + 1) {
        mark_outputs();
    }

    int64_t* offsets() { return offsets_.data(); }
    int64_t panels() const { return panels_; }
    int64_t work() const { return rows_ * (taps_ + 1) * shape_.positions(); }

    /// How many elements from the image's start on are read.
    int64_t reach() {
        int64_t largest = 0;
        for (int64_t t = 0; t < taps_; ++t) largest = offsets_[t] > largest ? offsets_[t] : largest;
        return largest + panels_ * kernels_.panel;
    }

    /// Outputs of panels [begin, end) for one image's group.
    void run(int64_t group, const T* x, T* out, int64_t out_plane, int64_t begin, int64_t end,
             PanelScratch<T>& scratch) {
        const bool contiguous = shape_.out_is_contiguous();
        const bool every = contiguous && shape_.pitch == shape_.width;
        const bool at_once = taps_ <= tap_block() && !gather_;
        const bool compact = contiguous && at_once && kernels_.can_compact;
        // What is written behind a panel's outputs belongs to later panels, which overwrite it.
        const auto compacts = [&](int64_t last_panel) {
            return compact && (kernels_.compacts_exactly || starts_[last_panel + 1] + kernels_.lanes <= starts_[end]);
        };
        const int64_t wide = rows_ == 1 && at_once ? kernels_.wide_panels : 0;
        for (int64_t panel = begin; panel < end; ++panel) {
            const int64_t p = panel * kernels_.panel;
            const std::uint32_t* masks = masks_.data() + panel * vectors_;
            if (wide > 0 && panel + wide <= end && p + wide * kernels_.panel <= shape_.positions() &&
                (every || compacts(panel + wide - 1))) {
                T* to = out + shape_.out_start + (every ? p : starts_[panel]);
                kernels_.wide_row(taps_, weights_.tile(group, 0), x + p, offsets_.data(), to, every ? nullptr : masks);
                panel += wide - 1;
                continue;
            }
            if (is_empty(masks)) continue;
            const int columns =
                static_cast<int>(shape_.positions() - p < kernels_.panel ? shape_.positions() - p : kernels_.panel);
            if (every) {
                multiply(group, columns, x + p, out + shape_.out_start + p, out_plane, nullptr, scratch);
            } else if (compacts(panel)) {
                multiply(group, columns, x + p, out + shape_.out_start + starts_[panel], out_plane, masks, scratch);
            } else {
                multiply(group, columns, x + p, scratch.sums.data(), kernels_.panel, nullptr, scratch);
                scatter(p, columns, scratch.sums.data(), out, out_plane);
            }
        }
    }

private:
    // Taps that are multiplied at once. Ungathered ones overlap in memory, so that more of them stay in the caches.
    int64_t tap_block() const { return gather_ ? PanelScratch<T>::kGathered : 768; }

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

    void multiply(int64_t group, int columns, const T* x, T* c, int64_t c_stride, const std::uint32_t* masks,
                  PanelScratch<T>& scratch) {
        int64_t block = 0;
        do {
            const int64_t taps = min_of(taps_ - block, tap_block());
            if (gather_) kernels_.gather(taps, x, offsets_.data() + block, scratch.panel.data());
            for (int64_t t = 0; t < weights_.tiles(); ++t) {
                const int64_t row = weights_.first_row(t);
                const int rows = static_cast<int>(weights_.first_row(t + 1) - row);
                const T* a = weights_.tile(group, t) + block * rows;
                if (gather_) {
                    product_.tile(rows, columns, taps, a, scratch.panel.data(), kernels_.panel, c + row * c_stride,
                                  c_stride, block > 0);
                } else {
                    kernels_.tile(rows, columns, taps, a, x, offsets_.data() + block, c + row * c_stride, c_stride,
                                  block > 0, masks);
                }
            }
            block += taps;
        } while (block < taps_);
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
                for (int64_t row = 0; row < rows_; ++row, to += out_plane, from += kernels_.panel) {
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
    const GemmKernels<T>& product_ = gemm_kernels<T>();
    int64_t vectors_;  // of a panel
    GridShape shape_;
    PackedWeights<T>& weights_;
    int64_t rows_;
    int64_t taps_;
    bool gather_;
    int64_t panels_;
    Scratch<int64_t> offsets_;
    Scratch<std::uint32_t> masks_;
    Scratch<int64_t> starts_;  // outputs in front of each panel
};

/// The images of a batch, group by group: what one product reads.
template <class T>
struct ImageBatch {
    const T* data = nullptr;
    int64_t count = 0;  ///< batch * groups
    int64_t groups = 1;
    int64_t channels = 1;  ///< of one group
    Planes planes;

    int64_t size() const { return channels * planes.h.in * planes.w.in; }
    const T* image(int64_t index) const { return data + index * size(); }
    /// Whether kernels may read `reach` elements from the image's start on.
    bool is_readable(int64_t index, int64_t reach) const {
        return planes.is_image() && index * size() + reach <= count * size();
    }
    int64_t copy_size() const { return channels * planes.channel_size(); }
};

/// What kernels read in an image's place: itself, or a copy made here.
template <class T>
class PlaneCopy {
public:
    PlaneCopy(const ConvKernels<T>& kernels, const ImageBatch<T>& images, int64_t reach)
        : kernels_(kernels), images_(images), reach_(reach) {}

    bool needs_copy(int64_t index) const { return !images_.is_readable(index, reach_); }

    /// Room for the copy of one image, 0 wherever copy_planes does not write.
    T* room() {
        if (!room_) {
            const int64_t size = images_.copy_size() + kernels_.panel;
            room_.emplace(size);
            std::memset(room_->data(), 0, static_cast<std::size_t>(size) * sizeof(T));
        }
        return room_->data();
    }

    /// Image `index`, of which channels [begin, end) will be read.
    const T* of(int64_t index, int64_t begin, int64_t end) {
        if (!needs_copy(index)) return images_.image(index);
        copy_planes(kernels_, images_.planes, images_.image(index), room(), begin, end);
        return room();
    }

private:
    const ConvKernels<T>& kernels_;
    const ImageBatch<T>& images_;
    int64_t reach_;
    std::optional<Scratch<T>> room_;
};

/// Runs one product on every image and group of the batch; out is contiguous [count, rows, out_plane]. `finished` is told of its
/// planes.
///
/// Threads share images where there are many, otherwise the panels of one after the other.
template <class T>
void run_grid(const ConvKernels<T>& kernels, GridProduct<T>& grid, const ImageBatch<T>& images, int64_t rows, T* out,
              int64_t out_plane, const RowsFinished* finished = nullptr) {
    const int64_t reach = grid.reach();
    const int64_t work = grid.work() + images.copy_size();
    if (images.count >= 2 * num_threads() || work < 2 * kThreadWork) {
        parallel_for(images.count, ceil_div(kThreadWork, work), [&](int64_t begin, int64_t end) {
            PanelScratch<T> scratch(kernels, rows);
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
            PanelScratch<T> scratch(kernels, rows);
            grid.run(i % images.groups, x, out + i * rows * out_plane, out_plane, begin, end, scratch);
        });
        finish_rows(finished, i * rows, (i + 1) * rows, out_plane);
    }
}

}  // namespace burn::ndarray
