#include <burn/kernel/value.h>

#include <burn/base/error.h>
#include <burn/kernel/builder.h>

#include <limits>

namespace burn::kernel {

Builder& Value::builder() const {
    if (builder_ == nullptr)
        raise(ErrorKind::Argument, Message() << "kernel: a number alone has no type; write k.constant(dtype, number)");
    return *builder_;
}

Type Value::type() const { return builder().kernel()[id_].type; }

namespace {

/// The builder of the first that is more than a number.
template <class... Values>
Builder& builder_of(const Value& first, const Values&... others) {
    if constexpr (sizeof...(others) > 0) {
        return first.is_number() ? builder_of(others...) : first.builder();
    } else {
        return first.builder();
    }
}

/// The type that two operands meet in: that of the value, with the lanes of the wider.
Type common_type(const Value& a, const Value& b) {
    if (a.is_number()) return b.type();
    if (b.is_number()) return a.type();
    return a.lanes() >= b.lanes() ? a.type() : b.type().with_dtype(a.dtype());
}

Value unary(NodeKind kind, const Value& a) { return a.builder().emit(kind, {a}); }

Value binary(NodeKind kind, const Value& a, const Value& b) {
    Builder& k = builder_of(a, b);
    const Type type = common_type(a, b);
    return k.emit(kind, {k.as(a, type), k.as(b, type)});
}

bool is_floating(const Value& a) { return is_float(a.dtype()); }
Value typed(const Value& a, const Value& b) { return a.is_number() ? b.builder().as(a, b.type()) : a; }

}  // namespace

Value operator+(const Value& a, const Value& b) { return binary(NodeKind::Add, a, b); }
Value operator-(const Value& a, const Value& b) { return binary(NodeKind::Sub, a, b); }
Value operator*(const Value& a, const Value& b) { return binary(NodeKind::Mul, a, b); }
Value operator/(const Value& a, const Value& b) { return binary(NodeKind::Div, a, b); }
Value operator-(const Value& a) { return unary(NodeKind::Neg, a); }

Value where(const Value& mask, const Value& a, const Value& b) {
    Builder& k = mask.builder();
    Type type = common_type(a, b);
    if (type.lanes < mask.lanes()) type.lanes = mask.lanes();
    return k.emit(NodeKind::Select, {k.as(mask, {DType::Bool, type.lanes}), k.as(a, type), k.as(b, type)});
}

#define BURN_UNARY(NAME, KIND) \
    Value NAME(const Value& a) { return unary(NodeKind::KIND, a); }
BURN_UNARY(exp, Exp)
BURN_UNARY(expm1, Expm1)
BURN_UNARY(log, Log)
BURN_UNARY(log1p, Log1p)
BURN_UNARY(sqrt, Sqrt)
BURN_UNARY(sin, Sin)
BURN_UNARY(cos, Cos)
BURN_UNARY(tan, Tan)
BURN_UNARY(asin, Asin)
BURN_UNARY(acos, Acos)
BURN_UNARY(atan, Atan)
BURN_UNARY(sinh, Sinh)
BURN_UNARY(cosh, Cosh)
BURN_UNARY(tanh, Tanh)
BURN_UNARY(asinh, Asinh)
BURN_UNARY(acosh, Acosh)
BURN_UNARY(atanh, Atanh)
BURN_UNARY(erf, Erf)
BURN_UNARY(normal_cdf, NormalCdf)
BURN_UNARY(floor, Floor)
BURN_UNARY(ceil, Ceil)
BURN_UNARY(trunc, Trunc)
BURN_UNARY(round, Round)
BURN_UNARY(abs, Abs)
BURN_UNARY(bitwise_not, Not)
BURN_UNARY(bool_not, Not)
#undef BURN_UNARY

#define BURN_BINARY(NAME, KIND) \
    Value NAME(const Value& a, const Value& b) { return binary(NodeKind::KIND, a, b); }
BURN_BINARY(powf, Pow)
BURN_BINARY(atan2, Atan2)
BURN_BINARY(hypot, Hypot)
BURN_BINARY(fmod, Rem)
BURN_BINARY(rem, Rem)
BURN_BINARY(max_pair, Max)
BURN_BINARY(min_pair, Min)
BURN_BINARY(equal, Eq)
BURN_BINARY(not_equal, Ne)
BURN_BINARY(greater, Gt)
BURN_BINARY(greater_equal, Ge)
BURN_BINARY(lower, Lt)
BURN_BINARY(lower_equal, Le)
BURN_BINARY(bitwise_and, And)
BURN_BINARY(bitwise_or, Or)
BURN_BINARY(bitwise_xor, Xor)
BURN_BINARY(bool_and, And)
BURN_BINARY(bool_or, Or)
BURN_BINARY(bool_xor, Xor)
#undef BURN_BINARY

// ---- what Num says with branches (burn/ops/num.h), said with selects

Value is_nan(const Value& a) { return not_equal(a, a); }
Value is_inf(const Value& a) { return equal(abs(a), std::numeric_limits<double>::infinity()); }
Value is_finite(const Value& a) { return equal(a - a, 0); }

Value sign(const Value& a) {
    const Value ones = where(greater(a, 0), Value(1), where(lower(a, 0), typed(-1, a), typed(0, a)));
    return is_floating(a) ? where(is_nan(a), a, ones) : ones;
}

Value remainder(const Value& a, const Value& b) {
    const Value left = rem(a, b), divisor = typed(b, left);
    const Value other_sign = bool_xor(lower(left, 0), lower(divisor, 0));
    return where(bool_and(not_equal(left, 0), other_sign), left + divisor, left);
}

Value powi(const Value& a, const Value& b) {
    const Type type = common_type(a, b);
    Builder& k = builder_of(a, b);
    const Value base = k.as(a, type), exponent = k.as(b, type);
    const Variable result = k.variable(type, 1), power = k.variable(base), left = k.variable(exponent);
    k.for_loop(0, static_cast<std::int64_t>(size_of(type.dtype) * 8), 1, [&](Value) {
        const Value odd = not_equal(bitwise_and(left, 1), 0);
        result = where(odd, result.get() * power.get(), result.get());
        power = power.get() * power.get();
        left = k.emit(NodeKind::Shr, {left.get(), k.constant(type.dtype, 1, type.lanes)});
    });
    if (is_unsigned(type.dtype)) return result;
    const Value odd = not_equal(bitwise_and(exponent, 1), 0);
    const Value inverse =
        where(equal(base, 1), Value(1), where(equal(base, -1), where(odd, base, Value(1)), Value(0) * base));
    return where(lower(exponent, 0), inverse, result);
}

namespace {

/// Shifts by less than 0 or by the width and more give `beyond`.
Value shift(NodeKind kind, const Value& a, const Value& b, const Value& beyond) {
    const Value amount = typed(b, a), value = typed(a, amount);
    const auto width = static_cast<std::int64_t>(size_of(value.dtype()) * 8);
    const Value fits = bool_and(greater_equal(amount, 0), lower(amount, width));
    return where(fits, binary(kind, value, where(fits, amount, 0)), beyond);
}

}  // namespace

Value bitwise_left_shift(const Value& a, const Value& b) { return shift(NodeKind::Shl, a, b, typed(a, b) * 0); }
Value bitwise_right_shift(const Value& a, const Value& b) {
    const Value value = typed(a, b);
    return shift(NodeKind::Shr, value, b, where(lower(value, 0), typed(-1, value), typed(0, value)));
}

Value fma(const Value& a, const Value& b, const Value& c) {
    Builder& k = builder_of(a, b, c);
    Type type = builder_of(a, b, c).kernel()[(a.is_number() ? (b.is_number() ? c : b) : a).id()].type;
    for (const Value* value : {&a, &b, &c}) {
        if (!value->is_number() && value->lanes() > type.lanes) type.lanes = value->lanes();
    }
    return k.emit(NodeKind::Fma, {k.as(a, type), k.as(b, type), k.as(c, type)});
}

namespace {

/// Whether a type of floating-point numbers holds all those of another.
bool holds_all(DType wide, DType narrow) {
    return is_float(wide) && is_float(narrow) && size_of(wide) > size_of(narrow);
}

}  // namespace

Value cast(const Value& a, DType dtype) {
    if (a.dtype() == dtype) return a;
    // What was widened has the digits that it had.
    const Node& node = a.builder().kernel()[a.id()];
    if (node.kind == NodeKind::Cast && holds_all(a.dtype(), dtype)) {
        const Value before(a.builder(), node.operands[0]);
        if (before.dtype() == dtype) return before;
    }
    return a.builder().emit(NodeKind::Cast, {a}, 0, a.type().with_dtype(dtype));
}

Value bitcast(const Value& a, DType dtype) {
    return a.builder().emit(NodeKind::Bitcast, {a}, 0, a.type().with_dtype(dtype));
}

Value splat(const Value& a, std::uint16_t lanes) {
    if (a.lanes() == lanes) return a;
    return a.builder().emit(NodeKind::Splat, {a}, 0, a.type().with_lanes(lanes));
}

Value extract(const Value& a, std::uint16_t lane) {
    return a.lanes() == 1 && lane == 0 ? a : a.builder().emit(NodeKind::Extract, {a}, lane);
}

Value interleave(const Value& a, const Value& b) { return a.builder().emit(NodeKind::Interleave, {a, b}); }

Value reduce_lanes(const Value& a, Reduction reduction) {
    if (!a.type().is_vector()) return a;
    return a.builder().emit(NodeKind::ReduceLanes, {a}, static_cast<std::uint64_t>(reduction));
}

Value combine(Reduction reduction, const Value& a, const Value& b) {
    switch (reduction) {
        case Reduction::Sum: return a + b;
        case Reduction::Prod: return a * b;
        case Reduction::Min: return min_pair(a, b);
        case Reduction::Max: return max_pair(a, b);
        case Reduction::And: return bitwise_and(a, b);
        case Reduction::Or: return bitwise_or(a, b);
    }
    return a;
}

}  // namespace burn::kernel
