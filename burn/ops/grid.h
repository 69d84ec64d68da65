#pragma once

#include <burn/ops/handle.h>

/// Coordinates of grids.

namespace burn::ops {

/// Whether the first two axes of a mesh are row and column ("ij") or column and row ("xy").
enum class GridIndexing : std::uint8_t { Matrix, Cartesian };
/// Whether the coordinates of a mesh are repeated along the other axes or have size 1 there.
enum class GridSparsity : std::uint8_t { Dense, Sparse };

/// The index of every place of a grid.
///
///   y[i, j, .., :] = (i, j, ..)
///
/// Shapes    y [shape.., rank]
/// DTypes    the engine's type for indices
Handle cartesian_grid(Engine& engine, const Shape& shape);

/// Coordinates of a grid from the coordinates of its axes.
///
/// Shapes    n tensors [size of axis i] -> n tensors of rank n, the i-th varying along its axis only
/// Errors    ShapeError when one has another rank than 1, or there are none
/// Source    numpy.meshgrid
HandleList meshgrid(HandleList axes, GridIndexing indexing = GridIndexing::Matrix,
                    GridSparsity sparsity = GridSparsity::Dense);
/// Dense matrix-indexed coordinates joined along a new axis `axis`.
Handle meshgrid_stack(HandleList axes, std::int64_t axis);

}  // namespace burn::ops
