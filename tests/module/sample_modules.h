// Modules of every shape that reflection must understand, shared by the tests of this folder.
#pragma once

#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/module/module.h>

#include <array>
#include <optional>
#include <vector>

namespace burn::sample {

/// A module without a backend, without state and with a constant.
struct Scale {
    double factor = 2;
    BURN_MODULE(Scale, factor)
};

struct Nothing {
    BURN_MODULE(Nothing)
};

template <Backend B>
struct Affine {
    Param<Tensor<B, 2>> weight;
    std::optional<Param<Tensor<B, 1>>> bias;
    BURN_MODULE(Affine, weight, bias)
};

/// A type and a number as further template parameters.
template <Backend B, class Inner>
struct Wrapped {
    Inner inner;
    BURN_MODULE(Wrapped, inner)
};
template <Backend B, std::size_t D>
struct Table {
    Param<Tensor<B, D, Int>> entries;
    BURN_MODULE(Table, entries)
};

template <Backend B>
struct Everything {
    Affine<B> first;
    std::vector<Affine<B>> layers;
    std::array<Scale, 2> scales;
    SmallVector<Param<Tensor<B, 1>>, 2> gains;
    std::optional<Affine<B>> absent;
    Wrapped<B, Affine<B>> wrapped;
    Table<B, 1> table;
    RunningState<Tensor<B, 1>> mean;
    Tensor<B, 1> constant;
    int count = 3;
    BURN_MODULE(Everything, first, layers, scales, gains, absent, wrapped, table, mean, constant, count)
};

template <Backend B>
Affine<B> make_affine(double value, const Device<B>& device) {
    return {Param(Tensor<B, 2>::full({2, 3}, value, device)), Param(Tensor<B, 1>::full({3}, value, device))};
}

template <Backend B>
Everything<B> make_everything(const Device<B>& device) {
    Everything<B> module;
    module.first = make_affine<B>(1, device);
    module.layers = {make_affine<B>(2, device), make_affine<B>(3, device)};
    module.layers[1].bias.reset();
    module.gains.push_back(Param(Tensor<B, 1>::ones({4}, device)));
    module.wrapped.inner = module.first;  // tied
    module.table.entries = Param(Tensor<B, 1, Int>::ones({5}, device));
    module.mean = RunningState(Tensor<B, 1>::zeros({2}, device));
    module.constant = Tensor<B, 1>::full({2}, 7, device);
    return module;
}

}  // namespace burn::sample
