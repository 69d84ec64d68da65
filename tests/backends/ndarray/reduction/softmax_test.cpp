#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/engine.h>
#include <burn/ops/softmax.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace burn::ndarray::softmax_test {
namespace {

ops::Engine& engine() { return NdArray::engine(0); }

/// A long row of two values, whose exponentials all round the same way when they are added one after the other in f32.
TEST(NdArraySoftmax, OfALongRowHasTheSumOfItsExponentials) {
    constexpr std::int64_t kCount = 26860;
    std::vector<float> values(kCount);
    double total = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 3 == 0 ? 1.0f : 0.0f;
        total += std::exp(static_cast<double>(values[i]) - 1);
    }
    const ops::Handle x = engine().upload(TensorData::from<float>(values, {kCount}));
    const TensorData y = engine().read(ops::softmax(x, 0)).wait();
    for (std::int64_t i = 0; i < kCount; ++i) {
        const double expected = std::exp(static_cast<double>(values[static_cast<std::size_t>(i)]) - 1) / total;
        ASSERT_NEAR(y.at(i) / expected, 1, 4e-7) << i;  // the exponential's 2 ulp, the sum of a piece, and the quotient
    }
}

}  // namespace
}  // namespace burn::ndarray::softmax_test
