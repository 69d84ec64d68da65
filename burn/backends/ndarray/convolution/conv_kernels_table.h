// What an instruction set offers to convolution: a table of small kernels. See gemm_kernels.h for packed tiles.
//
// Convolutions are products over a *grid* of positions: position p stands for the output at row p / pitch and column p % pitch,
// and tap t of position p is the number at x[p + offsets[t]]. Neighbours in the grid are neighbours in memory, so vectors
// are loaded straight from the image. Positions whose column is beyond the output's width are computed and dropped.
#pragma once

#include <cstdint>

namespace burn::ndarray {

/// How rows and positions are cut into tiles.
struct ConvTileShape {
    int max_rows;  ///< rows of the largest tile
    int panel;     ///< positions of a tile: a whole number of vectors
};

/// The taps of consecutive positions, from x on.
template <class T>
struct ConvTaps {
    const T* x;
    const int64_t* offsets;
    const T* later;  ///< later[later_offsets[t]] will be needed soon and may be fetched meanwhile
    const int64_t* later_offsets;
};

template <class T>
struct ConvKernels {
    ConvTileShape narrow;   ///< fewer positions: fits results of many rows
    ConvTileShape wide;     ///< fewer rows: reads less of the weights and the image at a time
    int lanes;              ///< elements of a vector
    int row_panels;         ///< narrow panels of `row`
    int taps_ahead;         ///< how many taps ahead of its use what a tile reads is best fetched
    int dot_rows;           ///< rows of the largest tile of `dot`
    int dot_taps;           ///< taps of the largest tile of `dot`
    bool can_compact;       ///< whether `tile` understands masks
    bool compacts_exactly;  ///< and then writes nothing behind a row's positions; otherwise up to lanes elements

    /// c [rows, columns] = begin + packed A tile * x at columns <= panel consecutive positions. Reads x for whole vectors.
    /// `begin`: the sums of earlier taps, [rows, columns]; null: there are none.
    /// With masks (one per vector, bit i for lane i): of each row only the positions whose bit is set are written, next to each
    /// other.
    void (*tile)(int rows, int columns, int64_t taps, const T* a, const ConvTaps<T>& x, const T* begin,
                 int64_t begin_stride, T* c, int64_t c_stride, const std::uint32_t* masks);

    /// The same for one row (a depthwise convolution) and `row_panels` narrow panels that are all outputs but for masks: enough
    /// sums at a time to hide how long each takes. c [outputs].
    void (*row)(int64_t taps, const T* a, const T* x, const int64_t* offsets, T* c, const std::uint32_t* masks);

    /// to[t][i] = x[offsets[t] + i] for t < taps and i < `panel`, a whole number of vectors.
    void (*gather)(int64_t taps, int panel, const T* x, const int64_t* offsets, T* to);
    /// to[t * step + i] = from[i][offsets[t]] for t < taps and i < lanes. Fast where `from` is in two pieces of memory as long as
    /// a vector, which are then read whole: each from its first element on.
    void (*gather_lanes)(int64_t taps, const T* const* from, const int64_t* offsets, int64_t step, T* to);

    /// sums[t * rows + r][lane] += dy[r][p] * x[p + offsets[t]] for the positions p = lane, lane + lanes, ... below
    /// steps * lanes; for r < rows, t < taps, rows and taps as above.
    void (*dot)(int rows, int taps, int64_t steps, const T* dy, int64_t dy_stride, const T* x, const int64_t* offsets,
                T* sums);

    /// The same for one row and tap, x counting as 0 where its bit in masks (one per step) is not set.
    void (*dot_masked)(int64_t steps, const T* dy, const T* x, const std::uint32_t* masks, T* sums);

    /// Packs columns of x [position, tap] into a panel of B (gemm_kernels.h): panel[n][t] = x[p + offsets[t]] for t < taps <=
    /// the product's panel, where p runs over the positions below steps * lanes whose bit in masks is set and n counts them.
    void (*pack_taps)(int taps, int64_t steps, const T* x, const int64_t* offsets, const std::uint32_t* masks,
                      T* panel);

    /// Copies `count` rows of `width` elements. Rows of images are short: calls of memcpy would take longer than the copying.
    void (*copy_rows)(int64_t count, int64_t width, const T* from, int64_t from_stride, T* to, int64_t to_stride);

    /// The sum of all lanes of `parts` vectors, `part_stride` elements apart.
    T (*sum_lanes)(int64_t parts, const T* sums, int64_t part_stride);
};

/// The table of the active instruction set (cpu_features.h).
template <class T>
const ConvKernels<T>& conv_kernels();

// One source file per instruction set defines its pair; those of other processors do not exist.
const ConvKernels<float>& conv_kernels_baseline(float);
const ConvKernels<double>& conv_kernels_baseline(double);
const ConvKernels<float>& conv_kernels_avx2(float);
const ConvKernels<double>& conv_kernels_avx2(double);
const ConvKernels<float>& conv_kernels_avx512(float);
const ConvKernels<double>& conv_kernels_avx512(double);

/// What an instruction set offers to depthwise convolutions.
template <class T>
struct DepthwiseKernels {
    /// Outputs c [rows, columns] of one plane, of taps w [side, side] with side 3, 5 or 7:
    ///
    ///   c[i, j] = sum over p, q of w[p, q] * x[(i + p) * pitch + j + q]
    ///
    /// Where a row is shorter than a vector, a vector is read behind its start.
    void (*square[3])(int64_t rows, int64_t columns, const T* w, const T* x, int64_t pitch, T* c);
};

// One source file per instruction set defines its pair; those of other processors do not exist.
const DepthwiseKernels<float>& depthwise_kernels_baseline(float);
const DepthwiseKernels<double>& depthwise_kernels_baseline(double);
const DepthwiseKernels<float>& depthwise_kernels_avx2(float);
const DepthwiseKernels<double>& depthwise_kernels_avx2(double);

/// A plane of a depthwise convolution of 3 x 3 taps whose image lies unpadded in memory.
struct PaddedPlane {
    int64_t height, width;  ///< of the image, which is 0 outside
    int64_t rows, columns;  ///< of the outputs
    int64_t top, left;      ///< rows and columns of padding before the image
};

/// Outputs c [rows, columns] of one plane x [height, width], of taps w [3, 3]; reads nothing outside:
///
///   c[i, j] = sum over p, q of w[p, q] * x[i + p - top, j + q - left]
template <class T>
using PaddedDepthwise = void (*)(const PaddedPlane& plane, const T* w, const T* x, T* c);

PaddedDepthwise<float> padded_depthwise_avx512(float);
PaddedDepthwise<double> padded_depthwise_avx512(double);

}  // namespace burn::ndarray
