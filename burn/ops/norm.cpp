#include <burn/ops/norm.h>

#include <burn/ops/cast.h>
#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/reduce.h>

namespace burn::ops {

BURN_DEFINE_OP(LayerNorm)
BURN_DEFINE_OP(LayerNormGrad)
BURN_DEFINE_OP(BatchNorm)

namespace {

/// Every operand but the first is one number for each of `count` rows, columns or channels.
void require_vectors(std::span<const TensorSpec> inputs, std::size_t first, std::int64_t count, const char* op) {
    require_float(inputs[0], op);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        require_same_dtype(inputs[0], inputs[i], op);
        if (i >= first && inputs[i].shape != Shape{count}) {
            raise(ErrorKind::Shape, Message() << op << ": operand " << i << " has shape " << inputs[i].shape << ", x "
                                              << inputs[0].shape << "; expected [" << count << ']');
        }
    }
}

std::int64_t row_length(const TensorSpec& x, const char* op) {
    if (x.rank() < 1) raise(ErrorKind::Shape, Message() << op << ": x has no axis");
    return x.shape.back();
}

/// A vector along one axis of a tensor of some rank.
Handle along(Handle vector, std::size_t rank, std::size_t axis) {
    Shape shape = Dims::filled(rank, 1);
    shape[axis] = vector.shape()[0];
    return reshape(std::move(vector), shape);
}

Dims axes_but(std::size_t rank, std::size_t kept) {
    Dims axes;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (axis != kept) axes.push_back(static_cast<std::int64_t>(axis));
    }
    return axes;
}

/// The sum over all axes but one, as a vector.
Handle sum_to_vector(Handle x, std::size_t kept) {
    const std::int64_t size = x.shape()[kept];
    const Dims axes = axes_but(x.rank(), kept);
    return reshape(sum(std::move(x), axes), {size});
}

/// Takes operands of a half type to f32, and gives the type they had.
DType widen(HandleList& inputs) {
    const DType dtype = inputs[0].dtype();
    for (Handle& input : inputs) input = cast(std::move(input), accumulator_of(dtype));
    return dtype;
}

/// 1 / sqrt(var + epsilon)
Handle scale_of(Handle variance, double epsilon) { return recip(sqrt(add_scalar(std::move(variance), epsilon))); }

/// What rows are normalised to, and their scales.
struct Normalised {
    Handle rows;
    Handle scales;
};
Normalised normalise_rows(const Handle& x, double epsilon) {
    Handle scales = scale_of(var(x, {-1}, 0), epsilon);
    return {mul(sub(x, mean(x, {-1})), scales), scales};
}

}  // namespace

SpecList LayerNorm::infer(std::span<const TensorSpec> inputs) {
    if (inputs.size() != 2 && inputs.size() != 3) {
        raise(ErrorKind::Argument,
              Message() << info.name << ": " << inputs.size() << " operands; expected x, gamma and perhaps beta");
    }
    require_vectors(inputs, 1, row_length(inputs[0], info.name), info.name);
    return {inputs[0]};
}

void LayerNorm::gradient(GradScope& scope) const {
    HandleList gradients = apply(LayerNormGrad{epsilon}, list_of(scope.input(0), scope.input(1), scope.dy()));
    for (std::size_t i = 0; i < scope.input_count(); ++i) {
        if (scope.wants(i)) scope.dx(i) = std::move(gradients[i]);
    }
}

HandleList LayerNorm::decompose(HandleList inputs) const {
    const std::size_t rank = inputs[0].rank();
    const DType dtype = widen(inputs);
    Handle y = mul(normalise_rows(inputs[0], epsilon).rows, along(inputs[1], rank, rank - 1));
    if (inputs.size() == 3) y = add(std::move(y), along(inputs[2], rank, rank - 1));
    return {cast(std::move(y), dtype)};
}

