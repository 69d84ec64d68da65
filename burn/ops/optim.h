#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// How weight decay enters a step.
enum class WeightDecay : std::uint8_t {
    L2,         ///< added to the gradient, decay times the parameter
    Decoupled,  ///< the parameter shrinks by rate times decay
    Cautious,   ///< decoupled, where the step and the parameter have one sign
};

/// One step of Adam for one parameter.
///
///   g  = grad + decay p                             (L2 only)
///   m' = beta_1 m + (1 - beta_1) g
///   v' = beta_2 v + (1 - beta_2) g^2
///   u  = (m' / (1 - beta_1^t)) / (sqrt(v' / (1 - beta_2^t)) + epsilon)
///   p' = p - rate decay p [u p >= 0 if cautious] - rate u        (decoupled; L2: p - rate u)
///
/// Shapes    p, grad, m, v of one shape -> p', m', v' of that shape
/// DTypes    Float, one for all
/// Numerics  a backend that runs it whole gives the bits of the decomposition, for f16 and bf16 those of one rounding at the end
/// Memory    in place where p, m and v are given away
/// Errors    ShapeError, DTypeError when operands differ
/// Source    Kingma, Ba, "Adam: a method for stochastic optimization", 2015; Loshchilov, Hutter, "Decoupled weight decay
///           regularization", 2019; Chen et al., "Cautious weight decay", 2025
struct AdamStep {
    double rate = 0;
    double beta_1 = 0.9;
    double beta_2 = 0.999;
    double epsilon = 1e-5;
    double decay = 0;
    double correction_1 = 1;  ///< 1 - beta_1^t
    double correction_2 = 1;  ///< 1 - beta_2^t
    WeightDecay kind = WeightDecay::L2;

    static constexpr OpInfo info{.name = "adam_step",
                                 .doc = "a step of Adam: parameter, gradient and moments to parameter and moments",
                                 .kind = OpKind::Composite,
                                 .inputs = 4,
                                 .outputs = 3};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.runtime("rate", self.rate);
        visit.runtime("beta_1", self.beta_1);
        visit.runtime("beta_2", self.beta_2);
        visit.runtime("epsilon", self.epsilon);
        visit.runtime("decay", self.decay);
        visit.runtime("correction_1", self.correction_1);
        visit.runtime("correction_2", self.correction_2);
        visit.structural("kind", self.kind);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    HandleList decompose(HandleList inputs) const;
};

}  // namespace burn::ops
