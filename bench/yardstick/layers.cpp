// Layers of more than one operation: a linear layer with its activation, attention.
#include <bench/yardstick/case.h>
#include <burn/ops/attention.h>
#include <burn/ops/functions.h>
#include <burn/ops/linear.h>
#include <burn/ops/movement.h>

#include <cmath>

namespace burn::bench {

namespace {

using ops::Handle;

Workload linear_gelu(const Place& place) {
    const std::int64_t rows = place.size(512, 20), in = place.size(1024, 30), out = place.size(1024, 40);
    const Handle x = normal(place, {rows, in}), w = normal(place, {out, in}), b = normal(place, {out});
    Workload work;
    work.bytes = bytes_of(x) + bytes_of(w) + 4.0 * static_cast<double>(rows * out);
    work.operations = 2.0 * static_cast<double>(rows * in * out);
    work.transcendentals = static_cast<double>(rows * out);
    work.run = [=] { return ops::list_of(ops::gelu_approximate(ops::linear(x, ops::swap_dims(w, 0, 1), b))); };
    work.check = [=](const ops::HandleList& results) {
        const TensorData xs = values_of(x), ws = values_of(w), bs = values_of(b), actual = values_of(results[0]);
        require_shape(actual, {rows, out});
        for (const std::int64_t index : some_of(rows * out, 500)) {
            const std::int64_t i = index / out, j = index % out;
            double sum = bs.at(j);
            for (std::int64_t p = 0; p < in; ++p) sum += xs.at(i * in + p) * ws.at(j * in + p);
            const double inner = std::sqrt(2 / 3.14159265358979323846) * (sum + 0.044715 * sum * sum * sum);
            require_close(actual.at(index), sum * 0.5 * (1 + std::tanh(inner)), 16 * 0x1p-24 * static_cast<double>(in),
                          "linear, gelu", index);
        }
    };
    return work;
}

Workload attention(const Place& place, bool causal) {
    const std::int64_t heads = place.size(8, 2), n = place.size(512, 20), d = place.size(64, 8);
    const Shape shape{1, heads, n, d};
    const Handle q = normal(place, shape), k = normal(place, shape), v = normal(place, shape);
    const double count = static_cast<double>(heads * n * n) * (causal ? 0.5 : 1);
    Workload work;
    work.bytes = 4 * bytes_of(q);
    work.operations = 4 * count * static_cast<double>(d);
    work.transcendentals = count;
    work.run = [=] { return ops::list_of(ops::attention(q, k, v, {}, {}, {.is_causal = causal})); };
    work.check = [=](const ops::HandleList& results) {
        const TensorData qs = values_of(q), ks = values_of(k), vs = values_of(v), actual = values_of(results[0]);
        require_shape(actual, shape);
        for (const std::int64_t row : some_of(heads * n, 24)) {
            const std::int64_t head = row / n, end = causal ? row % n + 1 : n;
            std::vector<double> weights;
            double total = 0;
            for (std::int64_t j = 0; j < end; ++j) {
                double dot = 0;
                for (std::int64_t p = 0; p < d; ++p) dot += qs.at(row * d + p) * ks.at((head * n + j) * d + p);
                weights.push_back(std::exp(dot / std::sqrt(static_cast<double>(d))));
                total += weights.back();
            }
            for (std::int64_t p = 0; p < d; ++p) {
                double sum = 0;
                for (std::int64_t j = 0; j < end; ++j) {
                    sum += weights[static_cast<std::size_t>(j)] / total * vs.at((head * n + j) * d + p);
                }
                require_close(actual.at(row * d + p), sum, 1e-5, "attention", row * d + p);
            }
        }
    };
    return work;
}

}  // namespace

void add_layer_cases(CaseList& cases) {
    cases.push_back({"linear.gelu", linear_gelu});
    cases.push_back({"attention.full", [](const Place& place) { return attention(place, false); }});
    cases.push_back({"attention.causal", [](const Place& place) { return attention(place, true); }});
}

}  // namespace burn::bench
