// The gradient of a convolution with respect to its weights.
//
//   dw[o, t] = sum over images and positions p of dy[o, p] * x[p + offsets[t]]
//
// Long dot products with few results: vectors run along positions, so that dy and x are read as they lie and nothing is
// packed, and the lanes are added at the very end. The batch is cut into chunks by a rule that does not look at the number
// of threads; the chunks' sums are added in order.
#include <burn/backends/ndarray/conv_kernels.h>
#include <burn/backends/ndarray/conv_kernels_grid.h>

namespace burn::ndarray {

namespace {

template <class T>
class WeightGradient {
public:
    WeightGradient(const Conv2dShape& shape, const T* x, const T* dy)
        : s_(shape),
          images_{x,
                  shape.batch * shape.groups,
                  shape.groups,
                  shape.group_in(),
                  {forward_axis(shape.h), forward_axis(shape.w)}},
          dy_(dy),
          rows_(shape.group_out()),
          taps_(shape.taps()),
          pitch_(images_.planes.pitch()),
          positions_((shape.h.out() - 1) * pitch_ + shape.w.out()),
          steps_(ceil_div(positions_, lanes())),
          row_tiles_(ceil_div(rows_, conv_kernels<T>().dot_rows)),
          chunks_(chunks()),
          masks_(steps_),
          offsets_(taps_),
          sums_(chunks_ * chunk_size()) {
        mark_outputs();
        forward_offsets(s_, images_.planes, offsets_.data());
        reach_ = steps_ * lanes();
        for (int64_t t = 0; t < taps_; ++t) reach_ = max_of(reach_, offsets_[t] + steps_ * lanes());
    }

    void run(T* dw) {
        const int64_t kernel = s_.h.kernel * s_.w.kernel;
        // Channels whose sums fit the second cache are worked on together.
        const int64_t most = kLocalSums / (rows_ * kernel * lanes());
        const int64_t blocks = ceil_div(s_.group_in(), most < 1 ? 1 : most);
        const int64_t work = rows_ * taps_ * positions_ * ceil_div(s_.batch, chunks_) / blocks;
        parallel_for(chunks_ * s_.groups * blocks, ceil_div(kThreadWork, work), [&](int64_t begin, int64_t end) {
            Scratch<T> copy(images_.copy_size() + lanes());
            Scratch<T> spread(rows_ * steps_ * lanes());
            for (int64_t i = begin; i < end; ++i) {
                const int64_t block = i % blocks;
                const int64_t group = i / blocks % s_.groups;
                add_chunk(i / blocks / s_.groups, group, cut(s_.group_in(), blocks, block),
                          cut(s_.group_in(), blocks, block + 1), copy.data(), spread.data());
            }
        });
        parallel_for(s_.groups * row_tiles_, 1 + 50'000 / (taps_ * lanes()), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) write_rows(i / row_tiles_, i % row_tiles_, dw);
        });
    }

private:
    static constexpr int64_t kLocalSums = 64 * 1024;       // elements
    static constexpr int64_t kAllSums = int64_t{2} << 20;  // elements
    static constexpr int64_t kChunks = 16;

    static int64_t lanes() { return conv_kernels<T>().lanes; }
    int64_t chunk_size() const { return s_.groups * rows_ * taps_ * lanes(); }

    // Enough chunks to share among threads, unless their sums would take much memory.
    int64_t chunks() const {
        const int64_t affordable = kAllSums / chunk_size();
        const int64_t wanted = min_of(s_.batch, kChunks);
        return affordable < 1 ? 1 : min_of(affordable, wanted);
    }

    int64_t first_row(int64_t tile) const { return cut(rows_, row_tiles_, tile); }

    // The sums of row tile `tile` from tap `tap` on: [tap, row of the tile, lane].
    T* sums(int64_t chunk, int64_t group, int64_t tile, int64_t tap) {
        const int64_t row = first_row(tile);
        const int64_t rows = first_row(tile + 1) - row;
        return sums_.data() + chunk * chunk_size() + ((group * rows_ + row) * taps_ + tap * rows) * lanes();
    }

    void mark_outputs() {
        int64_t position = 0, column = 0;
        for (int64_t step = 0; step < steps_; ++step) {
            std::uint32_t bits = 0;
            for (int lane = 0; lane < lanes(); ++lane, ++position) {
                if (position < positions_ && column < s_.w.out()) bits |= std::uint32_t{1} << lane;
                if (++column == pitch_) column = 0;
            }
            masks_[step] = bits;
        }
    }

