// A convolution as a product whose columns are the outputs of all images, one image after the other.
//
// Where images are small, panels of positions are a bad fit: some positions are no outputs, and the last panel of every image is
// partly empty. Here what the taps of a panel's outputs read is gathered, so that every column is one, whichever image it belongs
// to. And a block of the weights, which for many channels are larger than the second cache, is multiplied by several panels
// before the next one is read.
#pragma once

#include <cstdint>
#include <cstring>

#include <burn/backends/ndarray/convolution/conv_kernels_images.h>
#include <burn/backends/ndarray/convolution/conv_kernels_table.h>
#include <burn/backends/ndarray/convolution/conv_kernels_tiles.h>
#include <burn/backends/ndarray/partition.h>
#include <burn/backends/ndarray/scratch.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

/// One product of all images.
template <class T>
class ColumnProduct {
public:
    /// `offsets` of the taps; of the images, `reach` elements are read from the start on.
    ColumnProduct(const ConvKernels<T>& kernels, const GridTiles& tiles, const GridShape& shape,
                  PackedWeights<T>& weights, int64_t rows, int64_t taps, const int64_t* offsets, int64_t reach,
                  const ImageBatch<T>& images, T* out, int64_t out_plane)
        : kernels_(kernels), panel_(tiles.shape.panel), shape_(shape), weights_(weights), rows_(rows), taps_(taps),
          tap_blocks_(max_of(1, ceil_div(taps, kTaps))), block_taps_(taps, tap_blocks_), offsets_(offsets),
          reach_(reach), images_(images), out_(out), out_plane_(out_plane), outputs_(shape.height * shape.width),
          batch_(images.count / images.groups),
          panels_together_(min_of(max_of(1, kSumBytes / (rows * panel_ * static_cast<int64_t>(sizeof(T)))), 16)) {}

    /// `finished` is told of the planes of `out`. Threads share images where there are many, otherwise panels.
    void run(const RowsFinished* finished) {
        const int64_t work = rows_ * (taps_ + 1) * outputs_;
        if (images_.count >= 2 * num_threads() || work < 2 * kThreadWork) {
            share(batch_, outputs_, ceil_div(kThreadWork, work), finished);
        } else {
            share(ceil_div(batch_ * outputs_, panel_), panel_, ceil_div(kThreadWork, rows_ * (taps_ + 1) * panel_),
                  nullptr);
            for (int64_t group = 0; group < images_.groups; ++group) finish(finished, group, 0, batch_);
        }
    }

private:
    // Taps that are gathered at once: their numbers for one panel stay in the first cache.
    static constexpr int64_t kTaps = 192;
    // Sums of the panels that a block of the weights is multiplied by: they stay in the second cache beside it.
    static constexpr int64_t kSumBytes = 256 << 10;

    int64_t index_of(int64_t group, int64_t image) const { return image * images_.groups + group; }

    // Threads share `pieces` of each group's outputs, `size` of them each.
    void share(int64_t pieces, int64_t size, int64_t grain, const RowsFinished* finished) {
        parallel_for(images_.groups * pieces, grain, [&](int64_t begin, int64_t end) {
            Room room(*this);
            while (begin < end) {
                const int64_t group = begin / pieces, piece = begin % pieces;
                const int64_t count = min_of(end - begin, pieces - piece);
                run_range(room, group, piece * size, min_of((piece + count) * size, batch_ * outputs_), finished);
                begin += count;
            }
        });
    }

