#include <burn/ops/movement.h>

#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/reduce.h>

namespace burn::ops {

BURN_DEFINE_OP(Reshape)
BURN_DEFINE_OP(Permute)
BURN_DEFINE_OP(Expand)

SpecList Reshape::infer(std::span<const TensorSpec> inputs) {
    const Shape& from = inputs[0].shape;
    const Shape asked = shape;
    std::size_t inferred = kMaxRank;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i] == 0 && i < from.rank()) shape[i] = from[i];
        if (shape[i] == -1) {
            if (inferred != kMaxRank) raise(ErrorKind::Shape, Message() << "reshape: " << asked << " has more than one -1");
            inferred = i;
            shape[i] = 1;
        }
    }
    require_valid_shape(shape, "reshape");
    if (inferred != kMaxRank) {
        const std::int64_t known = shape.numel();
        if (known != 0 && from.numel() % known == 0) shape[inferred] = from.numel() / known;
    }
    if (shape.numel() != from.numel()) {
        raise(ErrorKind::Shape, Message() << "reshape: " << from << " has " << from.numel() << " elements; " << asked
                                          << " cannot hold them");
    }
    return {TensorSpec{shape, inputs[0].dtype}};
}

void Reshape::gradient(GradScope& scope) const {
    scope.dx(0) = reshape(scope.dy(), scope.input_spec(0).shape);
}

SpecList Permute::infer(std::span<const TensorSpec> inputs) {
    const Shape& from = inputs[0].shape;
    if (axes.size() != from.rank()) {
        raise(ErrorKind::Index, Message() << "permute: " << axes << " names " << axes.size() << " axes; " << from << " has "
                                          << from.rank());
    }
    Dims sorted = axes;
    normalize_axes(sorted, from.rank(), info.name);
    Shape result;
    for (std::int64_t& axis : axes) {
        axis = static_cast<std::int64_t>(normalize_axis(axis, from.rank(), info.name));
        result.push_back(from[static_cast<std::size_t>(axis)]);
    }
    return {TensorSpec{result, inputs[0].dtype}};
}

void Permute::gradient(GradScope& scope) const {
    Dims inverse = axes;
    for (std::size_t i = 0; i < axes.size(); ++i) inverse[static_cast<std::size_t>(axes[i])] = static_cast<std::int64_t>(i);
    scope.dx(0) = permute(scope.dy(), inverse);
}

SpecList Expand::infer(std::span<const TensorSpec> inputs) {
    const Shape& from = inputs[0].shape;
    const Shape asked = shape;
    if (shape.rank() < from.rank()) {
        raise(ErrorKind::Shape, Message() << "expand: " << asked << " has fewer axes than " << from);
    }
    const std::size_t added = shape.rank() - from.rank();
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const std::int64_t size = i < added ? 1 : from[i - added];
        if (shape[i] == -1 && i >= added) shape[i] = size;
        if (shape[i] != size && size != 1) {
            raise(ErrorKind::Shape, Message() << "expand: " << from << " cannot become " << asked << ": axis " << i - added
                                              << " is not 1");
        }
    }
    require_valid_shape(shape, "expand");
    return {TensorSpec{shape, inputs[0].dtype}};
}

void Expand::gradient(GradScope& scope) const {
    const Shape& from = scope.input_spec(0).shape;
    Shape padded = from;
    for (std::size_t i = from.rank(); i < shape.rank(); ++i) padded.insert(0, 1);
    scope.dx(0) = reshape(sum_to(scope.dy(), padded), from);
}

Handle reshape(Handle x, Shape shape) {
    return apply_one(Reshape{shape}, list_of(std::move(x)));
}

Handle permute(Handle x, Dims axes) {
    return apply_one(Permute{axes}, list_of(std::move(x)));
}

Handle expand(Handle x, Shape shape) {
    return apply_one(Expand{shape}, list_of(std::move(x)));
}

Handle swap_dims(Handle x, std::int64_t axis_a, std::int64_t axis_b) {
    const std::size_t a = normalize_axis(axis_a, x.rank(), "swap_dims");
    const std::size_t b = normalize_axis(axis_b, x.rank(), "swap_dims");
    Dims axes;
    for (std::size_t i = 0; i < x.rank(); ++i) axes.push_back(static_cast<std::int64_t>(i == a ? b : (i == b ? a : i)));
    return permute(std::move(x), axes);
}

}  // namespace burn::ops
