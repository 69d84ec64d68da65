#include <bench/yardstick/case.h>
#include <burn/ops/random.h>

#include <algorithm>
#include <cmath>

namespace burn::bench {

ops::Handle normal(const Place& place, const Shape& shape, DType dtype) {
    return ops::random(place.engine, shape, dtype, Distribution::normal());
}

ops::Handle indices(const Place& place, const Shape& shape, std::int64_t end) {
    return ops::random(place.engine, shape, DType::I64, Distribution::uniform(0, static_cast<double>(end)));
}

TensorData values_of(const ops::Handle& tensor) { return tensor.engine().read(tensor).wait(); }

double bytes_of(const ops::Handle& tensor) {
    return static_cast<double>(tensor.shape().numel()) * static_cast<double>(size_of(tensor.dtype()));
}

void require_close(double actual, double expected, double tolerance, const char* what, std::int64_t index) {
    if (std::fabs(actual - expected) <= tolerance) return;
    Message message;
    message << what << ": element " << index << " is " << actual << ", not " << expected << " (+- " << tolerance << ')';
    throw WrongResult(message.text());
}

void require_shape(const TensorData& data, const Shape& shape) {
    if (data.shape() == shape) return;
    Message message;
    message << "the result has shape " << data.shape() << ", not " << shape;
    throw WrongResult(message.text());
}

std::vector<std::int64_t> some_of(std::int64_t size, std::int64_t count) {
    std::vector<std::int64_t> chosen;
    const std::int64_t steps = std::min(size, count);
    chosen.reserve(static_cast<std::size_t>(steps));
    for (std::int64_t i = 0; i < steps; ++i) chosen.push_back(steps == 1 ? 0 : i * (size - 1) / (steps - 1));
    return chosen;
}

double roundoff(DType dtype) { return dtype == DType::BF16 ? 0x1p-8 : dtype == DType::F16 ? 0x1p-11 : 0x1p-24; }

}  // namespace burn::bench
