#include "tests/conformance/compare.h"

#include <cmath>
#include <cstdio>

namespace burn::conformance {

namespace {

std::string text(const Message& message) { return message.text(); }

/// How many times the tolerance an element is off; 0 when it is exact, infinity when no tolerance would help.
double excess(double got, double want, double rtol, double atol) {
    if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : INFINITY;
    if (std::isinf(want) || std::isinf(got)) return got == want ? 0 : INFINITY;
    const double off = std::abs(got - want);
    if (off == 0) return 0;
    const double tolerance = atol + rtol * std::abs(want);
    return tolerance > 0 ? off / tolerance : INFINITY;
}

std::string index_text(std::int64_t place, const Shape& shape) {
    Dims index = Dims::filled(shape.rank(), 0);
    for (std::size_t axis = shape.rank(); axis-- > 0;) {
        index[axis] = place % shape[axis];
        place /= shape[axis];
    }
    return text(Message() << "" << index);
}

/// Integers are compared as such: 64 bits do not fit a double.
bool equal_integers(const TensorData& got, const TensorData& want, std::int64_t place) {
    const auto at = [place](const TensorData& data) {
        return visit_dtype(data.dtype(), [&]<class T>(T) -> std::uint64_t {
            if constexpr (std::is_integral_v<T>)
                return static_cast<std::uint64_t>(data.values<T>()[static_cast<std::size_t>(place)]);
            return 0;
        });
    };
    return at(got) == at(want);
}

}  // namespace

std::string difference(const TensorData& got, const TensorData& want, double rtol, double atol) {
    if (!(got.shape() == want.shape()))
        return text(Message() << "shape is " << got.shape() << ", expected " << want.shape());
    if (kind_of(got.dtype()) != kind_of(want.dtype())) {
        return text(Message() << "dtype is " << got.dtype() << ", expected " << want.dtype());
    }
    const bool exact = !is_float(want.dtype());
    double worst = 1;
    std::int64_t worst_place = -1;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < want.numel(); ++i) {
        const double over =
            exact ? (equal_integers(got, want, i) ? 0 : INFINITY) : excess(got.at(i), want.at(i), rtol, atol);
        if (over <= 1) continue;
        ++count;
        if (over > worst) {
            worst = over;
            worst_place = i;
        }
    }
    if (count == 0) return {};
    char numbers[160];
    std::snprintf(numbers, sizeof(numbers), "got %.9g, expected %.9g, off by %.3g (%.3g times the tolerance)",
                  got.at(worst_place), want.at(worst_place), std::abs(got.at(worst_place) - want.at(worst_place)),
                  worst);
    return std::to_string(count) + " of " + std::to_string(want.numel()) + " elements differ, worst at " +
           index_text(worst_place, want.shape()) + ": " + numbers;
}

}  // namespace burn::conformance
