#pragma once

#include <burn/core/scalar.h>
#include <burn/ops/handle.h>

namespace burn::ops {

/// A tensor or a number in a pointwise expression on handles: gradients and decompositions are written with it.
///
/// A number takes the scalar form of the operation it meets; two numbers are computed at once.
class Expr {
public:
    Expr(Handle tensor) : tensor_(std::move(tensor)) {}  // NOLINT: both are expressions
    Expr(Scalar number) : number_(number) {}             // NOLINT
    Expr(int number) : number_(number) {}                // NOLINT
    Expr(double number) : number_(number) {}             // NOLINT

    bool is_number() const { return !tensor_; }
    const Handle& tensor() const { return tensor_; }
    Scalar number() const { return number_; }

private:
    Handle tensor_;
    Scalar number_;
};

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
Expr where(const Expr& mask, const Expr& a, const Expr& b);

#define VOCABULARY_1(NAME) Expr NAME(const Expr& a);
#define VOCABULARY_2(NAME) Expr NAME(const Expr& a, const Expr& b);
#include <burn/ops/vocabulary.def>
#undef VOCABULARY_1
#undef VOCABULARY_2

}  // namespace burn::ops
