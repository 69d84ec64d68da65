#include <burn/tensor/tensor.h>

namespace burn::detail {

void require_handle(const ops::Handle& handle, std::size_t rank, Kind kind) {
    if (!handle) raise(ErrorKind::Argument, Message() << "Tensor: made from an empty handle");
    if (handle.rank() != rank) {
        raise(ErrorKind::Shape, Message() << "Tensor: shape " << handle.shape() << " has rank " << handle.rank()
                                          << "; expected " << rank);
    }
    if (kind_of(handle.dtype()) != kind) {
        raise(ErrorKind::DType, Message() << "Tensor: " << handle.dtype() << " is not of kind " << name_of(kind));
    }
}

void raise_tracked(const ops::Handle& handle, const char* op) {
    raise(ErrorKind::Unsupported, Message()
                                      << op << ": the tensor " << handle.shape() << " is tracked; detach it first");
}

Scalar single_value(const TensorData& data) {
    if (data.numel() != 1) {
        raise(ErrorKind::Shape,
              Message() << "into_scalar: shape " << data.shape() << " has " << data.numel() << " elements; expected 1");
    }
    return visit_dtype(data.dtype(), [&]<class T>(T) -> Scalar {
        if constexpr (std::is_integral_v<T>) return data.values<T>()[0];
        return data.at(0);
    });
}

ops::Handle pad(ops::Handle handle, std::span<const Padding> paddings, ops::PadMode mode, Scalar value) {
    Dims before;
    Dims after;
    for (const Padding& padding : paddings) {
        before.push_back(padding.before);
        after.push_back(padding.after);
    }
    return ops::pad(std::move(handle), before, after, mode, value);
}

}  // namespace burn::detail
