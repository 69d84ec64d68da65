// Convolution and its gradient with respect to x (builds for an operating system; conv_kernels_portable.cpp elsewhere).
//
// Both are products of packed weights with numbers read straight from the image, or from a padded copy of it: no im2col
// matrix is ever written. The gradient with respect to x is the convolution of dy with the flipped, transposed weights; with a
// stride it falls apart into stride_h * stride_w such convolutions, each giving the elements of x in one phase.
#include <burn/backends/ndarray/convolution/conv_kernels.h>

#include <burn/backends/ndarray/convolution/conv_kernels_depthwise.h>
#include <burn/backends/ndarray/convolution/conv_kernels_grid.h>
#include <burn/backends/ndarray/product/gemm_kernels.h>
#include <burn/base/cpu_features.h>

namespace burn::ndarray {

namespace {

template <class T>
void forward(const Conv2dShape& s, const T* x, const T* w, T* y, const RowsFinished* finished) {
    const int64_t out_h = s.h.out();
    const int64_t out_w = s.w.out();
    const int64_t rows = s.group_out();
    const int64_t taps = s.taps();
    if (s.batch <= 0 || rows <= 0 || out_h <= 0 || out_w <= 0) return;

    const ConvKernels<T>& kernels = conv_kernels<T>();
    const ImageBatch<T> images{
        x, s.batch * s.groups, s.groups, s.group_in(), {forward_axis(s.h), forward_axis_of_rows(s.w)}};
    if (is_depthwise(s)) return depthwise(s, images, w, y, finished);
    const GridShape shape{
        .height = out_h, .width = out_w, .pitch = images.planes.pitch(), .out_row = out_w, .out_col = 1};
    const GridTiles tiles(kernels, shape, rows, taps, s.h.kernel * s.w.kernel == 1);
    PackedWeights<T> weights(tiles.shape.max_rows, kernels.lanes, s.groups, rows, taps);
    parallel_for(s.groups * weights.tiles(), weights.packing_grain(), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t group = i / weights.tiles();
            const int64_t tile = i % weights.tiles();
            const int64_t row = weights.first_row(tile);
            gemm_kernels<T>().pack_rows(static_cast<int>(weights.first_row(tile + 1) - row), taps,
                                        w + (group * rows + row) * taps, taps, 1, weights.tile(group, tile));
        }
    });

    GridProduct<T> grid(kernels, tiles, shape, weights, rows, taps);
    forward_offsets(s, images.planes, grid.offsets());
    run_grid(kernels, grid, images, rows, y, out_h * out_w, finished);
}

// One axis of one phase of dx: the elements whose padded index is q * stride + phase.
struct PhaseAxis {
    PhaseAxis(const ConvAxis& axis, int64_t phase) : axis(axis), phase(phase) {
        first = axis.pad_before <= phase ? 0 : ceil_div(axis.pad_before - phase, axis.stride);
        count = ceil_div(axis.in + axis.pad_before - phase, axis.stride) - first;
        if (count < 0) count = 0;
    }

    bool has(int64_t tap) const { return tap * axis.dilation % axis.stride == phase; }
    // How far in front of index q of dx its factor in dy is.
    int64_t delay(int64_t tap) const { return (tap * axis.dilation - phase) / axis.stride; }
    // The index of element q in dx.
    int64_t x_index(int64_t q) const { return q * axis.stride + phase - axis.pad_before; }

    const ConvAxis& axis;
    int64_t phase;
    int64_t first;  // q of the first element
    int64_t count;
};

// The part of dy, zeros around it included, that all phases of dx read.
PlaneAxis backward_axis(const ConvAxis& axis) {
    int64_t begin = 0;
    int64_t end = axis.out();
    for (int64_t phase = 0; phase < axis.stride; ++phase) {
        const PhaseAxis part(axis, phase);
        for (int64_t tap = 0; tap < axis.kernel && part.count > 0; ++tap) {
            if (!part.has(tap)) continue;
            begin = min_of(begin, part.first - part.delay(tap));
            end = -min_of(-end, -(part.first + part.count - part.delay(tap)));
        }
    }
    return {.in = axis.out(), .first = begin, .step = 1, .phases = 1, .size = end - begin};
}

// Packs all taps of `count` neighbouring filters of `depth` outputs, step elements apart: each output's are in one piece, and far
// from the next one's, which is asked for early.
template <class T>
void pack_whole_filters(int64_t count, int64_t depth, int64_t step, int64_t kernel, const T* from, T* to) {
    constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T)), kAhead = 8;
    for (int64_t o = 0; o < depth; ++o, from += step, to += kernel * count) {
        for (int64_t i = 0; i < count * kernel + kLine; i += kLine) __builtin_prefetch(from + kAhead * step + i);
        gemm_kernels<T>().pack_rows(static_cast<int>(count), kernel, from, kernel, 1, to);
    }
}

