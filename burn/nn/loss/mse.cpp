#include <burn/nn/loss/mse.h>

namespace burn::nn::loss {

ops::Handle squared_error(ops::Handle x, ops::Handle targets) {
    if (x.shape() != targets.shape()) {
        raise(ErrorKind::Shape, Message()
                                    << "MseLoss: shapes differ: x " << x.shape() << ", targets " << targets.shape());
    }
    return ops::square(ops::sub(std::move(x), std::move(targets)));
}

}  // namespace burn::nn::loss
