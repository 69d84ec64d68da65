#include <burn/nn/embedding.h>

#include "tensor_values.h"

#include <gtest/gtest.h>

namespace burn::nn::embedding_test {
namespace {

using test::A;
using test::counting;
using test::values;

TEST(Embedding, GivesAVectorForEachNumberAndAddsGradients) {
    Device<A> device;
    const Embedding<A> embedding{Param(counting<A, 2>({3, 2}))};
    const auto ids = Tensor<A, 2, Int>::from({{2, 0}, {2, 2}}, device);
    const auto y = embedding.forward(ids);
    EXPECT_EQ(y.shape(), (Shape{2, 2, 2}));
    EXPECT_EQ(values(y), (std::vector<double>{4, 5, 0, 1, 4, 5, 4, 5}));
    const Gradients grads = y.sum().backward();
    EXPECT_EQ(values(*embedding.weight.grad(grads)), (std::vector<double>{1, 1, 0, 0, 3, 3}));
}

TEST(Embedding, RefusesNumbersWithoutAVector) {
    Device<NdArray> device;
    const auto embedding = EmbeddingConfig{3, 2}.init(device);
    EXPECT_EQ(embedding.weight.shape(), (Shape{3, 2}));
    EXPECT_THROW((embedding.forward(Tensor<NdArray, 1, Int>::from({3}, device)).to_data()), IndexError);
    EXPECT_THROW((EmbeddingConfig{0, 2}.init(device)), ArgumentError);
}

}  // namespace
}  // namespace burn::nn::embedding_test
