#pragma once

#include <burn/core/scalar.h>
#include <burn/kernel/node.h>

namespace burn::kernel {

class Builder;

/// A value of the kernel being built, or a number that takes the type of the value it meets.
///
/// The pointwise table of burn/ops is instantiated for it, so a kernel is written with the words of pointwise expressions.
/// An element meets a vector as a vector; element types never mix.
///
/// Errors    DTypeError or ArgumentError, at the expression that does not fit
/// Example   y.store(i, exp(x.load(i, 8)) * 0.5)
class Value {
public:
    Value(int number) : number_(number) {}           // NOLINT: numbers are values
    Value(std::int64_t number) : number_(number) {}  // NOLINT
    Value(double number) : number_(number) {}        // NOLINT
    Value(Scalar number) : number_(number) {}        // NOLINT
    Value(Builder& builder, NodeId id) : builder_(&builder), id_(id) {}

    bool is_number() const { return builder_ == nullptr; }
    Scalar number() const { return number_; }
    Builder& builder() const;
    NodeId id() const { return id_; }
    Type type() const;
    DType dtype() const { return type().dtype; }
    std::uint16_t lanes() const { return type().lanes; }

private:
    Builder* builder_ = nullptr;
    NodeId id_ = 0;
    Scalar number_;
};

Value operator+(const Value& a, const Value& b);
Value operator-(const Value& a, const Value& b);
Value operator*(const Value& a, const Value& b);
Value operator/(const Value& a, const Value& b);
Value operator-(const Value& a);
Value where(const Value& mask, const Value& a, const Value& b);

#define VOCABULARY_1(NAME) Value NAME(const Value& a);
#define VOCABULARY_2(NAME) Value NAME(const Value& a, const Value& b);
#include <burn/ops/vocabulary.def>
#undef VOCABULARY_1
#undef VOCABULARY_2

/// a * b + c, rounded once.
Value fma(const Value& a, const Value& b, const Value& c);
/// Probability of a standard normal number below a.
Value normal_cdf(const Value& a);
/// What is left of a / b truncated; for indices, which are not negative, the remainder.
Value rem(const Value& a, const Value& b);
Value cast(const Value& a, DType dtype);
Value bitcast(const Value& a, DType dtype);
/// One element in every lane; a vector of `lanes` lanes stays as it is.
Value splat(const Value& a, std::uint16_t lanes);
Value extract(const Value& a, std::uint16_t lane);
/// The lanes of a and b in turn: a0 b0 a1 b1 ...
Value interleave(const Value& a, const Value& b);
/// All lanes combined into one element; an element stays as it is.
Value reduce_lanes(const Value& a, Reduction reduction);
/// a and b combined.
Value combine(Reduction reduction, const Value& a, const Value& b);

}  // namespace burn::kernel
