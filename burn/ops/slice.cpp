#include <burn/ops/slice.h>

#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/movement.h>

namespace burn::ops {

BURN_DEFINE_OP(StridedSlice)
BURN_DEFINE_OP(SliceAssign)
BURN_DEFINE_OP(Unfold)

namespace {

/// Makes one range an axis, in its shortest form: bounds that the steps touch, and no step where there is one element or none.
///
/// Returns the shape of the region.
Shape canonicalize(SliceList& slices, const Shape& shape, const char* op) {
    if (slices.size() > shape.rank()) {
        raise(ErrorKind::Index, Message() << op << ": " << slices.size() << " ranges for " << shape
                                          << "; expected at most " << shape.rank());
    }
    Shape region;
    slices.resize(shape.rank());
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        const SliceSpan span = resolve(slices[axis], shape[axis], op);
        const std::int64_t reach = span.count > 0 ? (span.count - 1) * span.step : 0;
        if (span.count == 0) {
            slices[axis] = {0, 0, 1};
        } else if (span.step > 0 || span.count == 1) {
            slices[axis] = {span.start, span.start + reach + 1, span.count == 1 ? 1 : span.step};
        } else {
            slices[axis] = {span.start + reach, span.start + 1, span.step};
        }
        region.push_back(span.count);
    }
    return region;
}

/// The whole of an axis, forwards or backwards.
bool is_whole(const Slice& slice, std::int64_t size) {
    return slice.start == 0 && slice.end == size && (slice.step == 1 || slice.step == -1);
}

SliceList on_axis(std::size_t rank, std::size_t axis, Slice range) {
    SliceList slices(rank);
    slices[axis] = range;
    return slices;
}

}  // namespace

SpecList StridedSlice::infer(std::span<const TensorSpec> inputs) {
    return {TensorSpec{canonicalize(slices, inputs[0].shape, info.name), inputs[0].dtype}};
}

void StridedSlice::gradient(GradScope& scope) const {
    const Shape& from = scope.input_spec(0).shape;
    bool whole = true;
    for (std::size_t axis = 0; axis < from.rank(); ++axis) whole = whole && is_whole(slices[axis], from[axis]);
    if (whole) {  // a flip is its own inverse
        scope.dx(0) = slice(scope.dy(), slices);
    } else {
        scope.dx(0, slices) = scope.dy();
    }
}

SpecList SliceAssign::infer(std::span<const TensorSpec> inputs) {
    require_same_dtype(inputs[0], inputs[1], info.name);
    const Shape region = canonicalize(slices, inputs[0].shape, info.name);
    if (!(region == inputs[1].shape)) {
        raise(ErrorKind::Shape, Message()
                                    << "slice_assign: the values have shape " << inputs[1].shape << ", the region of "
                                    << inputs[0].shape << " has " << region << "; expected one shape");
    }
    return {inputs[0]};
}

void SliceAssign::gradient(GradScope& scope) const {
    if (scope.wants(1)) scope.dx(1) = slice(scope.dy(), slices);
    if (scope.wants(0)) scope.dx(0) = slice_fill(scope.dy(), slices, 0);
}

SpecList Unfold::infer(std::span<const TensorSpec> inputs) {
    Shape shape = inputs[0].shape;
    const std::size_t index = normalize_axis(axis, shape.rank(), info.name);
    if (size < 1 || step < 1) {
        raise(ErrorKind::Argument,
              Message() << "unfold: size " << size << " and step " << step << "; expected positive numbers");
    }
    axis = static_cast<std::int64_t>(index);
    shape[index] = shape[index] < size ? 0 : (shape[index] - size) / step + 1;
    shape.push_back(size);
    return {TensorSpec{shape, inputs[0].dtype}};
}

void Unfold::gradient(GradScope& scope) const {
    const Shape& from = scope.input_spec(0).shape;
    const auto index = static_cast<std::size_t>(axis);
    const std::int64_t windows = scope.dy().shape()[index];
    // The windows one after the other, along the axis: element (w, k) belongs to w * step + k.
    Shape side_by_side = from;
    side_by_side[index] = windows * size;
    Handle pieces = reshape(movedim(scope.dy(), {-1}, {axis + 1}), side_by_side);
    Engine& engine = pieces.engine();
    Handle places = add(expand(reshape(arange(engine, 0, windows * step, step), {windows, 1}), {windows, size}),
                        expand(reshape(arange(engine, 0, size), {1, size}), {windows, size}));
    Handle zeros = full(engine, from, pieces.dtype(), 0);
    scope.dx(0) = select_assign(std::move(zeros), axis, reshape(std::move(places), {windows * size}), std::move(pieces),
                                IndexingUpdate::Add);
}

Handle slice(Handle x, SliceList slices) { return apply_one(StridedSlice{std::move(slices)}, list_of(std::move(x))); }

Handle slice_dim(Handle x, std::int64_t axis, Slice range) {
    const std::size_t rank = x.rank();
    return slice(std::move(x), on_axis(rank, normalize_axis(axis, rank, "slice_dim"), range));
}

Handle narrow(Handle x, std::int64_t axis, std::int64_t start, std::int64_t length) {
    const std::size_t rank = x.rank();
    const std::size_t index = normalize_axis(axis, rank, "narrow");
    const std::int64_t size = x.shape()[index];
    if (start < 0 || length < 0 || start > size || length > size - start) {
        raise(ErrorKind::Index, Message() << "narrow: " << length << " elements from " << start << " on of axis "
                                          << axis << " of " << x.shape() << "; expected a range within 0 to " << size);
    }
    return slice(std::move(x), on_axis(rank, index, {start, start + length}));
}

Handle select_dim(Handle x, std::int64_t axis, std::int64_t index) {
    Shape shape = x.shape();
    const std::size_t dropped = normalize_axis(axis, shape.rank(), "select_dim");
    const std::int64_t size = shape[dropped];
    if (index < -size || index >= size) {
        raise(ErrorKind::Index, Message() << "select_dim: index " << index << " is out of range on axis " << axis
                                          << " of " << shape << "; expected " << -size << " to " << size - 1);
    }
    if (shape.rank() == 1) {
        raise(ErrorKind::Shape, Message() << "select_dim: " << shape << " has one axis only; expected at least 2");
    }
    Handle element = slice(std::move(x), on_axis(shape.rank(), dropped, Slice::at(index)));
    shape.erase(dropped);
    return reshape(std::move(element), shape);
}

Handle slice_assign(Handle x, SliceList slices, Handle values) {
    return apply_one(SliceAssign{std::move(slices)}, list_of(std::move(x), std::move(values)));
}

Handle slice_fill(Handle x, SliceList slices, Scalar value) {
    const Shape region = canonicalize(slices, x.shape(), "slice_fill");
    require_scalar_fits(value, x.dtype(), "slice_fill");
    Handle values = expand(full(x.engine(), Dims::filled(region.rank(), 1), x.dtype(), value), region);
    return slice_assign(std::move(x), std::move(slices), std::move(values));
}

Handle flip(Handle x, Dims axes) {
    normalize_axes(axes, x.rank(), "flip");
    SliceList slices(x.rank());
    for (std::int64_t axis : axes) slices[static_cast<std::size_t>(axis)].step = -1;
    return slice(std::move(x), std::move(slices));
}

Handle unfold(Handle x, std::int64_t axis, std::int64_t size, std::int64_t step) {
    return apply_one(Unfold{axis, size, step}, list_of(std::move(x)));
}

}  // namespace burn::ops