SpecList LayerNormGrad::infer(std::span<const TensorSpec> inputs) {
    const std::int64_t length = row_length(inputs[0], info.name);
    require_vectors(inputs.first(2), 1, length, info.name);
    require_same_dtype(inputs[0], inputs[2], info.name);
    require_same_shape(inputs[0], inputs[2], info.name);
    const TensorSpec vector{Shape{length}, inputs[0].dtype};
    return {inputs[0], vector, vector};
}

HandleList LayerNormGrad::decompose(HandleList inputs) const {
    const std::size_t last = inputs[0].rank() - 1;
    const DType dtype = widen(inputs);
    const Handle& dy = inputs[2];
    const Normalised normal = normalise_rows(inputs[0], epsilon);
    const Handle scaled = mul(dy, along(inputs[1], last + 1, last));
    const Handle centred = sub(scaled, mean(scaled, {-1}));
    Handle dx = mul(sub(centred, mul(normal.rows, mean(mul(scaled, normal.rows), {-1}))), normal.scales);
    return {cast(std::move(dx), dtype), cast(sum_to_vector(mul(dy, normal.rows), last), dtype),
            cast(sum_to_vector(dy, last), dtype)};
}

SpecList BatchNorm::infer(std::span<const TensorSpec> inputs) {
    if (inputs[0].rank() < 2) {
        raise(ErrorKind::Shape, Message() << info.name << ": x " << inputs[0].shape
                                          << " has no channels; expected [batch, channels, ..]");
    }
    require_vectors(inputs, 1, inputs[0].shape[1], info.name);
    return {inputs[0]};
}

void BatchNorm::gradient(GradScope& scope) const {
    const std::size_t rank = scope.input_spec(0).rank();
    const Handle& dy = scope.dy();
    const Handle& gamma = scope.input(1);
    const Handle scales = scale_of(scope.input(4), epsilon);
    const Handle slopes = mul(gamma, scales);
    if (scope.wants(0)) scope.dx(0) = mul(dy, along(slopes, rank, 1));
    if (scope.wants(1) || scope.wants(4)) {
        // Both are sums of dy (x - mean), up to factors of each channel.
        const Handle sums = sum_to_vector(mul(dy, sub(scope.input(0), along(scope.input(3), rank, 1))), 1);
        if (scope.wants(1)) scope.dx(1) = mul(sums, scales);
        if (scope.wants(4)) scope.dx(4) = mul_scalar(mul(mul(sums, slopes), square(scales)), -0.5);
    }
    if (scope.wants(2) || scope.wants(3)) {
        const Handle sums = sum_to_vector(dy, 1);
        if (scope.wants(2)) scope.dx(2) = sums;
        if (scope.wants(3)) scope.dx(3) = neg(mul(sums, slopes));
    }
}

HandleList BatchNorm::decompose(HandleList inputs) const {
    const std::size_t rank = inputs[0].rank();
    const DType dtype = widen(inputs);
    const Handle slopes = mul(inputs[1], scale_of(inputs[4], epsilon));
    Handle centred = sub(inputs[0], along(inputs[3], rank, 1));
    return {cast(add(mul(std::move(centred), along(slopes, rank, 1)), along(inputs[2], rank, 1)), dtype)};
}

Handle layer_norm(Handle x, Handle gamma, double epsilon) {
    return apply_one(LayerNorm{epsilon}, list_of(std::move(x), std::move(gamma)));
}
Handle layer_norm(Handle x, Handle gamma, Handle beta, double epsilon) {
    return apply_one(LayerNorm{epsilon}, list_of(std::move(x), std::move(gamma), std::move(beta)));
}
Handle batch_norm(Handle x, Handle gamma, Handle beta, Handle mean, Handle var, double epsilon) {
    return apply_one(BatchNorm{epsilon},
                     list_of(std::move(x), std::move(gamma), std::move(beta), std::move(mean), std::move(var)));
}

}  // namespace burn::ops
