// A module with one parameter, and how optimisers are made to walk it along given gradients.
#pragma once

#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/optim/optimizer.h>

#include <vector>

namespace burn::test {

using A = Autodiff<NdArray>;

struct OneParameter {
    Param<Tensor<A, 1>> p;
    BURN_MODULE(OneParameter, p)
};

inline Tensor<NdArray, 1> vector_of(const std::vector<double>& values) {
    const TensorData data = TensorData::from(std::span(values), Shape{static_cast<std::int64_t>(values.size())});
    return Tensor<NdArray, 1>::from_data(data.convert(DType::F32), Device<NdArray>());
}

inline OneParameter one_parameter(const std::vector<double>& values) {
    return {Param(Tensor<A, 1>::from_inner(vector_of(values)))};
}

inline std::vector<double> values_of(const OneParameter& module) {
    const TensorData data = module.p.value().to_data();
    std::vector<double> values;
    for (std::int64_t i = 0; i < data.numel(); ++i) values.push_back(data.at(i));
    return values;
}

inline optim::GradientsParams gradient_for(const OneParameter& module, const std::vector<double>& gradient) {
    optim::GradientsParams gradients;
    gradients.set(module.p.id(), vector_of(gradient));
    return gradients;
}

/// The first element of the parameter after each step along `gradients`.
inline std::vector<double> path_of(optim::Optimizer optimizer, double rate, double start,
                                   const std::vector<double>& gradients) {
    OneParameter module = one_parameter({start});
    std::vector<double> path;
    for (const double gradient : gradients) {
        optim::GradientsParams gradients_of_step = gradient_for(module, {gradient});
        module = optimizer.step(rate, std::move(module), std::move(gradients_of_step));
        path.push_back(values_of(module)[0]);
    }
    return path;
}

}  // namespace burn::test
