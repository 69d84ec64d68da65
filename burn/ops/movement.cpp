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
    const bool fits = from.contains(0) && shape.contains(0) && !shape.contains(-1);
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        if (shape[i] == 0 && i < from.rank() && !fits) shape[i] = from[i];
        if (shape[i] == -1) {
            if (inferred != kMaxRank)
                raise(ErrorKind::Shape, Message() << "reshape: " << asked << " has more than one -1");
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

void Reshape::gradient(GradScope& scope) const { scope.dx(0) = reshape(scope.dy(), scope.input_spec(0).shape); }

SpecList Permute::infer(std::span<const TensorSpec> inputs) {
    const Shape& from = inputs[0].shape;
    if (axes.size() != from.rank()) {
        raise(ErrorKind::Index, Message() << "permute: " << axes << " names " << axes.size() << " axes; " << from
                                          << " has " << from.rank());
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
    for (std::size_t i = 0; i < axes.size(); ++i)
        inverse[static_cast<std::size_t>(axes[i])] = static_cast<std::int64_t>(i);
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
            raise(ErrorKind::Shape, Message() << "expand: " << from << " cannot become " << asked << ": axis "
                                              << i - added << " is not 1");
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

Handle reshape(Handle x, Shape shape) { return apply_one(Reshape{shape}, list_of(std::move(x))); }

Handle permute(Handle x, Dims axes) { return apply_one(Permute{axes}, list_of(std::move(x))); }

Handle expand(Handle x, Shape shape) { return apply_one(Expand{shape}, list_of(std::move(x))); }

Handle swap_dims(Handle x, std::int64_t axis_a, std::int64_t axis_b) {
    const std::size_t a = normalize_axis(axis_a, x.rank(), "swap_dims");
    const std::size_t b = normalize_axis(axis_b, x.rank(), "swap_dims");
    Dims axes;
    for (std::size_t i = 0; i < x.rank(); ++i) axes.push_back(static_cast<std::int64_t>(i == a ? b : (i == b ? a : i)));
    return permute(std::move(x), axes);
}

Handle movedim(Handle x, const Dims& from, const Dims& to) {
    if (from.size() != to.size()) {
        raise(ErrorKind::Index, Message() << "movedim: " << from << " names " << from.size() << " axes and " << to
                                          << ' ' << to.size() << " places; expected as many");
    }
    const std::size_t rank = x.rank();
    Dims sources = from;
    Dims places = to;
    normalize_axes(sources, rank, "movedim");  // each names an axis once
    normalize_axes(places, rank, "movedim");
    Dims axes = Dims::filled(rank, -1);
    for (std::size_t i = 0; i < from.size(); ++i) {
        axes[normalize_axis(to[i], rank, "movedim")] =
            static_cast<std::int64_t>(normalize_axis(from[i], rank, "movedim"));
    }
    std::int64_t next = 0;
    for (std::int64_t& axis : axes) {
        if (axis != -1) continue;
        while (sources.contains(next)) ++next;
        axis = next++;
    }
    return permute(std::move(x), axes);
}

namespace {

Shape without_axes(const Shape& shape, const Dims& axes) {
    Shape result;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (!axes.contains(static_cast<std::int64_t>(axis))) result.push_back(shape[axis]);
    }
    if (result.empty()) result.push_back(1);
    return result;
}

}  // namespace

Handle flatten(Handle x, std::int64_t first, std::int64_t last) {
    const Shape from = x.shape();
    const std::size_t begin = normalize_axis(first, from.rank(), "flatten");
    const std::size_t end = normalize_axis(last, from.rank(), "flatten");
    if (begin > end) {
        raise(ErrorKind::Index, Message() << "flatten: axis " << first << " comes after axis " << last << " in " << from
                                          << "; expected them in order");
    }
    Shape shape;
    for (std::size_t axis = 0; axis < from.rank(); ++axis) {
        if (axis > begin && axis <= end) {
            shape.back() *= from[axis];
        } else {
            shape.push_back(from[axis]);
        }
    }
    return reshape(std::move(x), shape);
}

Handle squeeze(Handle x) {
    Dims axes;
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
        if (x.shape()[axis] == 1) axes.push_back(static_cast<std::int64_t>(axis));
    }
    const Shape shape = without_axes(x.shape(), axes);
    return reshape(std::move(x), shape);
}

Handle squeeze_dims(Handle x, Dims axes) {
    normalize_axes(axes, x.rank(), "squeeze_dims");
    for (std::int64_t axis : axes) {
        if (x.shape()[static_cast<std::size_t>(axis)] != 1) {
            raise(ErrorKind::Shape, Message()
                                        << "squeeze_dims: axis " << axis << " of " << x.shape() << " is not of size 1");
        }
    }
    const Shape shape = without_axes(x.shape(), axes);
    return reshape(std::move(x), shape);
}

Handle unsqueeze_dims(Handle x, const Dims& axes) {
    const std::size_t rank = x.rank() + axes.size();
    Dims places;  // in order; those named twice move to the next free place, or back when there is none
    for (std::int64_t axis : axes) {
        const auto place = static_cast<std::int64_t>(normalize_axis(axis, rank, "unsqueeze_dims"));
        std::size_t index = 0;
        while (index < places.size() && places[index] <= place) ++index;
        places.insert(index, place);
    }
    for (std::size_t i = 1; i < places.size(); ++i) {
        if (places[i] <= places[i - 1]) places[i] = places[i - 1] + 1;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto last = static_cast<std::int64_t>(rank - places.size() + i);
        if (places[i] > last) places[i] = last;
    }
    Shape shape;
    std::size_t old = 0;
    for (std::size_t place = 0; place < rank; ++place) {
        shape.push_back(places.contains(static_cast<std::int64_t>(place)) ? 1 : x.shape()[old++]);
    }
    return reshape(std::move(x), shape);
}

Handle unsqueeze_dim(Handle x, std::int64_t axis) { return unsqueeze_dims(std::move(x), {axis}); }

Handle unsqueeze_to(Handle x, std::size_t rank) {
    if (rank < x.rank()) {
        raise(ErrorKind::Shape, Message() << "unsqueeze: " << x.shape() << " has more than " << rank << " axes");
    }
    Shape shape = x.shape();
    while (shape.rank() < rank) shape.insert(0, 1);
    return reshape(std::move(x), shape);
}

}  // namespace burn::ops
