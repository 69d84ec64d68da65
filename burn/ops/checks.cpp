#include <burn/ops/checks.h>

#include <burn/base/error.h>

#include <limits>
#include <type_traits>
#include <utility>

namespace burn::ops {

namespace {

void require_kind(const TensorSpec& input, bool holds, const char* expected, const char* op) {
    if (!holds)
        raise(ErrorKind::DType, Message() << op << ": the operand is " << input.dtype << "; expected " << expected);
}

}  // namespace

void normalize_axes(Dims& axes, std::size_t rank, const char* op) {
    unsigned seen = 0;
    for (std::int64_t axis : axes) {
        const std::size_t index = normalize_axis(axis, rank, op);
        if ((seen >> index & 1) != 0)
            raise(ErrorKind::Index, Message() << op << ": axis " << axis << " is named twice in " << axes);
        seen |= 1u << index;
    }
    axes.clear();
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if ((seen >> axis & 1) != 0) axes.push_back(static_cast<std::int64_t>(axis));
    }
}

Shape reduced_shape(const Shape& shape, const Dims& axes) {
    Shape result = shape;
    for (std::int64_t axis : axes) result[static_cast<std::size_t>(axis)] = 1;
    return result;
}

void require_float(const TensorSpec& input, const char* op) {
    require_kind(input, is_float(input.dtype), "a Float type", op);
}
void require_int(const TensorSpec& input, const char* op) {
    require_kind(input, is_int(input.dtype), "an Int type", op);
}
void require_numeric(const TensorSpec& input, const char* op) {
    require_kind(input, is_numeric(input.dtype), "a Float or Int type", op);
}
void require_bool(const TensorSpec& input, const char* op) {
    require_kind(input, input.dtype == DType::Bool, "bool", op);
}

namespace {

/// The same number with an integer type; false where it has none of 64 bits.
bool make_whole(Scalar& scalar) {
    const auto value = scalar.to<double>();
    if (value >= -0x1p63 && value < 0x1p63) {
        scalar = static_cast<std::int64_t>(value);
    } else if (value >= 0x1p63 && value < 0x1p64) {
        scalar = static_cast<std::uint64_t>(value);
    } else {
        return false;
    }
    return scalar.to<double>() == value;
}

}  // namespace

void require_scalar_fits(Scalar scalar, DType dtype, const char* op) {
    if (is_float(dtype)) return;
    Scalar whole = scalar;
    const bool is_whole = !scalar.is_floating() || make_whole(whole);
    visit_dtype(dtype, [&]<class T>(T) {
        if constexpr (std::is_same_v<T, bool>) {
            if (is_whole) return;
            raise(ErrorKind::DType,
                  Message() << op << ": the scalar " << scalar << " does not fit bool; expected a whole number");
        } else if constexpr (std::is_integral_v<T>) {
            if (is_whole && (whole.type() == DType::U64 ? std::in_range<T>(whole.to<std::uint64_t>())
                                                        : std::in_range<T>(whole.to<std::int64_t>()))) {
                return;
            }
            using Limits = std::numeric_limits<T>;
            raise(ErrorKind::DType, Message() << op << ": the scalar " << scalar << " does not fit " << dtype
                                              << "; expected a whole number from " << Limits::min() << " to "
                                              << Limits::max());
        }
    });
}

void require_same_dtype(const TensorSpec& lhs, const TensorSpec& rhs, const char* op) {
    if (lhs.dtype != rhs.dtype) {
        raise(ErrorKind::DType,
              Message() << op << ": dtypes differ: " << lhs.dtype << " and " << rhs.dtype << "; cast one of them");
    }
}

void require_same_shape(const TensorSpec& lhs, const TensorSpec& rhs, const char* op) {
    if (lhs.shape != rhs.shape) {
        raise(ErrorKind::Shape, Message() << op << ": shapes differ: " << lhs.shape << " and " << rhs.shape);
    }
}

void require_rank(const TensorSpec& input, std::size_t rank, const char* op, const char* operand) {
    if (input.rank() != rank) {
        raise(ErrorKind::Shape, Message() << op << ": " << operand << ' ' << input.shape << " has rank " << input.rank()
                                          << "; expected " << rank);
    }
}

void complete_option(Dims& option, const char* name, const Dims& fallback, std::int64_t lowest, const char* op) {
    if (option.empty()) option = fallback;
    if (option.size() != fallback.size()) {
        raise(ErrorKind::Argument, Message() << op << ": " << name << ' ' << option << " has " << option.size()
                                             << " numbers; expected " << fallback.size());
    }
    for (const std::int64_t value : option) {
        if (value < lowest) {
            raise(ErrorKind::Argument,
                  Message() << op << ": " << name << " is " << option << "; expected at least " << lowest);
        }
        if (value > kLargestWindowOption) {
            raise(ErrorKind::Argument,
                  Message() << op << ": " << name << " is " << option << "; expected at most " << kLargestWindowOption);
        }
    }
}

}  // namespace burn::ops
