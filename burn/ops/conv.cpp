#include <burn/ops/conv.h>

#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/spatial.h>

namespace burn::ops {

BURN_DEFINE_OP(Conv)
BURN_DEFINE_OP(ConvInputGrad)
BURN_DEFINE_OP(ConvWeightGrad)

namespace {

void complete(ConvOptions& options, std::size_t axes, const char* op) {
    complete_option(options.stride, "stride", Dims::filled(axes, 1), 1, op);
    complete_option(options.dilation, "dilation", Dims::filled(axes, 1), 1, op);
    complete_option(options.padding, "padding", Dims::filled(axes, 0), 0, op);
    complete_option(options.padding_behind, "padding behind", options.padding, 0, op);
}

/// Before the shape of an operand is made of it.
void require_groups(const ConvOptions& options, const char* op) {
    const bool none = options.groups < 1;
    if (!none && options.groups <= kLargestWindowOption) return;
    raise(ErrorKind::Argument, Message() << op << ": groups is " << options.groups << "; expected at "
                                         << (none ? "least " : "most ") << (none ? 1 : kLargestWindowOption));
}

/// The spatial sizes of y, for shapes x and weight that `op` has, or would give.
Dims output_size(const ConvOptions& options, const Shape& x, const Shape& weight, const char* op) {
    Dims sizes;
    for (std::size_t i = 0; i + 2 < x.rank(); ++i) {
        const std::int64_t kernel = weight[i + 2];
        if (kernel > kLargestWindowOption) {
            raise(ErrorKind::Shape, Message() << op << ": the kernel of weight " << weight
                                              << " is too large; expected sizes of at most " << kLargestWindowOption);
        }
        const std::int64_t room =
            x[i + 2] + options.padding[i] + options.padding_behind[i] - options.dilation[i] * (kernel - 1) - 1;
        if (kernel < 1 || room < 0) {
            raise(ErrorKind::Shape, Message() << op << ": the kernel does not fit: x " << x << ", weight " << weight
                                              << ", padding " << options.padding << ", dilation " << options.dilation);
        }
        sizes.push_back(room / options.stride[i] + 1);
    }
    return sizes;
}

void require_conv(ConvOptions& options, const Shape& x, const Shape& weight, const char* op) {
    if (x.rank() != weight.rank() || x.rank() < 3 || x.rank() > 4) {
        raise(
            ErrorKind::Shape,
            Message()
                << op << ": ranks do not fit: x " << x << ", weight " << weight
                << "; expected [batch, channels, size..] and [out, channels / groups, kernel..] with one or two sizes");
    }
    require_groups(options, op);
    complete(options, x.rank() - 2, op);
    if (x[1] % options.groups != 0 || x[1] / options.groups != weight[1]) {
        raise(ErrorKind::Shape, Message()
                                    << op << ": channels do not fit: x " << x << ", weight " << weight << ", groups "
                                    << options.groups << "; weight's second size times groups must equal x's channels");
    }
    if (weight[0] % options.groups != 0) {
        raise(ErrorKind::Shape, Message() << op << ": " << weight[0] << " output channels cannot be divided into "
                                          << options.groups << " groups");
    }
}

void require_cotangent(const Shape& dy, const Shape& expected, const char* op) {
    if (dy != expected) {
        raise(ErrorKind::Shape, Message() << op << ": dy has shape " << dy << "; expected " << expected
                                          << ", that of the convolution's result");
    }
}

}  // namespace

SpecList Conv::infer(std::span<const TensorSpec> inputs) {
    const Shape& x = inputs[0].shape;
    const Shape& weight = inputs[1].shape;
    require_numeric(inputs[0], info.name);
    require_same_dtype(inputs[0], inputs[1], info.name);
    require_conv(options, x, weight, info.name);
    return {TensorSpec{with_spatial(x[0], weight[0], output_size(options, x, weight, info.name)), inputs[0].dtype}};
}

void Conv::gradient(GradScope& scope) const {
    if (scope.wants(0)) {
        scope.dx(0) = conv_input_grad(scope.dy(), scope.input(1), options, spatial_sizes(scope.input_spec(0).shape));
    }
    if (scope.wants(1)) {
        scope.dx(1) = conv_weight_grad(scope.input(0), scope.dy(), options, spatial_sizes(scope.input_spec(1).shape));
    }
}

SpecList ConvInputGrad::infer(std::span<const TensorSpec> inputs) {
    const Shape& dy = inputs[0].shape;
    const Shape& weight = inputs[1].shape;
    require_numeric(inputs[0], info.name);
    require_same_dtype(inputs[0], inputs[1], info.name);
    require_rank(inputs[0], weight.rank(), info.name, "dy");
    if (size.size() + 2 != weight.rank()) {
        raise(ErrorKind::Argument, Message() << info.name << ": size " << size << " does not fit weight " << weight);
    }
    require_groups(options, info.name);
    std::int64_t channels = 0;
    if (__builtin_mul_overflow(weight[1], options.groups, &channels)) {
        raise(ErrorKind::Shape, Message() << info.name << ": weight " << weight << " with " << options.groups
                                          << " groups has too many channels");
    }
    const Shape x = with_spatial(dy[0], channels, size);
    require_valid_shape(x, info.name);
    require_conv(options, x, weight, info.name);
    require_cotangent(dy, with_spatial(x[0], weight[0], output_size(options, x, weight, info.name)), info.name);
    return {TensorSpec{x, inputs[0].dtype}};
}

/// It is linear in both operands, and the transpose of the convolution in the first.
void ConvInputGrad::gradient(GradScope& scope) const {
    if (scope.wants(0)) scope.dx(0) = conv(scope.dy(), scope.input(1), options);
    if (scope.wants(1))
        scope.dx(1) = conv_weight_grad(scope.dy(), scope.input(0), options, spatial_sizes(scope.input_spec(1).shape));
}

SpecList ConvWeightGrad::infer(std::span<const TensorSpec> inputs) {
    const Shape& x = inputs[0].shape;
    const Shape& dy = inputs[1].shape;
    require_numeric(inputs[0], info.name);
    require_same_dtype(inputs[0], inputs[1], info.name);
    require_rank(inputs[1], x.rank(), info.name, "dy");
    if (kernel.size() + 2 != x.rank()) {
        raise(ErrorKind::Argument, Message() << info.name << ": kernel " << kernel << " does not fit x " << x);
    }
    require_groups(options, info.name);
    const Shape weight = with_spatial(dy[1], x[1] / options.groups, kernel);
    require_valid_shape(weight, info.name);
    require_conv(options, x, weight, info.name);
    require_cotangent(dy, with_spatial(x[0], weight[0], output_size(options, x, weight, info.name)), info.name);
    return {TensorSpec{weight, inputs[0].dtype}};
}

void ConvWeightGrad::gradient(GradScope& scope) const {
    if (scope.wants(0))
        scope.dx(0) = conv_input_grad(scope.input(1), scope.dy(), options, spatial_sizes(scope.input_spec(0).shape));
    if (scope.wants(1)) scope.dx(1) = conv(scope.input(0), scope.dy(), options);
}

Handle conv(Handle x, Handle weight, const ConvOptions& options) {
    return apply_one(Conv{options}, list_of(std::move(x), std::move(weight)));
}

Handle conv(Handle x, Handle weight, Handle bias, const ConvOptions& options) {
    const std::int64_t channels = weight.shape()[0];
    if (bias.shape() != Shape{channels}) {
        raise(ErrorKind::Shape, Message() << "conv: bias has shape " << bias.shape() << ", weight " << weight.shape()
                                          << "; expected [" << channels << ']');
    }
    Handle y = conv(std::move(x), std::move(weight), options);
    const Shape shape = with_spatial(1, channels, Dims::filled(y.rank() - 2, 1));
    return add(std::move(y), reshape(std::move(bias), shape));
}

Handle conv_input_grad(Handle dy, Handle weight, const ConvOptions& options, const Dims& size) {
    return apply_one(ConvInputGrad{options, size}, list_of(std::move(dy), std::move(weight)));
}

Handle conv_weight_grad(Handle x, Handle dy, const ConvOptions& options, const Dims& kernel) {
    return apply_one(ConvWeightGrad{options, kernel}, list_of(std::move(x), std::move(dy)));
}

}  // namespace burn::ops
