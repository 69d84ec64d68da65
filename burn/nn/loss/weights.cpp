#include <burn/nn/loss/weights.h>

namespace burn::nn::loss {

TensorData weights_data(const char* loss, const std::optional<SmallVector<double, 1>>& weights) {
    if (!weights) return {};
    TensorData data(Shape{static_cast<std::int64_t>(weights->size())}, DType::F64);
    for (std::size_t i = 0; i < weights->size(); ++i) {
        const double weight = (*weights)[i];
        if (!(weight > 0)) {
            raise(ErrorKind::Argument,
                  Message() << loss << ": weight " << i << " is " << weight << "; expected a positive number");
        }
        data.mutable_values<double>()[i] = weight;
    }
    return data;
}

}  // namespace burn::nn::loss
