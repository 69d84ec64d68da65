// The copy of an image that convolution kernels read where they cannot read the image itself: padded, and with the axis of a
// stride split into phases, so that every tap of every position is at a constant distance (see conv_kernels_table.h).
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/convolution/conv_kernels.h>
#include <burn/backends/ndarray/convolution/conv_kernels_table.h>
#include <burn/backends/ndarray/partition.h>

namespace burn::ndarray {

/// One axis of the planes: index q of phase r is the image's index first + q * step + r.
struct PlaneAxis {
    int64_t in = 1;     ///< size of the image
    int64_t first = 0;  ///< image index of index 0 of phase 0; negative where padding comes first
    int64_t step = 1;
    int64_t phases = 1;  ///< phases kept, <= step
    int64_t size = 1;    ///< indices kept of each phase

    bool is_image() const { return step == 1 && first == 0 && size == in; }

    /// The indices of a phase that are inside the image.
    struct Inside {
        int64_t begin, end;
    };
    Inside inside(int64_t phase) const {
        const int64_t start = first + phase;
        const int64_t begin = start >= 0 ? 0 : ceil_div(-start, step);
        const int64_t end = start >= in ? 0 : min_of(size, ceil_div(in - start, step));
        return {begin, max_of(begin, end)};
    }
};

/// Planes [channel, phase of h, phase of w, h.size, w.size] of an image [channel, h.in, w.in].
struct Planes {
    PlaneAxis h;
    PlaneAxis w;

    /// The image is its own copy.
    bool is_image() const { return h.is_image() && w.is_image(); }
    int64_t channel_size() const { return h.phases * w.phases * h.size * w.size; }
    int64_t pitch() const { return w.size; }

    /// Where image index (first + y, first + x) of a channel is, y and x counting from 0.
    int64_t at(int64_t y, int64_t x) const {
        const int64_t phase = (y % h.step) * w.phases + x % w.step;
        return (phase * h.size + y / h.step) * w.size + x / w.step;
    }
};

/// Copies `count` elements, `step` apart.
template <class T>
void copy_phase(int64_t step, int64_t count, const T* from, T* to) {
    if (step == 2) {  // in this form compilers make vectors of it
        for (int64_t i = 0; i < count; ++i) to[i] = from[2 * i];
        return;
    }
    for (int64_t i = 0; i < count; ++i) to[i] = from[step * i];
}

/// Writes what is inside the image of the planes of channels [begin, end); what is outside must be 0 already.
template <class T>
void copy_planes(const ConvKernels<T>& kernels, const Planes& planes, const T* image, T* to, int64_t begin,
                 int64_t end) {
    const PlaneAxis& h = planes.h;
    const PlaneAxis& w = planes.w;
    to += begin * planes.channel_size();
    for (int64_t c = begin; c < end; ++c) {
        const T* channel = image + c * h.in * w.in;
        for (int64_t phase_h = 0; phase_h < h.phases; ++phase_h) {
            const PlaneAxis::Inside rows = h.inside(phase_h);
            for (int64_t phase_w = 0; phase_w < w.phases; ++phase_w, to += h.size * w.size) {
                const PlaneAxis::Inside columns = w.inside(phase_w);
                const int64_t width = columns.end - columns.begin;
                const T* from = channel + (h.first + phase_h + rows.begin * h.step) * w.in + w.first + phase_w +
                                columns.begin * w.step;
                T* out = to + rows.begin * w.size + columns.begin;
                if (w.step == 1) {
                    kernels.copy_rows(rows.end - rows.begin, width, from, h.step * w.in, out, w.size);
                    continue;
                }
                for (int64_t q = rows.begin; q < rows.end; ++q, from += h.step * w.in, out += w.size) {
                    copy_phase(w.step, width, from, out);
                }
            }
        }
    }
}

/// One axis of the planes of x: padded index i * stride + p * dilation is index i + (p * dilation) / stride of phase
/// (p * dilation) % stride.
inline PlaneAxis forward_axis(const ConvAxis& axis) {
    const int64_t reach = axis.dilation * (axis.kernel - 1);
    return {.in = axis.in,
            .first = -axis.pad_before,
            .step = axis.stride,
            .phases = axis.dilation % axis.stride == 0 ? 1 : min_of(axis.stride, reach + 1),
            .size = axis.out() + reach / axis.stride};
}

/// The same for the axis within a row, where the zeros behind one row are those in front of the next one.
inline PlaneAxis forward_axis_of_rows(const ConvAxis& axis) {
    PlaneAxis rows = forward_axis(axis);
    if (axis.stride == 1) {
        rows.size = min_of(rows.size, max_of(axis.out(), axis.in + max_of(axis.pad_before, axis.pad_after)));
    }
    return rows;
}

/// Where the taps of a filter are in the planes of x, in the order of w's elements.
inline void forward_offsets(const Conv2dShape& shape, const Planes& planes, int64_t* offsets) {
    for (int64_t c = 0; c < shape.group_in(); ++c) {
        for (int64_t p = 0; p < shape.h.kernel; ++p) {
            for (int64_t q = 0; q < shape.w.kernel; ++q) {
                *offsets++ = c * planes.channel_size() + planes.at(p * shape.h.dilation, q * shape.w.dilation);
            }
        }
    }
}

}  // namespace burn::ndarray
