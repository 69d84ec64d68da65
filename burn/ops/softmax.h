#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// Softmax along an axis.
///
///   y_i = exp(x_i - m) / sum over j of exp(x_j - m),  m = max x
///
/// DTypes    Float
/// Gradient  dx = y * (dy - sum of y * dy)
/// Numerics  never overflows; f16 and bf16 compute in f32. With `quiet` the denominator has exp(-m) besides (m at least 0):
///           a row of very low values gives zeros instead of a distribution
/// Errors    DTypeError unless Float; IndexError when the axis is out of range
struct Softmax {
    std::int64_t axis = -1;
    bool quiet = false;

    static constexpr OpInfo info{.name = "softmax",
                                 .doc = "exponentials along an axis, divided by their sum",
                                 .kind = OpKind::Composite,
                                 .inputs = 1,
                                 .saves = Saves::output()};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("axis", self.axis);
        visit.structural("quiet", self.quiet);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

/// Gradient of Softmax from its result y and cotangent dy.
///
///   dx = y * (dy - sum of y * dy)
struct SoftmaxGrad {
    std::int64_t axis = -1;

    static constexpr OpInfo info{
        .name = "softmax_grad", .doc = "gradient of softmax from its result", .kind = OpKind::Composite, .inputs = 2};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

/// Logarithm of the softmax along an axis.
///
///   y_i = (x_i - m) - log(sum over j of exp(x_j - m)),  m = max x
///
/// DTypes    Float
/// Gradient  dx = dy - exp(y) * sum of dy
/// Numerics  exact for huge values; f16 and bf16 compute in f32
/// Errors    as softmax
struct LogSoftmax {
    std::int64_t axis = -1;

    static constexpr OpInfo info{.name = "log_softmax",
                                 .doc = "logarithm of the softmax along an axis",
                                 .kind = OpKind::Composite,
                                 .inputs = 1,
                                 .saves = Saves::output()};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
    HandleList decompose(HandleList inputs) const;
};

/// Gradient of LogSoftmax from its result y and cotangent dy.
///
///   dx = dy - exp(y) * sum of dy
struct LogSoftmaxGrad {
    std::int64_t axis = -1;

    static constexpr OpInfo info{.name = "log_softmax_grad",
                                 .doc = "gradient of log_softmax from its result",
                                 .kind = OpKind::Composite,
                                 .inputs = 2};
    static void fields(auto& self, FieldVisitor& visit) { visit.structural("axis", self.axis); }
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

Handle softmax(Handle x, std::int64_t axis);
/// Softmax with one more in the denominator: "attend to nothing" is possible.
Handle quiet_softmax(Handle x, std::int64_t axis);
Handle log_softmax(Handle x, std::int64_t axis);
/// Softmax of -x.
Handle softmin(Handle x, std::int64_t axis);

}  // namespace burn::ops
