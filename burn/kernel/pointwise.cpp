#include <burn/kernel/pointwise.h>

#include <burn/base/error.h>
#include <burn/kernel/builder.h>
#include <burn/ops/pointwise_rules.h>

namespace burn::kernel {

namespace {

using Emit = Value (*)(std::span<const Value> operands, const Value& s, const Value& t);

constexpr Emit kEmit[] = {
#define POINTWISE(NAME, ...)                                                                   \
    [](std::span<const Value> x, const Value& s, const Value& t) {                             \
        const Value none(0);                                                                   \
        return Value(ops::Rule<ops::OpCode::NAME>::forward(x[0], x.size() > 1 ? x[1] : none,   \
                                                           x.size() > 2 ? x[2] : none, s, t)); \
    },
#include <burn/ops/pointwise.def>
#undef POINTWISE
};

}  // namespace

Value emit_pointwise(ops::OpCode code, std::span<const Value> operands, const Value& s, const Value& t) {
    require_internal(ops::is_pointwise(code), "kernel: not a pointwise operation");
    return kEmit[static_cast<std::size_t>(code)](operands, s, t);
}

}  // namespace burn::kernel
