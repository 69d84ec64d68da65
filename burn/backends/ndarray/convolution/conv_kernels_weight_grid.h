// What both ways of computing a convolution's weight gradient know about its shape.
#pragma once

#include <cstdint>

#include <burn/backends/ndarray/convolution/conv_kernels.h>
#include <burn/backends/ndarray/convolution/conv_kernels_images.h>

namespace burn::ndarray {

/// The grid of positions of the forward pass, in vectors, and the taps of one group.
///
///   dw[o, t] = sum over images and positions p that are outputs of dy[o, p] * x[p + offsets[t]]
template <class T>
struct WeightGrid {
    WeightGrid(const Conv2dShape& shape, const T* x, const T* dy)
        : s(shape), images{x,
                           shape.batch * shape.groups,
                           shape.groups,
                           shape.group_in(),
                           {forward_axis(shape.h), forward_axis(shape.w)}},
          dy(dy), rows(shape.group_out()), taps(shape.taps()), pitch(images.planes.pitch()), lanes(kernels.lanes),
          steps(ceil_div((shape.h.out() - 1) * pitch + shape.w.out(), lanes)), offsets(taps), masks(steps) {
        forward_offsets(s, images.planes, offsets.data());
        reach = steps * lanes;
        for (int64_t t = 0; t < taps; ++t) reach = max_of(reach, offsets[t] + steps * lanes);
        mark_outputs();
    }

    int64_t outputs() const { return s.h.out() * s.w.out(); }
    /// dy of one image and group: [rows, outputs].
    const T* dy_of(int64_t index) const { return dy + index * rows * outputs(); }

    const ConvKernels<T>& kernels = conv_kernels<T>();
    const Conv2dShape& s;
    ImageBatch<T> images;
    const T* dy;
    int64_t rows;   ///< filters of a group
    int64_t taps;   ///< elements of a filter
    int64_t pitch;  ///< positions from one row of outputs to the next
    int64_t lanes;
    int64_t steps;  ///< vectors of positions
    int64_t reach = 0;
    Scratch<int64_t> offsets;
    Scratch<std::uint32_t> masks;  ///< per vector, which positions are outputs

private:
    void mark_outputs() {
        const int64_t end = (s.h.out() - 1) * pitch + s.w.out();
        int64_t position = 0, column = 0;
        for (int64_t step = 0; step < steps; ++step) {
            std::uint32_t bits = 0;
            for (int lane = 0; lane < lanes; ++lane, ++position) {
                if (position < end && column < s.w.out()) bits |= std::uint32_t{1} << lane;
                if (++column == pitch) column = 0;
            }
            masks[step] = bits;
        }
    }
};

}  // namespace burn::ndarray