    // Tells of images [begin, end) of a group.
    void finish(const RowsFinished* finished, int64_t group, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t first = index_of(group, i) * rows_;
            finish_rows(finished, first, first + rows_, out_plane_);
        }
    }

    // What one thread works with: outputs of a group, `panels_together_` panels at a time.
    struct Room {
        explicit Room(const ColumnProduct& p)
            : places(min_of((p.columns_together() - 2) / p.outputs_ + 2, p.batch_)), indices(places), images(places),
              copies(places * p.copy_size()), columns(p.columns_together()), sums(p.columns_together() * p.rows_),
              gathered(p.block_taps_.begin(1) * p.panel_), offsets(p.block_taps_.begin(1)) {
            for (int64_t i = 0; i < places; ++i) indices[i] = -1;
            for (int64_t t = 0; t < p.block_taps_.begin(1); ++t) offsets[t] = t * p.panel_;
        }

        int64_t places;             // for images: those of consecutive columns, image i at i % places
        Scratch<int64_t> indices;   // which image is at each; -1: none yet
        Scratch<const T*> images;   // where it is
        Scratch<T> copies;          // of images that cannot be read where they are; 0 around them
        Scratch<const T*> columns;  // where each output's tap of offset 0 is
        Scratch<T> sums;            // [panel of those together, row, column]
        Scratch<T> gathered;        // [tap, column] of one panel and one block of taps
        Scratch<int64_t> offsets;   // of the taps in `gathered`
    };

    int64_t columns_together() const { return panels_together_ * panel_; }

    int64_t copy_size() const { return max_of(images_.copy_size(), reach_); }

    const T* image_for(Room& room, int64_t group, int64_t image) {
        const int64_t place = image % room.places, index = index_of(group, image);
        if (room.indices[place] == index) return room.images[place];
        const bool is_first = room.indices[place] < 0;
        room.indices[place] = index;
        if (images_.is_readable(index, reach_)) return room.images[place] = images_.image(index);
        T* copy = room.copies.data() + place * copy_size();
        if (is_first) std::memset(copy, 0, static_cast<std::size_t>(copy_size()) * sizeof(T));
        copy_planes(kernels_, images_.planes, images_.image(index), copy, 0, images_.channels);
        return room.images[place] = copy;
    }

    // Outputs [begin, end) of a group, counted through its images; `finished` is told of those that end there.
    void run_range(Room& room, int64_t group, int64_t begin, int64_t end, const RowsFinished* finished) {
        for (int64_t column = begin; column < end; column += columns_together()) {
            const int64_t count = min_of(columns_together(), end - column);
            find_columns(room, group, column, count);
            for (int64_t block = 0; block < tap_blocks_; ++block) {
                for (int64_t first = 0; first < count; first += panel_) {
                    multiply_block(room, group, block, column, first, min_of(panel_, count - first));
                }
            }
            finish(finished, group, column / outputs_, (column + count) / outputs_);
        }
    }

    // The last panel's columns that are no outputs are its last output once more.
    void find_columns(Room& room, int64_t group, int64_t column, int64_t count) {
        int64_t image = column / outputs_, y = column % outputs_ / shape_.width, x = column % shape_.width;
        const T* row = image_for(room, group, image) + y * shape_.pitch;
        for (int64_t i = 0; i < count; ++i) {
            room.columns[i] = row + x;
            if (++x < shape_.width) continue;
            x = 0;
            row += shape_.pitch;
            if (++y < shape_.height) continue;
            y = 0;
            ++image;
            if (i + 1 < count) row = image_for(room, group, image);
        }
        for (int64_t i = count; i % panel_ != 0; ++i) room.columns[i] = room.columns[count - 1];
    }

    // The sums of a panel's columns, `first` of those together, over one block of taps.
    void multiply_block(Room& room, int64_t group, int64_t block, int64_t column, int64_t first, int64_t count) {
        const int64_t tap = block_taps_.begin(block), taps = block_taps_.begin(block + 1) - tap;
        const int64_t* offsets = offsets_ + tap;
        const T* const* columns = &room.columns[first];
        for (int64_t lane = 0; lane < count; lane += kernels_.lanes) {
            kernels_.gather_lanes(taps, columns + lane, offsets, panel_, room.gathered.data() + lane);
        }
        const T* later = columns[first + panel_ < columns_together() ? panel_ : 0];
        T* sums = room.sums.data() + first * rows_;
        const int64_t begin = column + first, image = begin / outputs_;
        T* out = out_ + index_of(group, image) * rows_ * out_plane_ + shape_.out_start + begin % outputs_;
        const bool is_last = block + 1 == tap_blocks_, in_place = is_last && begin % outputs_ + count <= outputs_;
        for (int64_t tile = 0; tile < weights_.tiles(); ++tile) {
            const int64_t row = weights_.first_row(tile), rows = weights_.first_row(tile + 1) - row;
            T* sum = sums + row * panel_;
            kernels_.tile(static_cast<int>(rows), static_cast<int>(count), taps,
                          weights_.tile(group, tile) + tap * rows,
                          {room.gathered.data(), room.offsets.data(), later, offsets}, block > 0 ? sum : nullptr,
                          panel_, in_place ? out + row * out_plane_ : sum, in_place ? out_plane_ : panel_, nullptr);
        }
        if (is_last && !in_place) write(group, begin, count, sums);
    }

    // Moves the sums of columns that belong to several images to their places.
    void write(int64_t group, int64_t begin, int64_t count, const T* sums) {
        for (int64_t done = 0; done < count;) {
            const int64_t image = (begin + done) / outputs_, at = (begin + done) % outputs_;
            const int64_t length = min_of(count - done, outputs_ - at);
            kernels_.copy_rows(rows_, length, sums + done, panel_,
                               out_ + index_of(group, image) * rows_ * out_plane_ + shape_.out_start + at, out_plane_);
            done += length;
        }
    }

    const ConvKernels<T>& kernels_;
    int64_t panel_;
    GridShape shape_;
    PackedWeights<T>& weights_;
    int64_t rows_, taps_;
    int64_t tap_blocks_;
    EqualPieces block_taps_;
    const int64_t* offsets_;
    int64_t reach_;
    const ImageBatch<T>& images_;
    T* out_;
    int64_t out_plane_, outputs_, batch_, panels_together_;
};

}  // namespace burn::ndarray
