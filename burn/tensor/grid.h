#pragma once

#include <burn/tensor/tensor.h>

#include <array>

/// Coordinates of grids from the coordinates of their axes.

namespace burn {

/// N tensors of rank N, the i-th varying along its own axis only; dense ones repeat along the others.
///
/// Example   auto [y, x] = meshgrid(std::array{rows, columns});
/// Source    numpy.meshgrid
template <std::size_t N, Backend B, TensorKind K>
std::array<Tensor<B, N, K>, N> meshgrid(const std::array<Tensor<B, 1, K>, N>& axes,
                                        GridIndexing indexing = GridIndexing::Matrix,
                                        GridSparsity sparsity = GridSparsity::Dense) {
    ops::HandleList handles;
    for (const auto& axis : axes) handles.push_back(axis.handle());
    handles = ops::meshgrid(std::move(handles), indexing, sparsity);
    std::array<Tensor<B, N, K>, N> result;
    for (std::size_t i = 0; i < N; ++i) result[i] = Tensor<B, N, K>(std::move(handles[i]));
    return result;
}

/// Dense matrix-indexed coordinates joined along a new axis, the first (0) or the last (-1).
template <std::size_t N, Backend B, TensorKind K>
Tensor<B, N + 1, K> meshgrid_stack(const std::array<Tensor<B, 1, K>, N>& axes, std::int64_t axis) {
    ops::HandleList handles;
    for (const auto& coordinates : axes) handles.push_back(coordinates.handle());
    return Tensor<B, N + 1, K>(ops::meshgrid_stack(std::move(handles), axis));
}

}  // namespace burn
