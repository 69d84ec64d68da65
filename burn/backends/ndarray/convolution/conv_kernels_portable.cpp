// Convolution for f32 and f64 where there is no operating system: nothing to choose at run time, no scratch memory.
#include <burn/backends/ndarray/convolution/conv_kernels_portable.h>

namespace burn::ndarray {

void conv2d_forward(const Conv2dShape& shape, const float* x, const float* w, float* y, const RowsFinished* finished) {
    conv2d_forward_portable(shape, x, w, y);
    finish_rows(finished, 0, shape.batch * shape.out_channels, shape.h.out() * shape.w.out());
}

void conv2d_forward(const Conv2dShape& shape, const double* x, const double* w, double* y,
                    const RowsFinished* finished) {
    conv2d_forward_portable(shape, x, w, y);
    finish_rows(finished, 0, shape.batch * shape.out_channels, shape.h.out() * shape.w.out());
}

void conv2d_backward_input(const Conv2dShape& shape, const float* dy, const float* w, float* dx) {
    conv2d_backward_input_portable(shape, dy, w, dx);
}

void conv2d_backward_input(const Conv2dShape& shape, const double* dy, const double* w, double* dx) {
    conv2d_backward_input_portable(shape, dy, w, dx);
}

void conv2d_backward_weight(const Conv2dShape& shape, const float* x, const float* dy, float* dw) {
    conv2d_backward_weight_portable(shape, x, dy, dw);
}

void conv2d_backward_weight(const Conv2dShape& shape, const double* x, const double* dy, double* dw) {
    conv2d_backward_weight_portable(shape, x, dy, dw);
}

}  // namespace burn::ndarray
