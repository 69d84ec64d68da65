// The README's first look at modules and training.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/nn/nn.h>
#include <burn/optim/optim.h>
#include <burn/store/store.h>

#include <cstdio>

template <burn::Backend B>
struct PositionWiseFeedForward {
    burn::nn::Linear<B> linear_inner, linear_outer;
    burn::nn::Dropout dropout;
    burn::nn::Gelu gelu;
    BURN_MODULE(PositionWiseFeedForward, linear_inner, linear_outer, dropout, gelu)

    template <std::size_t D>
    burn::Tensor<B, D> forward(burn::Tensor<B, D> input) const {
        return linear_outer.forward(dropout.forward(gelu.forward(linear_inner.forward(input))));
    }
};
