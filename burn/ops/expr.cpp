#include <burn/ops/expr.h>

#include <burn/base/error.h>
#include <burn/ops/functions.h>
#include <burn/ops/num.h>

namespace burn::ops {

namespace {

[[noreturn]] void no_form(const char* name) {
    raise(ErrorKind::Internal, Message() << name << ": an expression on handles has no form for these operands");
}

Num<double> num(const Expr& a) { return a.number().to<double>(); }

/// Applies a commutative or mirrored pair of scalar forms where one side is a number.
template <class Tensors, class RightNumber, class LeftNumber, class Numbers>
Expr combine(const Expr& a, const Expr& b, Tensors tensors, RightNumber right, LeftNumber left, Numbers numbers) {
    if (a.is_number()) return b.is_number() ? Expr(numbers()) : left(a.number(), b.tensor());
    return b.is_number() ? right(a.tensor(), b.number()) : tensors(a.tensor(), b.tensor());
}

/// A comparison or other function whose mirrored scalar form is `left`.
#define BURN_EXPR_BINARY(DECLARATION, TENSORS, RIGHT, LEFT, NUMBERS)                                          \
    Expr DECLARATION(const Expr& a, const Expr& b) {                                                          \
        return combine(                                                                                       \
            a, b, [](const Handle& x, const Handle& y) -> Expr { return TENSORS; },                           \
            [](const Handle& x, Scalar n) -> Expr { return RIGHT; },                                          \
            [](Scalar n, const Handle& x) -> Expr { return LEFT; }, [&] { return Scalar((NUMBERS).value); }); \
    }

}  // namespace

BURN_EXPR_BINARY(operator+, add(x, y), add_scalar(x, n), add_scalar(x, n), num(a) + num(b))
BURN_EXPR_BINARY(operator-, sub(x, y), sub_scalar(x, n), sub_from_scalar(x, n), num(a) - num(b))
BURN_EXPR_BINARY(operator*, mul(x, y), mul_scalar(x, n), mul_scalar(x, n), num(a) * num(b))
BURN_EXPR_BINARY(operator/, div(x, y), div_scalar(x, n), div_into_scalar(x, n), num(a) / num(b))
BURN_EXPR_BINARY(equal, equal(x, y), equal_scalar(x, n), equal_scalar(x, n), equal(num(a), num(b)))
BURN_EXPR_BINARY(not_equal, not_equal(x, y), not_equal_scalar(x, n), not_equal_scalar(x, n), not_equal(num(a), num(b)))
BURN_EXPR_BINARY(greater, greater(x, y), greater_scalar(x, n), lower_scalar(x, n), greater(num(a), num(b)))
BURN_EXPR_BINARY(greater_equal, greater_equal(x, y), greater_equal_scalar(x, n), lower_equal_scalar(x, n),
                 greater_equal(num(a), num(b)))
BURN_EXPR_BINARY(lower, lower(x, y), lower_scalar(x, n), greater_scalar(x, n), lower(num(a), num(b)))
BURN_EXPR_BINARY(lower_equal, lower_equal(x, y), lower_equal_scalar(x, n), greater_equal_scalar(x, n),
                 lower_equal(num(a), num(b)))
BURN_EXPR_BINARY(max_pair, max_pair(x, y), clamp_min(x, n), clamp_min(x, n), max_pair(num(a), num(b)))
BURN_EXPR_BINARY(min_pair, min_pair(x, y), clamp_max(x, n), clamp_max(x, n), min_pair(num(a), num(b)))

#define BURN_EXPR_TENSORS_AND_RIGHT(NAME)                                                            \
    Expr NAME(const Expr& a, const Expr& b) {                                                        \
        if (a.is_number()) no_form(#NAME);                                                           \
        return b.is_number() ? NAME##_scalar(a.tensor(), b.number()) : NAME(a.tensor(), b.tensor()); \
    }
BURN_EXPR_TENSORS_AND_RIGHT(powf)
BURN_EXPR_TENSORS_AND_RIGHT(powi)
BURN_EXPR_TENSORS_AND_RIGHT(fmod)
BURN_EXPR_TENSORS_AND_RIGHT(remainder)
BURN_EXPR_TENSORS_AND_RIGHT(bitwise_and)
BURN_EXPR_TENSORS_AND_RIGHT(bitwise_or)
BURN_EXPR_TENSORS_AND_RIGHT(bitwise_xor)
BURN_EXPR_TENSORS_AND_RIGHT(bitwise_left_shift)
BURN_EXPR_TENSORS_AND_RIGHT(bitwise_right_shift)

#define BURN_EXPR_TENSORS(NAME)                             \
    Expr NAME(const Expr& a, const Expr& b) {               \
        if (a.is_number() || b.is_number()) no_form(#NAME); \
        return NAME(a.tensor(), b.tensor());                \
    }
BURN_EXPR_TENSORS(atan2)
BURN_EXPR_TENSORS(hypot)

/// Truth values: a number is a constant that decides, or drops out.
Expr bool_and(const Expr& a, const Expr& b) {
    if (a.is_number()) return a.number().to<bool>() ? b : a;
    if (b.is_number()) return b.number().to<bool>() ? a : b;
    return bool_and(a.tensor(), b.tensor());
}
Expr bool_or(const Expr& a, const Expr& b) {
    if (a.is_number()) return a.number().to<bool>() ? a : b;
    if (b.is_number()) return b.number().to<bool>() ? b : a;
    return bool_or(a.tensor(), b.tensor());
}
BURN_EXPR_TENSORS(bool_xor)

Expr operator-(const Expr& a) { return a.is_number() ? Expr(Scalar((-num(a)).value)) : Expr(neg(a.tensor())); }

Expr where(const Expr& mask, const Expr& a, const Expr& b) {
    if (mask.is_number()) return mask.number().to<bool>() ? a : b;
    if (a.is_number() && b.is_number()) no_form("where");
    if (a.is_number()) return mask_fill(mask.tensor(), b.tensor(), a.number());
    if (b.is_number()) return mask_fill(bool_not(mask.tensor()), a.tensor(), b.number());
    return where(mask.tensor(), a.tensor(), b.tensor());
}

#define BURN_EXPR_FLOAT(NAME) \
    Expr NAME(const Expr& a) { return a.is_number() ? Expr(Scalar(NAME(num(a)).value)) : Expr(NAME(a.tensor())); }
BURN_EXPR_FLOAT(exp)
BURN_EXPR_FLOAT(expm1)
BURN_EXPR_FLOAT(log)
BURN_EXPR_FLOAT(log1p)
BURN_EXPR_FLOAT(sqrt)
BURN_EXPR_FLOAT(sin)
BURN_EXPR_FLOAT(cos)
BURN_EXPR_FLOAT(tan)
BURN_EXPR_FLOAT(asin)
BURN_EXPR_FLOAT(acos)
BURN_EXPR_FLOAT(atan)
BURN_EXPR_FLOAT(sinh)
BURN_EXPR_FLOAT(cosh)
BURN_EXPR_FLOAT(tanh)
BURN_EXPR_FLOAT(asinh)
BURN_EXPR_FLOAT(acosh)
BURN_EXPR_FLOAT(atanh)
BURN_EXPR_FLOAT(erf)
BURN_EXPR_FLOAT(floor)
BURN_EXPR_FLOAT(ceil)
BURN_EXPR_FLOAT(trunc)
BURN_EXPR_FLOAT(round)
BURN_EXPR_FLOAT(abs)
BURN_EXPR_FLOAT(sign)
BURN_EXPR_FLOAT(is_nan)
BURN_EXPR_FLOAT(is_inf)
BURN_EXPR_FLOAT(is_finite)

#define BURN_EXPR_TENSOR(NAME)             \
    Expr NAME(const Expr& a) {             \
        if (a.is_number()) no_form(#NAME); \
        return NAME(a.tensor());           \
    }
BURN_EXPR_TENSOR(bitwise_not)
BURN_EXPR_TENSOR(bool_not)

}  // namespace burn::ops
