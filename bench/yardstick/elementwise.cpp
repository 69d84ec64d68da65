// Cases that read and write every element once: copies, chains of pointwise operations, random numbers.
#include <bench/yardstick/case.h>
#include <burn/ops/functions.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

#include <cmath>
#include <memory>

namespace burn::bench {

namespace {

using ops::Handle;
using ops::list_of;

Workload copy(const Place& place) {
    const std::int64_t n = place.size(2048, 40);
    Handle x = normal(place, {n, n});
    // The old values are given away, so that the copy goes into their memory.
    auto y = std::make_shared<Handle>(normal(place, {n, n}));
    Workload work;
    work.bytes = 2 * bytes_of(x);
    work.run = [x, y] {
        *y = ops::slice_assign(std::move(*y), {}, x);
        return list_of(*y);
    };
    work.check = [x, n](const ops::HandleList& results) {
        const TensorData expected = values_of(x), actual = values_of(results[0]);
        require_shape(actual, {n, n});
        for (const std::int64_t i : some_of(n * n, 5000)) require_close(actual.at(i), expected.at(i), 0, "copy", i);
    };
    return work;
}

double gelu(double x) { return x * 0.5 * (1 + std::erf(x * std::sqrt(0.5))); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Workload chain(const Place& place, DType dtype) {
    const std::int64_t n = place.size(2048, 40);
    const Handle x = normal(place, {n, n}, dtype), w = normal(place, {1, n}, dtype), b = normal(place, {1, n}, dtype),
                 y = normal(place, {n, n}, dtype);
    Workload work;
    work.bytes = 3 * bytes_of(x);
    work.transcendentals = 2.0 * static_cast<double>(n * n);
    work.run = [=] { return list_of(ops::add(ops::mul(ops::gelu(ops::add(ops::mul(x, w), b)), y), ops::sigmoid(x))); };
    work.check = [=](const ops::HandleList& results) {
        const TensorData xs = values_of(x), ws = values_of(w), bs = values_of(b), ys = values_of(y);
        const TensorData actual = values_of(results[0]);
        require_shape(actual, {n, n});
        for (const std::int64_t i : some_of(n * n, 5000)) {
            const double product = xs.at(i) * ws.at(i % n), inner = product + bs.at(i % n);
            const double outer = gelu(inner) * ys.at(i);
            // Each operation rounds; gelu's slope is at most 1.13.
            const double magnitude = 1 + (std::fabs(product) + std::fabs(inner)) * std::fabs(ys.at(i)) * 2;
            require_close(actual.at(i), outer + sigmoid(xs.at(i)), 8 * roundoff(dtype) * magnitude, "chain", i);
        }
    };
    return work;
}

Workload transpose(const Place& place) {
    const std::int64_t n = place.size(2048, 40);
    const Handle x = normal(place, {n, n});
    Workload work;
    work.bytes = 2 * bytes_of(x);
    // A transpose is a view; one axis less makes it a copy in row-major order.
    work.run = [=] { return list_of(ops::reshape(ops::swap_dims(x, 0, 1), {n * n})); };
    work.check = [=](const ops::HandleList& results) {
        const TensorData expected = values_of(x), actual = values_of(results[0]);
        require_shape(actual, {n * n});
        for (const std::int64_t i : some_of(n * n, 5000)) {
            require_close(actual.at(i), expected.at(i % n * n + i / n), 0, "transpose", i);
        }
    };
    return work;
}

Workload random_normal(const Place& place) {
    const std::int64_t n = place.size(2048, 100);
    Workload work;
    work.bytes = 4.0 * static_cast<double>(n * n);
    work.transcendentals = 1.5 * static_cast<double>(n * n);  // a logarithm, a sine and a cosine for two numbers
    work.run = [=] { return list_of(normal(place, {n, n})); };
    work.check = [=](const ops::HandleList& results) {
        const TensorData data = values_of(results[0]);
        require_shape(data, {n, n});
        const double count = static_cast<double>(n * n);
        double first = 0, second = 0, fourth = 0, product = 0;
        for (std::int64_t i = 0; i < n * n; ++i) {
            const double value = data.at(i);
            first += value, second += value * value, fourth += value * value * value * value;
            product += value * data.at((i + 1) % (n * n));
        }
        // Moments 0, 1, 3 and no correlation of neighbours, within six standard deviations of the estimates.
        const double sigma = 6 / std::sqrt(count);
        require_close(first / count, 0, sigma, "mean", 0);
        require_close(second / count, 1, sigma * std::sqrt(2.0), "second moment", 0);
        require_close(fourth / count, 3, sigma * std::sqrt(96.0), "fourth moment", 0);
        require_close(product / count, 0, sigma, "correlation", 0);
    };
    return work;
}

}  // namespace

void add_elementwise_cases(CaseList& cases) {
    cases.push_back({"copy.f32", copy, "slice_assign of the whole tensor"});
    cases.push_back({"elementwise.chain.f32", [](const Place& place) { return chain(place, DType::F32); }});
    cases.push_back({"elementwise.chain.bf16", [](const Place& place) { return chain(place, DType::BF16); }});
    cases.push_back({"transpose.copy.f32", transpose, "reshape of the transposed view"});
    cases.push_back({"random.normal.f32", random_normal});
}

}  // namespace burn::bench
