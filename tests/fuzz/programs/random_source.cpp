#include "tests/fuzz/programs/random_source.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace burn::fuzz {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double draw_float(Fill fill, Random& random) {
    switch (fill) {
        case Fill::Eighths: return static_cast<double>(random.between(-32, 32)) / 8;
        case Fill::Reals: return random.unit() * 4 - 2;
        case Fill::Positive: return 0.25 + random.unit() * 3.75;
        case Fill::Unit: return random.unit() * 1.75 - 0.875;
        case Fill::AboveOne: return 1.125 + random.unit() * 3.875;
        case Fill::Special: {
            constexpr double kSpecial[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, -0.0, 0.0};
            return random.one_in(4) ? random.pick(kSpecial) : static_cast<double>(random.between(-32, 32)) / 8;
        }
        case Fill::Indices:
        case Fill::Distinct: break;
    }
    return 0;
}

template <class T>
T draw_integer(Fill fill, Random& random) {
    using Limits = std::numeric_limits<T>;
    switch (fill) {
        case Fill::Reals: return static_cast<T>(random.next());
        case Fill::Positive: return static_cast<T>(random.between(1, 9));
        case Fill::Special: {
            const T special[] = {Limits::lowest(), Limits::max(), T(0), static_cast<T>(-1)};
            return random.one_in(3) ? random.pick(special) : static_cast<T>(random.next());
        }
        default: return static_cast<T>(random.between(std::is_signed_v<T> ? -9 : 0, 9));
    }
}

/// Whole numbers below the bound, each row in an order of its own.
std::vector<std::int64_t> distinct(const Source& source, Random& random) {
    std::vector<std::int64_t> result;
    const std::int64_t row = source.spec.shape.empty() ? 1 : source.spec.shape.back();
    std::vector<std::int64_t> order(static_cast<std::size_t>(source.bound));
    const std::int64_t count = source.spec.shape.numel();
    while (static_cast<std::int64_t>(result.size()) < count) {
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
        for (std::int64_t i = 0; i < row; ++i) result.push_back(order[static_cast<std::size_t>(i % source.bound)]);
    }
    return result;
}

}  // namespace

TensorData make_data(const Source& source) {
    Random random(source.seed * 2654435761u + 1);
    TensorData data(source.spec.shape, source.spec.dtype);
    const bool counted = source.fill == Fill::Indices || source.fill == Fill::Distinct;
    const std::vector<std::int64_t> order =
        source.fill == Fill::Distinct && source.bound > 0 ? distinct(source, random) : std::vector<std::int64_t>();
    visit_dtype(source.spec.dtype, [&](auto zero) {
        using T = decltype(zero);
        std::size_t i = 0;
        for (T& element : data.mutable_values<T>()) {
            if (counted) {
                const std::int64_t index = source.fill == Fill::Distinct
                                               ? (order.empty() ? 0 : order[i])
                                               : random.below(std::max<std::int64_t>(1, source.bound));
                element = Scalar(index).to<T>();
            } else if constexpr (std::is_same_v<T, bool>) {
                element = random.one_in(2);
            } else if constexpr (std::is_integral_v<T>) {
                element = draw_integer<T>(source.fill, random);
            } else {
                element = Scalar(draw_float(source.fill, random)).to<T>();
            }
            ++i;
        }
    });
    return data;
}

}  // namespace burn::fuzz
