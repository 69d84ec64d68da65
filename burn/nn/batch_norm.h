#pragma once

#include <burn/module/config.h>
#include <burn/module/module.h>

namespace burn::nn {

template <Backend B>
struct BatchNorm;

/// Options of BatchNorm.
struct BatchNormConfig {
    Required<std::int64_t> num_features;
    double epsilon = 1e-5;
    double momentum = 0.1;
    BURN_CONFIG(BatchNormConfig, num_features, epsilon, momentum)

    /// Errors    ArgumentError when num_features is not positive
    template <Backend B>
    BatchNorm<B> init(const Device<B>& device) const;
};

namespace detail {
void check_batch_norm(std::int64_t num_features);
/// Normalises by the statistics of the batch, and moves the running ones towards them.
ops::Handle batch_norm_train(ops::Handle x, ops::Handle gamma, ops::Handle beta, const AnyRunningState& mean,
                             const AnyRunningState& var, double momentum, double epsilon);
ops::Handle batch_norm_infer(ops::Handle x, ops::Handle gamma, ops::Handle beta, const AnyRunningState& mean,
                             const AnyRunningState& var, double epsilon);
}  // namespace detail

/// Normalises each channel: by the statistics of the batch on an AutodiffBackend, else by the running ones.
///
///   y = (x - mean) / sqrt(var + epsilon) * gamma + beta
///   running = (1 - momentum) running + momentum batch, with the biased variance of the batch
///
/// Shapes    x [batch, num_features, ..] -> y as x
/// Init      gamma 1, beta 0, running mean 0, running variance 1
/// Errors    ShapeError when the channels do not fit
/// Source    Ioffe, Szegedy, "Batch normalization: accelerating deep network training", 2015
template <Backend B>
struct BatchNorm {
    Param<Tensor<B, 1>> gamma;                ///< [num_features]
    Param<Tensor<B, 1>> beta;                 ///< [num_features]
    RunningState<Tensor<B, 1>> running_mean;  ///< [num_features]
    RunningState<Tensor<B, 1>> running_var;   ///< [num_features]
    double momentum = 0.1;
    double epsilon = 1e-5;
    BURN_MODULE(BatchNorm, gamma, beta, running_mean, running_var, momentum, epsilon)

    template <std::size_t D>
        requires(D >= 2)
    Tensor<B, D> forward(Tensor<B, D> input) const {
        ops::Handle x = std::move(input).handle();
        if constexpr (AutodiffBackend<B>) {
            return Tensor<B, D>(detail::batch_norm_train(std::move(x), gamma.value().handle(), beta.value().handle(),
                                                         running_mean, running_var, momentum, epsilon));
        } else {
            return Tensor<B, D>(detail::batch_norm_infer(std::move(x), gamma.value().handle(), beta.value().handle(),
                                                         running_mean, running_var, epsilon));
        }
    }
};

template <Backend B>
BatchNorm<B> BatchNormConfig::init(const Device<B>& device) const {
    detail::check_batch_norm(num_features);
    const Sizes<1> shape(*num_features);
    BatchNorm<B> norm;
    norm.gamma = Param(Tensor<B, 1>::ones(shape, device));
    norm.beta = Param(Tensor<B, 1>::zeros(shape, device));
    norm.running_mean = RunningState(Tensor<B, 1>::zeros(shape, device));
    norm.running_var = RunningState(Tensor<B, 1>::ones(shape, device));
    norm.momentum = momentum;
    norm.epsilon = epsilon;
    return norm;
}

}  // namespace burn::nn
