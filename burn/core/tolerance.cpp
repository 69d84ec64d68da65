#include <burn/core/tolerance.h>

#include <limits>

namespace burn {

namespace {

/// How many differing elements a message lists.
constexpr std::size_t kListed = 5;

std::size_t precision_of(DType dtype) { return dtype == DType::F64 ? 2 : dtype == DType::F32 ? 1 : 0; }

double smallest_normal(DType dtype) {
    switch (dtype) {
        case DType::F64: return std::numeric_limits<double>::min();
        case DType::F16: return 0x1p-14;
        default: return static_cast<double>(std::numeric_limits<float>::min());
    }
}

double magnitude(double x) { return x < 0 ? -x : x; }

/// The type with fewer digits.
DType coarser(DType a, DType b) {
    const auto digits = [](DType dtype) {
        return dtype == DType::F64 ? 53 : dtype == DType::F32 ? 24 : dtype == DType::F16 ? 11 : 8;
    };
    return digits(a) < digits(b) ? a : b;
}

bool same_number(double x, double y) { return x == y || (x != x && y != y); }

/// 64-bit integers do not fit a double: they are compared as such. Unsigned and signed ones by value.
bool same_element(const TensorData& a, const TensorData& b, std::int64_t i) {
    if (!is_int(a.dtype()) || !is_int(b.dtype())) return same_number(a.at(i), b.at(i));
    const auto bits = [i](const TensorData& data) {
        return visit_dtype(data.dtype(), [&]<class T>(T) -> std::uint64_t {
            if constexpr (std::is_integral_v<T>)
                return static_cast<std::uint64_t>(data.values<T>()[static_cast<std::size_t>(i)]);
            return 0;
        });
    };
    return bits(a) == bits(b) && (a.at(i) < 0) == (b.at(i) < 0);
}

void require_same_shape(const TensorData& got, const TensorData& expected, const char* op) {
    if (got.shape() == expected.shape()) return;
    raise(ErrorKind::Shape, Message() << op << ": shape " << got.shape() << "; expected " << expected.shape());
}

void append_index(Message& message, std::int64_t place, const Shape& shape) {
    Dims index = Dims::filled(shape.rank(), 0);
    for (std::size_t axis = shape.rank(); axis-- > 0;) {
        index[axis] = place % shape[axis];
        place /= shape[axis];
    }
    message << index;
}

void append_element(Message& message, const TensorData& got, const TensorData& expected, std::int64_t i) {
    message << "\n  at ";
    append_index(message, i, expected.shape());
    message << ": " << got.at(i) << ", expected " << expected.at(i);
}

/// How far over its bound a pair is: 1 is on it, infinity where no bound would help.
double excess(double x, double y, double relative, double absolute) {
    const double off = magnitude(x - y);
    const double larger = magnitude(x) > magnitude(y) ? magnitude(x) : magnitude(y);
    const double scaled = relative * larger;
    const double bound = scaled > absolute ? scaled : absolute;
    if (off != off || off > std::numeric_limits<double>::max() || bound <= 0)
        return std::numeric_limits<double>::infinity();
    return off / bound;
}

}  // namespace

double Tolerance::relative_for(DType dtype) const {
    const double bound = relatives_[precision_of(dtype)];
    return bound == kUnset ? relative_ : bound;
}

double Tolerance::absolute_for(DType dtype) const {
    const double bound = absolutes_[precision_of(dtype)];
    return bound == kUnset ? absolute_ + smallest_normals_ * smallest_normal(dtype) : bound;
}

bool Tolerance::accepts(double x, double y, DType dtype) const {
    return same_number(x, y) || excess(x, y, relative_for(dtype), absolute_for(dtype)) < 1;
}

void assert_eq(const TensorData& got, const TensorData& expected, bool strict) {
    require_same_shape(got, expected, "assert_eq");
    if (strict && got.dtype() != expected.dtype()) {
        raise(ErrorKind::DType, Message() << "assert_eq: dtype " << got.dtype() << "; expected " << expected.dtype());
    }
    std::int64_t count = 0;
    Message listed;
    for (std::int64_t i = 0; i < got.numel(); ++i) {
        if (same_element(got, expected, i)) continue;
        if (++count <= static_cast<std::int64_t>(kListed)) append_element(listed, got, expected, i);
    }
    if (count == 0) return;
    raise(ErrorKind::Argument,
          Message() << "assert_eq: " << count << " of " << got.numel() << " elements differ" << listed.text());
}

void assert_approx_eq(const TensorData& got, const TensorData& expected, const Tolerance& tolerance) {
    require_same_shape(got, expected, "assert_approx_eq");
    if (kind_of(got.dtype()) != kind_of(expected.dtype())) {
        raise(ErrorKind::DType, Message()
                                    << "assert_approx_eq: dtype " << got.dtype() << "; expected " << expected.dtype());
    }
    if (!is_float(got.dtype())) return assert_eq(got, expected, false);
    const DType dtype = coarser(got.dtype(), expected.dtype());
    const double relative = tolerance.relative_for(dtype);
    const double absolute = tolerance.absolute_for(dtype);
    // The worst so far, worst first.
    double worst[kListed] = {};
    std::int64_t places[kListed] = {};
    std::size_t listed = 0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < got.numel(); ++i) {
        const double x = got.at(i);
        const double y = expected.at(i);
        if (tolerance.accepts(x, y, dtype)) continue;
        ++count;
        const double over = excess(x, y, relative, absolute);
        std::size_t at = listed;
        while (at > 0 && worst[at - 1] < over) --at;
        if (at == kListed) continue;
        if (listed < kListed) ++listed;
        for (std::size_t j = listed - 1; j > at; --j) {
            worst[j] = worst[j - 1];
            places[j] = places[j - 1];
        }
        worst[at] = over;
        places[at] = i;
    }
    if (count == 0) return;
    Message message;
    message << "assert_approx_eq: " << count << " of " << got.numel() << " elements differ (relative " << relative
            << ", absolute " << absolute << "), the worst";
    for (std::size_t j = 0; j < listed; ++j) append_element(message, got, expected, places[j]);
    raise(ErrorKind::Argument, message);
}

namespace {

void require_within(const TensorData& data, double low, double high, bool inclusive, const char* op) {
    for (std::int64_t i = 0; i < data.numel(); ++i) {
        const double x = data.at(i);
        if (x >= low && (inclusive ? x <= high : x < high)) continue;
        Message message;
        message << op << ": element ";
        append_index(message, i, data.shape());
        message << " is " << x << "; expected [" << low << ", " << high << (inclusive ? "]" : ")");
        raise(ErrorKind::Argument, message);
    }
}

}  // namespace

void assert_within_range(const TensorData& data, double low, double high) {
    require_within(data, low, high, false, "assert_within_range");
}

void assert_within_range_inclusive(const TensorData& data, double low, double high) {
    require_within(data, low, high, true, "assert_within_range_inclusive");
}

}  // namespace burn