template <class T>
void backward_phase(const Conv2dShape& s, const PhaseAxis& h, const PhaseAxis& w, const ImageBatch<T>& images,
                    const T* weight, T* dx) {
    if (h.count == 0 || w.count == 0) return;
    const int64_t rows = s.group_in();
    const int64_t depth = s.group_out();
    const int64_t kernel = s.h.kernel * s.w.kernel;
    int64_t taps = 0;
    Scratch<int64_t> tap_of(kernel + 1);
    for (int64_t p = 0; p < s.h.kernel; ++p) {
        for (int64_t q = 0; q < s.w.kernel; ++q) {
            if (h.has(p) && w.has(q)) tap_of[taps++] = p * s.w.kernel + q;
        }
    }

    // Row c, depth (o, tap) where all taps are in this phase, as they lie in memory, else (tap, o): w[o, c, tap].
    const bool has_all = taps == kernel && kernel > 1;
    const ConvKernels<T>& kernels = conv_kernels<T>();
    const Planes& planes = images.planes;
    const GridShape shape{.height = h.count,
                          .width = w.count,
                          .pitch = planes.pitch(),
                          .out_start = h.x_index(h.first) * s.w.in + w.x_index(w.first),
                          .out_row = s.h.stride * s.w.in,
                          .out_col = s.w.stride};
    const GridTiles tiles(kernels, shape, rows, taps * depth, taps == 1);
    PackedWeights<T> weights(tiles.shape.max_rows, kernels.lanes, s.groups, rows, taps * depth);
    parallel_for(s.groups * weights.tiles(), weights.packing_grain(), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t group = i / weights.tiles();
            const int64_t tile = i % weights.tiles();
            const int64_t row = weights.first_row(tile);
            const int64_t count = weights.first_row(tile + 1) - row;
            const T* from = weight + (group * depth * rows + row) * kernel;
            T* to = weights.tile(group, tile);
            if (has_all) {
                pack_whole_filters(count, depth, rows * kernel, kernel, from, to);
            } else {
                for (int64_t t = 0; t < taps; ++t, to += depth * count) {
                    gemm_kernels<T>().pack_rows(static_cast<int>(count), depth, from + tap_of[t], kernel, rows * kernel,
                                                to);
                }
            }
        }
    });

    GridProduct<T> grid(kernels, tiles, shape, weights, rows, taps * depth);
    int64_t* const offset = grid.offsets();
    for (int64_t t = 0; t < taps; ++t) {
        const int64_t y = h.first - h.delay(tap_of[t] / s.w.kernel) - planes.h.first;
        const int64_t x = w.first - w.delay(tap_of[t] % s.w.kernel) - planes.w.first;
        for (int64_t o = 0; o < depth; ++o)
            offset[has_all ? o * taps + t : t * depth + o] = o * planes.channel_size() + planes.at(y, x);
    }
    run_grid(kernels, grid, images, rows, dx, s.h.in * s.w.in);
}

template <class T>
void backward_input(const Conv2dShape& s, const T* dy, const T* w, T* dx) {
    if (s.batch <= 0 || s.group_in() <= 0 || s.h.in <= 0 || s.w.in <= 0) return;
    if (s.h.out() <= 0 || s.w.out() <= 0) {
        std::memset(dx, 0, static_cast<std::size_t>(s.batch * s.in_channels * s.h.in * s.w.in) * sizeof(T));
        return;
    }
    if (const auto reversed = reversed_depthwise(s)) return depthwise_backward(*reversed, dy, w, dx);
    const ImageBatch<T> images{
        dy, s.batch * s.groups, s.groups, s.group_out(), {backward_axis(s.h), backward_axis(s.w)}};
    for (int64_t phase_h = 0; phase_h < s.h.stride; ++phase_h) {
        for (int64_t phase_w = 0; phase_w < s.w.stride; ++phase_w) {
            backward_phase(s, PhaseAxis(s.h, phase_h), PhaseAxis(s.w, phase_w), images, w, dx);
        }
    }
}

template <class T>
const ConvKernels<T>& choose_kernels() {
    switch (active_isa()) {
#if defined(__x86_64__)
        case Isa::Avx512: return conv_kernels_avx512(T());
        case Isa::Avx2: return conv_kernels_avx2(T());
#endif
        default: return conv_kernels_baseline(T());
    }
}

}  // namespace

template <>
const ConvKernels<float>& conv_kernels<float>() {
    return choose_kernels<float>();
}

template <>
const ConvKernels<double>& conv_kernels<double>() {
    return choose_kernels<double>();
}

void conv2d_forward(const Conv2dShape& shape, const float* x, const float* w, float* y, const RowsFinished* finished) {
    forward(shape, x, w, y, finished);
}

void conv2d_forward(const Conv2dShape& shape, const double* x, const double* w, double* y,
                    const RowsFinished* finished) {
    forward(shape, x, w, y, finished);
}

void conv2d_backward_input(const Conv2dShape& shape, const float* dy, const float* w, float* dx) {
    backward_input(shape, dy, w, dx);
}

void conv2d_backward_input(const Conv2dShape& shape, const double* dy, const double* w, double* dx) {
    backward_input(shape, dy, w, dx);
}

}  // namespace burn::ndarray
