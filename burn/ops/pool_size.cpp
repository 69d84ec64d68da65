#include <burn/ops/pool_size.h>

#include <burn/ops/checks.h>

namespace burn::ops {

Shape pooled_shape(PoolOptions& options, const Shape& x, const char* op) {
    if (x.rank() < 3 || x.rank() > 4) {
        raise(ErrorKind::Shape,
              Message() << op << ": operand " << x << "; expected [batch, channels, size..] with one or two sizes");
    }
    const std::size_t axes = x.rank() - 2;
    complete_option(options.kernel, "kernel", Dims::filled(axes, 0), 1, op);
    complete_option(options.stride, "stride", options.kernel, 1, op);
    complete_option(options.padding, "padding", Dims::filled(axes, 0), 0, op);
    complete_option(options.dilation, "dilation", Dims::filled(axes, 1), 1, op);
    Shape result{x[0], x[1]};
    for (std::size_t i = 0; i < axes; ++i) {
        const std::int64_t size = x[i + 2];
        const std::int64_t padding = options.padding[i];
        const std::int64_t stride = options.stride[i];
        const std::int64_t extent = options.dilation[i] * (options.kernel[i] - 1) + 1;
        const std::int64_t room = size + 2 * padding - extent;
        if (size < 1 || room < 0) {
            raise(ErrorKind::Shape, Message()
                                        << op << ": kernel " << options.kernel << " does not fit operand " << x
                                        << " with padding " << options.padding << ", dilation " << options.dilation);
        }
        if (2 * padding > extent) {
            raise(ErrorKind::Argument, Message()
                                           << op << ": padding " << options.padding << " is more than half of kernel "
                                           << options.kernel << ": a window could lie outside the operand");
        }
        std::int64_t count = room / stride + 1;
        if (options.ceil_mode && room % stride != 0 && count * stride < size + padding) ++count;
        result.push_back(count);
    }
    return result;
}

}  // namespace burn::ops
