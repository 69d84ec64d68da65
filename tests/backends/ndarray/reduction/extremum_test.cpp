#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/reduce.h>
#include <burn/ops/slice.h>

#include "tests/support/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

/// Extrema of rows and their places, on every instruction set, by plain loops.

namespace burn::ndarray::extremum_test {
namespace {

using burn::testing::for_each_isa;
using burn::testing::Numbers;
using ops::Handle;

ops::Engine& engine() { return NdArray::engine(0); }

/// Compares the extrema of x [1, n] and their places with `expected`, the place of each; the values may be NaN.
void expect_places(const Handle& x, std::int64_t largest, std::int64_t smallest) {
    const TensorData values = engine().read(x).wait();
    const auto value_of = [](const Handle& extremum) { return extremum.engine().read(extremum).wait().at(0); };
    const auto is = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    ASSERT_EQ(value_of(ops::argmax(x, 1)), static_cast<double>(largest)) << x.shape()[1];
    ASSERT_EQ(value_of(ops::argmin(x, 1)), static_cast<double>(smallest)) << x.shape()[1];
    ASSERT_TRUE(is(value_of(ops::max(x, {1})), values.at(largest))) << x.shape()[1] << ' ' << largest;
    ASSERT_TRUE(is(value_of(ops::min(x, {1})), values.at(smallest))) << x.shape()[1] << ' ' << smallest;
}

template <class T>
void expect_rows_of_every_length() {
    for (const std::int64_t n : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 127, 300}) {
        Numbers random(static_cast<std::uint32_t>(n));
        TensorData data(Shape{1, n}, dtype_of<T>);
        for (T& value : data.mutable_values<T>()) value = random.integer<T>(9);  // most extrema are there twice
        std::int64_t largest = 0, smallest = 0;
        for (std::int64_t i = 1; i < n; ++i) {
            if (data.at(i) > data.at(largest)) largest = i;
            if (data.at(i) < data.at(smallest)) smallest = i;
        }
        expect_places(engine().upload(data), largest, smallest);
    }
}

TEST(NdArrayExtremum, OfRowsOfEveryLength) {
    for_each_isa([] {
        expect_rows_of_every_length<float>();
        expect_rows_of_every_length<double>();
        expect_rows_of_every_length<bf16>();
        expect_rows_of_every_length<std::int32_t>();
        expect_rows_of_every_length<std::int64_t>();
        expect_rows_of_every_length<std::uint8_t>();
    });
}

template <class T>
void expect_extrema_wherever_they_are() {
    for (const std::int64_t n : {40, 97, 333}) {
        for (std::int64_t place = 0; place < n; ++place) {
            const std::int64_t other = (place + n / 2) % n;
            TensorData data(Shape{1, n}, dtype_of<T>);
            for (T& value : data.mutable_values<T>()) value = T(3);
            data.mutable_values<T>()[static_cast<std::size_t>(place)] = T(4);
            data.mutable_values<T>()[static_cast<std::size_t>(other)] = T(2);
            expect_places(engine().upload(data), place, other);
        }
    }
}

TEST(NdArrayExtremum, WhereverTheyAre) {
    for_each_isa([] {
        expect_extrema_wherever_they_are<float>();
        expect_extrema_wherever_they_are<double>();
    });
}

template <class T>
void expect_nan_wherever_it_is() {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    for (const std::int64_t n : {1, 5, 40, 97}) {
        for (std::int64_t place = 0; place < n; ++place) {
            TensorData data(Shape{1, n}, dtype_of<T>);
            for (std::int64_t i = 0; i < n; ++i)
                data.mutable_values<T>()[static_cast<std::size_t>(i)] = static_cast<T>(i % 2 == 0 ? kInf : -kInf);
            data.mutable_values<T>()[static_cast<std::size_t>(place)] =
                static_cast<T>(std::numeric_limits<double>::quiet_NaN());
            data.mutable_values<T>()[static_cast<std::size_t>(n - 1)] =
                static_cast<T>(std::numeric_limits<double>::quiet_NaN());
            expect_places(engine().upload(data), place, place);
        }
    }
}

TEST(NdArrayExtremum, IsTheFirstNan) {
    for_each_isa([] {
        expect_nan_wherever_it_is<float>();
        expect_nan_wherever_it_is<double>();
        expect_nan_wherever_it_is<f16>();
    });
}

TEST(NdArrayExtremum, OfInfinitiesOnly) {
    for_each_isa([] {
        for (const double value : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
            const Handle x = ops::full(engine(), {1, 50}, DType::F32, value);
            expect_places(x, 0, 0);
            expect_places(ops::slice(x, {{0, 1}, {0, 50, 3}}), 0, 0);  // elements that lie apart
        }
    });
}

}  // namespace
}  // namespace burn::ndarray::extremum_test
