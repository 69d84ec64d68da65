#include <burn/optim/weight_decay.h>

#include <burn/base/error.h>
#include <burn/ops/functions.h>

namespace burn::optim {

ops::Handle add_weight_decay(ops::Handle gradient, const ops::Handle& param, const std::optional<double>& penalty) {
    if (!penalty || *penalty == 0) return gradient;
    return ops::add(std::move(gradient), ops::mul_scalar(param, *penalty));
}

void require_fraction(const char* optimizer, const char* name, double value) {
    if (value >= 0 && value < 1) return;
    raise(ErrorKind::Argument,
          Message() << optimizer << ": " << name << " is " << value << "; expected 0 <= " << name << " < 1");
}

void require_not_negative(const char* optimizer, const char* name, double value) {
    if (value >= 0 && value - value == 0) return;
    raise(ErrorKind::Argument,
          Message() << optimizer << ": " << name << " is " << value << "; expected a finite number of at least 0");
}

}  // namespace burn::optim
