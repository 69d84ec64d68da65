#pragma once

#include <burn/module/config.h>
#include <burn/module/param.h>

namespace burn::nn {

enum class InitializerKind : std::uint8_t {
    Constant,
    Ones,
    Zeros,
    Uniform,
    Normal,
    KaimingUniform,
    KaimingNormal,
    XavierUniform,
    XavierNormal,
    Orthogonal,
};
BURN_ENUM_NAMES(InitializerKind, Constant, Ones, Zeros, Uniform, Normal, KaimingUniform, KaimingNormal, XavierUniform,
                XavierNormal, Orthogonal)

/// How many inputs an output is made of, and how many outputs an input goes into; 0 where it is not known.
struct Fans {
    std::int64_t in = 0;
    std::int64_t out = 0;
};

/// The first values of a parameter.
///
///   Uniform           in [min, max)
///   Normal            mean, std
///   KaimingUniform    in [-a, a), a = gain sqrt(3 / fan);     KaimingNormal   std = gain / sqrt(fan)
///   XavierUniform     in [-a, a), a = gain sqrt(6 / (in + out));  XavierNormal   std = gain sqrt(2 / (in + out))
///   Orthogonal        gain times a matrix [first axis, other axes] with orthonormal rows or columns, the fewer ones
///
/// The fan of Kaiming is the number of inputs, or of outputs with `fan_out_only`. Random numbers are reserved when the
/// parameter is made, so that values do not depend on which parameter is used first.
///
/// Source    He et al., "Delving deep into rectifiers", 2015; Glorot, Bengio, "Understanding the difficulty of training deep
///           feedforward neural networks", 2010; Saxe et al., "Exact solutions to the nonlinear dynamics of learning", 2014
struct Initializer {
    InitializerKind kind = InitializerKind::Zeros;
    double value = 0;
    double min = 0;
    double max = 1;
    double mean = 0;
    double std = 1;
    double gain = 1;
    bool fan_out_only = false;
    BURN_CONFIG(Initializer, kind, value, min, max, mean, std, gain, fan_out_only)

    static constexpr Initializer constant(double value) { return {.kind = InitializerKind::Constant, .value = value}; }
    static constexpr Initializer ones() { return {.kind = InitializerKind::Ones}; }
    static constexpr Initializer zeros() { return {.kind = InitializerKind::Zeros}; }
    static constexpr Initializer uniform(double min, double max) {
        return {.kind = InitializerKind::Uniform, .min = min, .max = max};
    }
    static constexpr Initializer normal(double mean, double std) {
        return {.kind = InitializerKind::Normal, .mean = mean, .std = std};
    }
    static constexpr Initializer kaiming_uniform(double gain = 1, bool fan_out_only = false) {
        return {.kind = InitializerKind::KaimingUniform, .gain = gain, .fan_out_only = fan_out_only};
    }
    static constexpr Initializer kaiming_normal(double gain = 1, bool fan_out_only = false) {
        return {.kind = InitializerKind::KaimingNormal, .gain = gain, .fan_out_only = fan_out_only};
    }
    static constexpr Initializer xavier_uniform(double gain = 1) {
        return {.kind = InitializerKind::XavierUniform, .gain = gain};
    }
    static constexpr Initializer xavier_normal(double gain = 1) {
        return {.kind = InitializerKind::XavierNormal, .gain = gain};
    }
    static constexpr Initializer orthogonal(double gain = 1) {
        return {.kind = InitializerKind::Orthogonal, .gain = gain};
    }

    /// A parameter that gets its value when it is first used.
    ///
    /// Errors    ArgumentError when the kind needs fans that are not given, or a matrix and the shape has one axis
    template <Backend B, std::size_t D>
    Param<Tensor<B, D>> init(Sizes<D> shape, const Device<B>& device, Fans fans = {}) const {
        return Param<Tensor<B, D>>(
            initial_value(device.engine(), {shape.shape(), device.engine().default_float()}, fans));
    }
    Ref<ParamInitializer> initial_value(ops::Engine& engine, const TensorSpec& spec, Fans fans) const;
};

/// What linear and convolutional layers start from unless told otherwise: uniform within 1 / sqrt(inputs).
inline constexpr Initializer kDefaultInitializer = Initializer::kaiming_uniform(0.57735026918962576451);

}  // namespace burn::nn
