#include <burn/compiler/shared_divisor.h>

#include <limits>

namespace burn::compiler {

using kernel::Reduction;
using kernel::splat;
using kernel::Value;
using kernel::Variable;

namespace {

Value lowest_quotient(const Value& divisor) {
    const Value size = abs(divisor);
    const Value is_moderate = bool_and(greater_equal(size, 0x1p-30), lower_equal(size, 0x1p60));
    kernel::Builder& k = divisor.builder();
    return where(is_moderate, 0x1p-70, k.constant(divisor.dtype(), std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace

SharedDivisor::SharedDivisor(const Value& divisor)
    : divisor_(divisor), reciprocal_(divisor.builder().constant(divisor.dtype(), 1) / divisor),
      lowest_(lowest_quotient(divisor)) {}

Value SharedDivisor::divide(const Value& x) const {
    const std::uint16_t lanes = x.lanes();
    const Value d = splat(divisor_, lanes), z = splat(reciprocal_, lanes), lowest = splat(lowest_, lanes);
    const Value close = x * z;
    const Value quotient = fma(fma(-close, d, x), z, close);
    kernel::Builder& k = x.builder();
    const Variable result = k.variable(quotient);
    // Not for a NaN either.
    const Value is_right = reduce_lanes(greater_equal(abs(quotient), lowest), Reduction::And);
    k.if_then(bool_not(is_right), [&] { result.set(x / d); });
    return result;
}

}  // namespace burn::compiler
