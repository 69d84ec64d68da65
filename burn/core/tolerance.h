#pragma once

#include <burn/core/tensor_data.h>

namespace burn {

/// How far two numbers may lie apart and still count as equal.
///
///   |x - y| < max(absolute, relative max(|x|, |y|))
///
/// Equal numbers always pass, so does NaN beside NaN and an infinity beside the same infinity.
///
/// Example   assert_approx_eq(got, expected, Tolerance::rel_abs(1e-4, 1e-6).set_half_precision_relative(1e-2))
class Tolerance {
public:
    /// `balanced`.
    constexpr Tolerance() = default;
    /// Relative 0, absolute 64 times the smallest normal number of the dtype.
    static constexpr Tolerance strict() { return {0, 0, 64}; }
    /// Relative 0.5 %, absolute 1e-5.
    static constexpr Tolerance balanced() { return {}; }
    /// Relative 1 %, absolute 0.01.
    static constexpr Tolerance permissive() { return {0.01, 0.01, 0}; }
    static constexpr Tolerance rel_abs(double relative, double absolute) { return {relative, absolute, 0}; }
    static constexpr Tolerance relative(double relative) { return {relative, 0, 0}; }
    static constexpr Tolerance absolute(double absolute) { return {0, absolute, 0}; }

    // ---- other bounds for f16 and bf16 (half), f32 (single) or f64 (double)
    constexpr Tolerance& set_half_precision_relative(double value) { return set(relatives_[0], value); }
    constexpr Tolerance& set_half_precision_absolute(double value) { return set(absolutes_[0], value); }
    constexpr Tolerance& set_single_precision_relative(double value) { return set(relatives_[1], value); }
    constexpr Tolerance& set_single_precision_absolute(double value) { return set(absolutes_[1], value); }
    constexpr Tolerance& set_double_precision_relative(double value) { return set(relatives_[2], value); }
    constexpr Tolerance& set_double_precision_absolute(double value) { return set(absolutes_[2], value); }

    /// The bounds for numbers of a Float type.
    double relative_for(DType dtype) const;
    double absolute_for(DType dtype) const;
    /// Whether two numbers of a Float type are close enough.
    bool accepts(double x, double y, DType dtype) const;

private:
    static constexpr double kUnset = -1;

    constexpr Tolerance(double relative, double absolute, double smallest_normals)
        : relative_(relative), absolute_(absolute), smallest_normals_(smallest_normals) {}
    constexpr Tolerance& set(double& bound, double value) {
        bound = value;
        return *this;
    }

    double relative_ = 0.005;
    double absolute_ = 1e-5;
    double smallest_normals_ = 0;  ///< added to the absolute bound, in units of the dtype's smallest normal number
    double relatives_[3] = {kUnset, kUnset, kUnset};
    double absolutes_[3] = {kUnset, kUnset, kUnset};
};

/// Raises unless shapes and values are equal; `strict` compares dtypes too, otherwise only the numbers count. NaN equals NaN.
///
/// Errors    ShapeError, DTypeError; ArgumentError that counts the differing elements and lists the first of them
void assert_eq(const TensorData& got, const TensorData& expected, bool strict = true);

/// Raises unless shapes are equal and all elements close enough; where dtypes differ, in the coarser of the two. Elements of
/// Int and Bool must be equal.
///
/// Errors    ShapeError; DTypeError when the kinds differ; ArgumentError that counts the differing elements and lists the worst
void assert_approx_eq(const TensorData& got, const TensorData& expected, const Tolerance& tolerance = {});

/// Raises unless all elements lie in [low, high), or in [low, high]. NaN never does.
///
/// Errors    ArgumentError naming the first element that does not
void assert_within_range(const TensorData& data, double low, double high);
void assert_within_range_inclusive(const TensorData& data, double low, double high);

}  // namespace burn
