#include <burn/ops/optim.h>

#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>

namespace burn::ops {

BURN_DEFINE_OP(AdamStep)

SpecList AdamStep::infer(std::span<const TensorSpec> inputs) {
    require_float(inputs[0], info.name);
    for (std::size_t i = 1; i < 4; ++i) {
        require_same_dtype(inputs[0], inputs[i], info.name);
        if (inputs[i].shape != inputs[0].shape) {
            raise(ErrorKind::Shape, Message() << "adam_step: operand " << i << " is " << inputs[i].shape
                                              << ", the parameter " << inputs[0].shape << "; expected one shape");
        }
    }
    return {inputs[0], inputs[0], inputs[0]};
}

HandleList AdamStep::decompose(HandleList inputs) const {
    Handle p = std::move(inputs[0]);
    Handle g = std::move(inputs[1]);
    if (kind == WeightDecay::L2 && decay != 0) g = add(std::move(g), mul_scalar(p, decay));
    Handle m = add(mul_scalar(std::move(inputs[2]), beta_1), mul_scalar(g, 1 - beta_1));
    Handle v = add(mul_scalar(std::move(inputs[3]), beta_2), mul_scalar(mul(g, g), 1 - beta_2));
    g = Handle();
    Handle spread = add_scalar(mul_scalar(sqrt(v), 1 / __builtin_sqrt(correction_2)), epsilon);
    Handle step = mul_scalar(div(m, std::move(spread)), rate / correction_1);
    if (kind != WeightDecay::L2 && decay != 0) {
        Handle shrunk = mul_scalar(p, rate * decay);
        if (kind == WeightDecay::Cautious) {
            shrunk = mask_fill(lower_scalar(mul(step, p), 0), std::move(shrunk), 0);
        }
        p = sub(std::move(p), std::move(shrunk));
    }
    return list_of(sub(std::move(p), std::move(step)), std::move(m), std::move(v));
}

}  // namespace burn::ops
