#include <burn/tensor/transaction.h>

#include <burn/backends/ndarray/ndarray.h>

#include <gtest/gtest.h>

namespace burn::transaction_test {
namespace {

using B = Autodiff<NdArray>;

TEST(Transaction, GivesTheValuesInOrder) {
    Device<B> device;
    Transaction reads;
    reads.add(Tensor<B, 1>::from({1.0, 2.0}, device)).add(Tensor<B, 2, Int>::from({{3}}, device));
    reads.add(Tensor<NdArray, 1>::from({4.0}, {}));
    EXPECT_EQ(reads.size(), 3u);
    const TensorDataList values = reads.execute();
    ASSERT_EQ(values.size(), 3u);
    EXPECT_EQ(values[0], TensorData::from({1.0f, 2.0f}));
    EXPECT_EQ(values[1], TensorData::from<std::int64_t>({{3}}));
    EXPECT_EQ(values[2], TensorData::from({4.0f}));
    EXPECT_EQ(reads.size(), 0u);
    EXPECT_TRUE(reads.execute().empty());
}

TEST(Transaction, ReadsTheValuesOfTheMomentOfAdding) {
    Device<NdArray> device;
    auto x = Tensor<NdArray, 1>::from({1.0, 2.0}, device);
    Transaction reads;
    reads.add(x);
    x = std::move(x).mul_scalar(5);
    EXPECT_EQ(reads.execute()[0], TensorData::from({1.0f, 2.0f}));
}

TEST(Transaction, CanBeWaitedForLater) {
    Transaction reads;
    reads.add(Tensor<NdArray, 1>::from({1.0}, {})).add(Tensor<NdArray, 1>::from({2.0}, {}));
    Pending<TensorDataList> pending = reads.execute_async();
    EXPECT_TRUE(pending.ready());
    EXPECT_EQ(std::move(pending).wait()[1], TensorData::from({2.0f}));
}

TEST(Transaction, RejectsAnEmptyTensor) {
    Transaction reads;
    EXPECT_THROW(reads.add(Tensor<NdArray, 1>()), ArgumentError);
}

}  // namespace
}  // namespace burn::transaction_test
