#include <burn/core/shape.h>

namespace burn {

Message& operator<<(Message& message, const Dims& dims) {
    message << '[';
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (i > 0) message << ", ";
        message << dims[i];
    }
    return message << ']';
}

std::size_t normalize_axis(std::int64_t axis, std::size_t rank, const char* op) {
    const auto signed_rank = static_cast<std::int64_t>(rank);
    if (axis < -signed_rank || axis >= signed_rank) {
        raise(ErrorKind::Index, Message() << op << ": axis " << axis << " is out of range for rank " << rank
                                          << "; expected " << -signed_rank << " to " << signed_rank - 1);
    }
    return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

Shape broadcast_shapes(const Shape& lhs, const Shape& rhs, const char* op) {
    if (lhs.rank() != rhs.rank()) {
        raise(ErrorKind::Shape, Message() << op << ": ranks differ: " << lhs << " and " << rhs
                                          << "; operands must have one rank (use unsqueeze)");
    }
    Shape result = lhs;
    for (std::size_t axis = 0; axis < lhs.rank(); ++axis) {
        if (lhs[axis] == rhs[axis]) continue;
        if (lhs[axis] != 1 && rhs[axis] != 1) {
            raise(ErrorKind::Shape, Message() << op << ": shapes do not broadcast: " << lhs << " and " << rhs
                                              << " differ on axis " << axis << "; sizes must be equal or 1");
        }
        result[axis] = lhs[axis] == 1 ? rhs[axis] : lhs[axis];
    }
    return result;
}

bool is_valid_shape(const Shape& shape) {
    std::int64_t product = 1;
    for (std::int64_t size : shape) {
        // An axis of size 0 counts as 1: strides are made of the other sizes all the same.
        if (size < 0 || (size != 0 && (__builtin_mul_overflow(product, size, &product) || product > kMostElements)))
            return false;
    }
    return true;
}

void require_valid_shape(const Shape& shape, const char* op) {
    if (is_valid_shape(shape)) return;
    for (std::int64_t size : shape) {
        if (size < 0) raise(ErrorKind::Shape, Message() << op << ": negative size in shape " << shape);
    }
    raise(ErrorKind::Shape, Message() << op << ": shape " << shape << " has more than 2^56 elements");
}

}  // namespace burn
