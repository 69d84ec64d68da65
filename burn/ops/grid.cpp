#include <burn/ops/grid.h>

#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/join.h>
#include <burn/ops/movement.h>

namespace burn::ops {

Handle cartesian_grid(Engine& engine, const Shape& shape) {
    require_valid_shape(shape, "cartesian_grid");
    HandleList axes;
    for (std::int64_t size : shape) axes.push_back(arange(engine, 0, size));
    return meshgrid_stack(std::move(axes), -1);
}

HandleList meshgrid(HandleList axes, GridIndexing indexing, GridSparsity sparsity) {
    if (axes.empty()) raise(ErrorKind::Argument, Message() << "meshgrid: no axes; expected at least one");
    const std::size_t rank = axes.size();
    const auto place_of = [&](std::size_t axis) {
        return indexing == GridIndexing::Cartesian && rank > 1 && axis < 2 ? 1 - axis : axis;
    };
    Shape dense = Dims::filled(rank, 1);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        require_rank(axes[axis].spec(), 1, "meshgrid", "an axis");
        dense[place_of(axis)] = axes[axis].shape()[0];
    }
    for (std::size_t axis = 0; axis < rank; ++axis) {
        Shape sparse = Dims::filled(rank, 1);
        sparse[place_of(axis)] = axes[axis].shape()[0];
        axes[axis] = reshape(std::move(axes[axis]), sparse);
        if (sparsity == GridSparsity::Dense) axes[axis] = expand(std::move(axes[axis]), dense);
    }
    return axes;
}

Handle meshgrid_stack(HandleList axes, std::int64_t axis) { return stack(meshgrid(std::move(axes)), axis); }

}  // namespace burn::ops
