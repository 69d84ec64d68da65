// The gradient of a convolution with respect to its weights (builds for an operating system).
#include <burn/backends/ndarray/convolution/conv_kernels.h>
#include <burn/backends/ndarray/convolution/conv_kernels_depthwise_weight.h>
#include <burn/backends/ndarray/convolution/conv_kernels_weight_dot.h>
#include <burn/backends/ndarray/convolution/conv_kernels_weight_product.h>

namespace burn::ndarray {

namespace {

// From so many filters of a group on, packing x for the matrix product is cheap beside the multiplications.
constexpr int64_t kManyFilters = 32;

template <class T>
bool all_finite(const T* values, int64_t count) {
    T sum = 0;  // stays 0, or becomes no number: 0 * infinity, 0 * NaN
    for (int64_t i = 0; i < count; ++i) sum += values[i] * T(0);
    return sum == T(0);
}

template <class T>
void backward_weight(const Conv2dShape& s, const T* x, const T* dy, T* dw) {
    const int64_t size = s.out_channels * s.taps();
    if (size <= 0) return;
    if (s.batch <= 0 || s.h.out() <= 0 || s.w.out() <= 0) {
        std::memset(dw, 0, static_cast<std::size_t>(size) * sizeof(T));
        return;
    }
    if (is_depthwise_weight(s)) return depthwise_weight(s, x, dy, dw);
    WeightGrid<T> grid(s, x, dy);
    if (grid.rows >= kManyFilters) {
        WeightProduct<T>(grid).run(dw);
        return;
    }
    WeightDots<T> dots(grid);
    dots.run(dw, false);
    // The fast way lets infinities of x between rows of outputs through as 0 * infinity. Rather than look at all of x before,
    // look at the result after.
    if (!all_finite(dw, size)) dots.run(dw, true);
}

}  // namespace

void conv2d_backward_weight(const Conv2dShape& shape, const float* x, const float* dy, float* dw) {
    backward_weight(shape, x, dy, dw);
}

void conv2d_backward_weight(const Conv2dShape& shape, const double* x, const double* dy, double* dw) {
    backward_weight(shape, x, dy, dw);
}

}  // namespace burn::ndarray