    // Sums of one chunk of the batch for the taps of channels [first, last).
    void add_chunk(int64_t chunk, int64_t group, int64_t first, int64_t last, T* copy, T* spread) {
        const int64_t kernel = s_.h.kernel * s_.w.kernel;
        const ConvKernels<T>& kernels = conv_kernels<T>();
        for (int64_t tile = 0; tile < row_tiles_; ++tile) {
            const int64_t rows = first_row(tile + 1) - first_row(tile);
            std::memset(sums(chunk, group, tile, first * kernel), 0,
                        static_cast<std::size_t>((last - first) * kernel * rows * lanes()) * sizeof(T));
        }
        const int64_t taps = (last - first) * kernel;
        const int64_t tap_tiles = ceil_div(taps, kernels.dot_taps);
        std::memset(copy + images_.copy_size(), 0, static_cast<std::size_t>(lanes()) * sizeof(T));
        for (int64_t b = cut(s_.batch, chunks_, chunk); b < cut(s_.batch, chunks_, chunk + 1); ++b) {
            const int64_t index = b * s_.groups + group;
            const T* x = images_.image(index);
            if (!images_.is_readable(index, reach_)) {
                copy_planes(images_.planes, x, copy, first, last);
                x = copy;
            }
            spread_outputs(dy_ + index * rows_ * s_.h.out() * s_.w.out(), spread);
            for (int64_t tile = 0; tile < row_tiles_; ++tile) {
                const int64_t row = first_row(tile);
                const int rows = static_cast<int>(first_row(tile + 1) - row);
                for (int64_t t = 0; t < tap_tiles; ++t) {
                    const int64_t tap = first * kernel + cut(taps, tap_tiles, t);
                    const int count = static_cast<int>(cut(taps, tap_tiles, t + 1) - cut(taps, tap_tiles, t));
                    kernels.dot(rows, count, steps_, spread + row * steps_ * lanes(), steps_ * lanes(), x,
                                offsets_.data() + tap, masks_.data(), sums(chunk, group, tile, tap));
                }
            }
        }
    }

    // dy with the columns of the grid that are no outputs filled with 0: their x is masked away, and 0 * 0 adds nothing.
    void spread_outputs(const T* dy, T* to) {
        const int64_t width = s_.w.out();
        for (int64_t row = 0; row < rows_; ++row) {
            T* end = to + steps_ * lanes();
            for (int64_t y = 0; y < s_.h.out(); ++y, dy += width) {
                std::memcpy(to, dy, static_cast<std::size_t>(width) * sizeof(T));
                to += width;
                const int64_t gap = y + 1 < s_.h.out() ? pitch_ - width : 0;
                for (int64_t i = 0; i < gap; ++i) *to++ = T(0);
            }
            while (to < end) *to++ = T(0);
        }
    }

    void write_rows(int64_t group, int64_t tile, T* dw) {
        const int64_t row = first_row(tile);
        const int64_t rows = first_row(tile + 1) - row;
        for (int64_t t = 0; t < taps_; ++t) {
            for (int64_t r = 0; r < rows; ++r) {
                dw[(group * rows_ + row + r) * taps_ + t] =
                    conv_kernels<T>().sum_lanes(chunks_, sums(0, group, tile, t) + r * lanes(), chunk_size());
            }
        }
    }

    const Conv2dShape& s_;
    ImageBatch<T> images_;
    const T* dy_;
    int64_t rows_;
    int64_t taps_;
    int64_t pitch_;
    int64_t positions_;
    int64_t steps_;
    int64_t row_tiles_;
    int64_t chunks_;
    int64_t reach_ = 0;
    Scratch<std::uint32_t> masks_;
    Scratch<int64_t> offsets_;
    Scratch<T> sums_;
};

template <class T>
void backward_weight(const Conv2dShape& s, const T* x, const T* dy, T* dw) {
    const int64_t size = s.out_channels * s.taps();
    if (size <= 0) return;
    if (s.batch <= 0 || s.h.out() <= 0 || s.w.out() <= 0) {
        std::memset(dw, 0, static_cast<std::size_t>(size) * sizeof(T));
        return;
    }
    WeightGradient<T>(s, x, dy).run(dw);
}

}  // namespace

void conv2d_backward_weight(const Conv2dShape& shape, const float* x, const float* dy, float* dw) {
    backward_weight(shape, x, dy, dw);
}

void conv2d_backward_weight(const Conv2dShape& shape, const double* x, const double* dy, double* dw) {
    backward_weight(shape, x, dy, dw);
}

}  // namespace burn::ndarray
