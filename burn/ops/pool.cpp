#include <burn/ops/pool.h>

#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/indexing.h>
#include <burn/ops/movement.h>
#include <burn/ops/pool_size.h>
#include <burn/ops/spatial.h>

namespace burn::ops {

BURN_DEFINE_OP(MaxPool)
BURN_DEFINE_OP(MaxPoolWithIndices)
BURN_DEFINE_OP(AvgPool)
BURN_DEFINE_OP(AvgPoolGrad)
BURN_DEFINE_OP(AdaptiveAvgPool)
BURN_DEFINE_OP(AdaptiveAvgPoolGrad)

namespace {

void require_sizes(const TensorSpec& input, const Dims& sizes, const char* what, const char* op) {
    require_float(input, op);
    if (input.rank() < 3 || input.rank() > 4 || sizes.size() + 2 != input.rank()) {
        raise(ErrorKind::Shape, Message() << op << ": ranks do not fit: operand " << input.shape << ", " << what << ' '
                                          << sizes << "; expected [batch, channels, size..] with one or two sizes");
    }
    for (std::size_t axis = 2; axis < input.rank(); ++axis) {
        if (input.shape[axis] < 1 || sizes[axis - 2] < 1) {
            raise(ErrorKind::Shape, Message() << op << ": operand " << input.shape << ", " << what << ' ' << sizes
                                              << "; expected spatial sizes of at least 1");
        }
    }
}

/// The values of a max pool, its arguments checked and its options completed.
TensorSpec largest_of_windows(PoolOptions& options, const TensorSpec& input, const char* op) {
    require_float(input, op);
    const Shape result = pooled_shape(options, input.shape, op);
    for (std::size_t i = 0; i < options.kernel.size(); ++i) {
        // A window that starts in the padding of an operand shorter than its dilation may step over it.
        for (std::int64_t start = -options.padding[i]; start < 0; start += options.stride[i]) {
            const std::int64_t first =
                start + (-start + options.dilation[i] - 1) / options.dilation[i] * options.dilation[i];
            if (first < input.shape[i + 2]) continue;
            raise(ErrorKind::Shape, Message() << op << ": a window of kernel " << options.kernel << ", dilation "
                                              << options.dilation << ", padding " << options.padding
                                              << " meets no element of " << input.shape);
        }
    }
    return {result, input.dtype};
}

}  // namespace

SpecList MaxPool::infer(std::span<const TensorSpec> inputs) {
    return {largest_of_windows(options, inputs[0], info.name)};
}

HandleList MaxPool::decompose(HandleList inputs) const {
    return list_of(std::move(apply(MaxPoolWithIndices{options}, std::move(inputs))[0]));
}

SpecList MaxPoolWithIndices::infer(std::span<const TensorSpec> inputs) {
    const TensorSpec values = largest_of_windows(options, inputs[0], info.name);
    return {values, TensorSpec{values.shape, DType::I64}};
}

void MaxPoolWithIndices::gradient(GradScope& scope) const {
    if (!scope.dy()) return;
    const Shape& x = scope.input_spec(0).shape;
    const Shape& y = scope.output_spec(0).shape;
    const Shape places{y[0], y[1], with_spatial(1, 1, spatial_sizes(y)).numel()};
    Handle planes =
        full(scope.dy().engine(), {x[0], x[1], with_spatial(1, 1, spatial_sizes(x)).numel()}, scope.dy().dtype(), 0);
    planes = scatter(std::move(planes), 2, reshape(scope.output(1), places), reshape(scope.dy(), places),
                     IndexingUpdate::Add);
    scope.dx(0) = reshape(std::move(planes), x);
}

SpecList AvgPool::infer(std::span<const TensorSpec> inputs) {
    require_float(inputs[0], info.name);
    if (!options.dilation.empty() && options.dilation != Dims::filled(options.dilation.size(), 1)) {
        raise(ErrorKind::Argument,
              Message() << info.name << ": dilation is " << options.dilation << "; average pools have none");
    }
    return {TensorSpec{pooled_shape(options, inputs[0].shape, info.name), inputs[0].dtype}};
}

void AvgPool::gradient(GradScope& scope) const {
    scope.dx(0) = apply_one(AvgPoolGrad{options, spatial_sizes(scope.input_spec(0).shape)}, list_of(scope.dy()));
}

SpecList AvgPoolGrad::infer(std::span<const TensorSpec> inputs) {
    require_sizes(inputs[0], size, "size", info.name);
    const Shape x = with_spatial(inputs[0].shape[0], inputs[0].shape[1], size);
    require_valid_shape(x, info.name);
    const Shape y = pooled_shape(options, x, info.name);
    if (y != inputs[0].shape) {
        raise(ErrorKind::Shape, Message() << info.name << ": dy has shape " << inputs[0].shape << "; expected " << y);
    }
    return {TensorSpec{x, inputs[0].dtype}};
}

void AvgPoolGrad::gradient(GradScope& scope) const { scope.dx(0) = avg_pool(scope.dy(), options); }

SpecList AdaptiveAvgPool::infer(std::span<const TensorSpec> inputs) {
    require_sizes(inputs[0], output, "output", info.name);
    return {TensorSpec{with_spatial(inputs[0].shape[0], inputs[0].shape[1], output), inputs[0].dtype}};
}

void AdaptiveAvgPool::gradient(GradScope& scope) const {
    scope.dx(0) = apply_one(AdaptiveAvgPoolGrad{spatial_sizes(scope.input_spec(0).shape)}, list_of(scope.dy()));
}

SpecList AdaptiveAvgPoolGrad::infer(std::span<const TensorSpec> inputs) {
    require_sizes(inputs[0], size, "size", info.name);
    return {TensorSpec{with_spatial(inputs[0].shape[0], inputs[0].shape[1], size), inputs[0].dtype}};
}

void AdaptiveAvgPoolGrad::gradient(GradScope& scope) const {
    scope.dx(0) = adaptive_avg_pool(scope.dy(), spatial_sizes(scope.input_spec(0).shape));
}

Handle max_pool(Handle x, const PoolOptions& options) { return apply_one(MaxPool{options}, list_of(std::move(x))); }

HandleList max_pool_with_indices(Handle x, const PoolOptions& options) {
    return apply(MaxPoolWithIndices{options}, list_of(std::move(x)));
}

Handle avg_pool(Handle x, const PoolOptions& options) { return apply_one(AvgPool{options}, list_of(std::move(x))); }

Handle adaptive_avg_pool(Handle x, const Dims& output) {
    return apply_one(AdaptiveAvgPool{output}, list_of(std::move(x)));
}

}  // namespace burn::ops
