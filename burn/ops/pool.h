#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// How windows move over the spatial axes, one number for each. Lists left empty have their defaults.
///
/// Example   PoolOptions{.kernel = {2, 2}}
struct PoolOptions {
    Dims kernel{};
    Dims stride{};    ///< default: the kernel
    Dims padding{};   ///< on both sides; default 0
    Dims dilation{};  ///< max pools only; default 1
    /// Adds a window where the last one would leave elements out; none starts in the padding behind the input.
    bool ceil_mode = false;
    /// Average pools only: whether padding counts in the divisor.
    bool count_include_pad = true;

    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("kernel", self.kernel);
        visit.structural("stride", self.stride);
        visit.structural("padding", self.padding);
        visit.structural("dilation", self.dilation);
        visit.structural("ceil_mode", self.ceil_mode);
        visit.structural("count_include_pad", self.count_include_pad);
    }
};

/// Largest element of every window.
///
/// Shapes    x [batch, channels, size..] with one or two sizes -> y [batch, channels, size'..],
///           size' = (size + 2 padding - dilation * (kernel - 1) - 1) / stride + 1, rounded up with ceil_mode
/// DTypes    Float
/// Gradient  that of MaxPoolWithIndices, which runs in its place where gradients are tracked
/// Numerics  NaN if any element is NaN; padding is never chosen
/// Errors    ShapeError when ranks or sizes do not fit; ArgumentError for options that make no sense
struct MaxPool {
    PoolOptions options;

    static constexpr OpInfo info{.name = "max_pool",
                                 .doc = "largest element of windows over one or two spatial axes",
                                 .kind = OpKind::Composite,
                                 .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { PoolOptions::fields(self.options, visit); }
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

/// Largest element of every window, and where it is.
///
/// Shapes    x [batch, channels, size..] -> values, indices [batch, channels, size'..] as those of MaxPool
/// DTypes    Float; indices are I64 and count within one channel plane
/// Gradient  dy added at the indices
/// Numerics  as MaxPool; the first of equals
/// Errors    as MaxPool
struct MaxPoolWithIndices {
    PoolOptions options;

    static constexpr OpInfo info{.name = "max_pool_with_indices",
                                 .doc = "largest element of windows over one or two spatial axes, and its index",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1,
                                 .outputs = 2,
                                 .saves = Saves::output(1)};
    static void fields(auto& self, FieldVisitor& visit) { PoolOptions::fields(self.options, visit); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Average of every window.
///
/// Shapes    x [batch, channels, size..] with one or two sizes -> y [batch, channels, size'..],
///           size' = (size + 2 padding - kernel) / stride + 1, rounded up with ceil_mode
/// DTypes    Float
/// Gradient  AvgPoolGrad
/// Numerics  f16 and bf16 compute in f32; a window cut by the padded input's end is divided by its part inside
/// Errors    ShapeError when ranks or sizes do not fit; ArgumentError for options that make no sense
struct AvgPool {
    PoolOptions options;

    static constexpr OpInfo info{.name = "avg_pool",
                                 .doc = "average of windows over one or two spatial axes",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { PoolOptions::fields(self.options, visit); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Gradient of AvgPool: every cotangent spread over its window.
///
/// Shapes    dy [batch, channels, size'..] -> dx [batch, channels, size..], `size` as given
struct AvgPoolGrad {
    PoolOptions options;
    Dims size;  ///< spatial sizes of x

    static constexpr OpInfo info{
        .name = "avg_pool_grad", .doc = "gradient of avg_pool", .kind = OpKind::Reduce, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) {
        PoolOptions::fields(self.options, visit);
        visit.structural("size", self.size);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Averages over a grid of nearly equal windows, as many as the result has elements.
///
/// Window i of n over `size` elements is [floor(i * size / n), ceil((i + 1) * size / n)).
///
/// Shapes    x [batch, channels, size..] with one or two sizes -> y [batch, channels, output..]
/// DTypes    Float
/// Gradient  AdaptiveAvgPoolGrad
/// Numerics  f16 and bf16 compute in f32
/// Errors    ShapeError when ranks do not fit, or a size is 0
struct AdaptiveAvgPool {
    Dims output;

    static constexpr OpInfo info{.name = "adaptive_avg_pool",
                                 .doc = "averages over a grid of windows of the asked size",
                                 .kind = OpKind::Reduce,
                                 .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("output", self.output); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

/// Gradient of AdaptiveAvgPool.
///
/// Shapes    dy [batch, channels, output..] -> dx [batch, channels, size..], `size` as given
struct AdaptiveAvgPoolGrad {
    Dims size;  ///< spatial sizes of x

    static constexpr OpInfo info{
        .name = "adaptive_avg_pool_grad", .doc = "gradient of adaptive_avg_pool", .kind = OpKind::Reduce, .inputs = 1};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("size", self.size); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

Handle max_pool(Handle x, const PoolOptions& options);
HandleList max_pool_with_indices(Handle x, const PoolOptions& options);
Handle avg_pool(Handle x, const PoolOptions& options);
Handle adaptive_avg_pool(Handle x, const Dims& output);

}  // namespace burn::ops
