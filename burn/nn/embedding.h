#pragma once

#include <burn/module/module.h>
#include <burn/nn/initializer.h>
#include <burn/nn/layer_checks.h>
#include <burn/ops/indexing.h>

namespace burn::nn {

template <Backend B>
struct Embedding;

/// Options of Embedding.
struct EmbeddingConfig {
    Required<std::int64_t> n_embedding;
    Required<std::int64_t> d_model;
    Initializer initializer = Initializer::normal(0, 1);
    BURN_CONFIG(EmbeddingConfig, n_embedding, d_model, initializer)

    /// Errors    ArgumentError when a size is not positive
    template <Backend B>
    Embedding<B> init(const Device<B>& device) const;
};

/// A vector for every number.
///
/// Shapes    x [..], values below n_embedding -> y [.., d_model]
/// Init      `initializer`, with fans n_embedding and d_model
/// Errors    IndexError for numbers that have no vector
template <Backend B>
struct Embedding {
    Param<Tensor<B, 2>> weight;  ///< [n_embedding, d_model]
    BURN_MODULE(Embedding, weight)

    template <std::size_t D>
    Tensor<B, D + 1> forward(Tensor<B, D, Int> input) const {
        return Tensor<B, D + 1>(ops::embedding(weight.value().handle(), std::move(input).handle()));
    }
};

template <Backend B>
Embedding<B> EmbeddingConfig::init(const Device<B>& device) const {
    require_at_least("Embedding", "n_embedding", n_embedding, 1);
    require_at_least("Embedding", "d_model", d_model, 1);
    return {initializer.init<B, 2>({*n_embedding, *d_model}, device, {n_embedding, d_model})};
}

}  // namespace burn::nn
