// Weight gradients as dot products, for few filters: vectors run along positions, so that dy and x are read as they lie and
// nothing is packed, and lanes are added at the very end.
#pragma once

#include <cstdint>
#include <cstring>

#include <burn/backends/ndarray/convolution/conv_kernels_weight_grid.h>

namespace burn::ndarray {

/// The batch is cut into chunks by a rule that does not look at the number of threads; their sums are added in order.
template <class T>
class WeightDots {
public:
    explicit WeightDots(WeightGrid<T>& grid)
        : g_(grid), row_tiles_(ceil_div(grid.rows, grid.kernels.dot_rows)), chunks_(chunks()),
          sums_(chunks_ * chunk_size()) {}

    /// `masked`: positions that are no outputs are left out one by one. Otherwise they count as 0 * x, which is 0 unless x is
    /// infinite or no number there.
    void run(T* dw, bool masked) {
        const int64_t kernel = g_.s.h.kernel * g_.s.w.kernel;
        // Channels whose sums fit the second cache are worked on together.
        const int64_t most = max_of(1, kLocalSums / (g_.rows * kernel * g_.lanes));
        const int64_t blocks = ceil_div(g_.s.group_in(), most);
        const int64_t work = g_.rows * g_.taps * g_.steps * g_.lanes * ceil_div(g_.s.batch, chunks_) / blocks;
        parallel_for(chunks_ * g_.s.groups * blocks, ceil_div(kThreadWork, work + 1), [&](int64_t begin, int64_t end) {
            PlaneCopy<T> copy(g_.kernels, g_.images, g_.reach);
            const int64_t size = g_.rows * g_.steps * g_.lanes;
            Scratch<T> spread(size);
            std::memset(spread.data(), 0, static_cast<std::size_t>(size) * sizeof(T));
            for (int64_t i = begin; i < end; ++i) {
                const int64_t block = i % blocks;
                const Part part{i / blocks / g_.s.groups, i / blocks % g_.s.groups, cut(g_.s.group_in(), blocks, block),
                                cut(g_.s.group_in(), blocks, block + 1)};
                add_chunk(part, masked, copy, spread.data());
            }
        });
        parallel_for(g_.s.groups * row_tiles_, 1 + 50'000 / (g_.taps * g_.lanes), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) write_rows(i / row_tiles_, i % row_tiles_, dw);
        });
    }

private:
    static constexpr int64_t kLocalSums = 64 * 1024;       // elements
    static constexpr int64_t kAllSums = int64_t{2} << 20;  // elements
    static constexpr int64_t kChunks = 16;
    static constexpr int64_t kSteps = 64;  // vectors of dy and x that stay in the first cache

    // A chunk of the batch and the channels [first, last) of a group.
    struct Part {
        int64_t chunk, group, first, last;
    };

    int64_t chunk_size() const { return g_.s.groups * g_.rows * g_.taps * g_.lanes; }

    // Enough chunks to share among threads, unless their sums would take much memory.
    int64_t chunks() const { return max_of(1, min_of(kAllSums / chunk_size(), min_of(g_.s.batch, kChunks))); }

    int64_t first_row(int64_t tile) const { return cut(g_.rows, row_tiles_, tile); }

    // The sums of row tile `tile` from tap `tap` on: [tap, row of the tile, lane].
    T* sums(int64_t chunk, int64_t group, int64_t tile, int64_t tap) {
        const int64_t row = first_row(tile);
        const int64_t rows = first_row(tile + 1) - row;
        return sums_.data() + chunk * chunk_size() + ((group * g_.rows + row) * g_.taps + tap * rows) * g_.lanes;
    }

    void add_chunk(const Part& part, bool masked, PlaneCopy<T>& copy, T* spread) {
        const int64_t kernel = g_.s.h.kernel * g_.s.w.kernel;
        for (int64_t tile = 0; tile < row_tiles_; ++tile) {
            const int64_t count =
                (part.last - part.first) * kernel * (first_row(tile + 1) - first_row(tile)) * g_.lanes;
            std::memset(sums(part.chunk, part.group, tile, part.first * kernel), 0,
                        static_cast<std::size_t>(count) * sizeof(T));
        }
        for (int64_t b = cut(g_.s.batch, chunks_, part.chunk); b < cut(g_.s.batch, chunks_, part.chunk + 1); ++b) {
            const int64_t index = b * g_.s.groups + part.group;
            const T* x = copy.of(index, part.first, part.last);
            spread_outputs(g_.dy_of(index), spread);
            if (masked) {
                add_image_masked(part, x, spread);
                continue;
            }
            for (int64_t step = 0; step < g_.steps; step += kSteps) add_positions(part, step, x, spread);
        }
    }

    // dy at its positions in the grid; elsewhere `to` stays 0.
    void spread_outputs(const T* dy, T* to) {
        const int64_t width = g_.s.w.out();
        for (int64_t row = 0; row < g_.rows; ++row, to += g_.steps * g_.lanes, dy += g_.outputs()) {
            g_.kernels.copy_rows(g_.s.h.out(), width, dy, width, to, g_.pitch);
        }
    }

    void add_positions(const Part& part, int64_t step, const T* x, const T* spread) {
        const int64_t kernel = g_.s.h.kernel * g_.s.w.kernel;
        const int64_t taps = (part.last - part.first) * kernel;
        const int64_t tap_tiles = ceil_div(taps, g_.kernels.dot_taps);
        const int64_t steps = min_of(kSteps, g_.steps - step);
        for (int64_t tile = 0; tile < row_tiles_; ++tile) {
            const int64_t row = first_row(tile);
            const int rows = static_cast<int>(first_row(tile + 1) - row);
            for (int64_t t = 0; t < tap_tiles; ++t) {
                const int64_t tap = part.first * kernel + cut(taps, tap_tiles, t);
                const int count = static_cast<int>(cut(taps, tap_tiles, t + 1) - cut(taps, tap_tiles, t));
                g_.kernels.dot(rows, count, steps, spread + (row * g_.steps + step) * g_.lanes, g_.steps * g_.lanes,
                               x + step * g_.lanes, g_.offsets.data() + tap, sums(part.chunk, part.group, tile, tap));
            }
        }
    }

    void add_image_masked(const Part& part, const T* x, const T* spread) {
        const int64_t kernel = g_.s.h.kernel * g_.s.w.kernel;
        for (int64_t tile = 0; tile < row_tiles_; ++tile) {
            for (int64_t t = part.first * kernel; t < part.last * kernel; ++t) {
                T* to = sums(part.chunk, part.group, tile, t);
                for (int64_t row = first_row(tile); row < first_row(tile + 1); ++row, to += g_.lanes) {
                    g_.kernels.dot_masked(g_.steps, spread + row * g_.steps * g_.lanes, x + g_.offsets[t],
                                          g_.masks.data(), to);
                }
            }
        }
    }

    void write_rows(int64_t group, int64_t tile, T* dw) {
        const int64_t row = first_row(tile);
        const int64_t rows = first_row(tile + 1) - row;
        for (int64_t t = 0; t < g_.taps; ++t) {
            for (int64_t r = 0; r < rows; ++r) {
                dw[(group * g_.rows + row + r) * g_.taps + t] =
                    g_.kernels.sum_lanes(chunks_, sums(0, group, tile, t) + r * g_.lanes, chunk_size());
            }
        }
    }

    WeightGrid<T>& g_;
    int64_t row_tiles_;
    int64_t chunks_;
    Scratch<T> sums_;
};

}  // namespace burn::ndarray
