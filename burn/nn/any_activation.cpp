#include <burn/nn/any_activation.h>

namespace burn::nn::detail {

void check_activation(const ActivationConfig& config) {
    if (config.kind == ActivationKind::SwiGlu && !config.swi_glu) {
        raise(ErrorKind::Argument, Message() << "Activation: SwiGlu has no options; expected swi_glu to be set");
    }
}

ops::Handle activate(ops::Handle x, const ActivationConfig& config) {
    switch (config.kind) {
        case ActivationKind::Gelu: return ops::gelu(std::move(x));
        case ActivationKind::GeluApproximate: return ops::gelu_approximate(std::move(x));
        case ActivationKind::Relu: return ops::relu(std::move(x));
        case ActivationKind::LeakyRelu: return ops::leaky_relu(std::move(x), config.slope);
        case ActivationKind::Selu: return ops::selu(std::move(x));
        case ActivationKind::Sigmoid: return ops::sigmoid(std::move(x));
        case ActivationKind::Tanh: return ops::tanh(std::move(x));
        case ActivationKind::HardSigmoid:
            return ops::hard_sigmoid(std::move(x), config.hard_sigmoid.alpha, config.hard_sigmoid.beta);
        case ActivationKind::HardSwish: return ops::hard_swish(std::move(x));
        case ActivationKind::Softplus: return ops::softplus(std::move(x), config.beta);
        case ActivationKind::Softsign: return ops::softsign(std::move(x));
        case ActivationKind::Elu: return ops::elu(std::move(x), config.alpha);
        case ActivationKind::Celu: return ops::celu(std::move(x), config.alpha);
        case ActivationKind::ThresholdedRelu: return ops::threshold(std::move(x), config.alpha, 0);
        case ActivationKind::HardShrink: return ops::shrink(std::move(x), config.lambda, 0);
        case ActivationKind::SoftShrink: return ops::shrink(std::move(x), config.lambda, config.lambda);
        case ActivationKind::Shrink: return ops::shrink(std::move(x), config.lambda, config.bias);
        case ActivationKind::Identity:
        case ActivationKind::PRelu:
        case ActivationKind::SwiGlu: break;
    }
    return x;
}

}  // namespace burn::nn::detail
