#include <bench/yardstick/plain_layers.h>

#include <algorithm>
#include <cmath>

namespace burn::bench::plain {

namespace {

using Index = std::size_t;

Index index(std::int64_t value) { return static_cast<Index>(value); }

template <class Function>
Values each(Values x, Function function) {
    for (double& value : x) value = function(value);
    return x;
}

}  // namespace

Values linear(const Values& x, const Values& weight, const Values& bias, std::int64_t in) {
    const Index inner = index(in), out = weight.size() / inner, rows = x.size() / inner;
    Values y(rows * out);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < out && !bias.empty(); ++j) y[i * out + j] = bias[j];
        for (Index p = 0; p < inner; ++p) {
            for (Index j = 0; j < out; ++j) y[i * out + j] += x[i * inner + p] * weight[p * out + j];
        }
    }
    return y;
}

Values gelu(Values x) {
    return each(std::move(x), [](double v) { return v * 0.5 * (1 + std::erf(v * std::sqrt(0.5))); });
}

Values gelu_tanh(Values x) {
    return each(std::move(x), [](double v) {
        return v * 0.5 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (v + 0.044715 * v * v * v)));
    });
}

Values relu(Values x) {
    return each(std::move(x), [](double v) { return v > 0 ? v : 0.0; });
}

Values product(Values a, const Values& b) {
    for (Index i = 0; i < a.size(); ++i) a[i] *= b[i];
    return a;
}

Values sum(Values a, const Values& b) {
    for (Index i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}

Values layer_norm(const Values& x, const Values& scale, const Values& shift) {
    const Index width = scale.size();
    Values y(x.size());
    for (Index row = 0; row < x.size(); row += width) {
        double mean = 0, variance = 0;
        for (Index j = 0; j < width; ++j) mean += x[row + j] / static_cast<double>(width);
        for (Index j = 0; j < width; ++j) {
            variance += (x[row + j] - mean) * (x[row + j] - mean) / static_cast<double>(width);
        }
        for (Index j = 0; j < width; ++j) {
            y[row + j] = (x[row + j] - mean) / std::sqrt(variance + 1e-5) * scale[j] + shift[j];
        }
    }
    return y;
}

Values conv3x3(const Values& x, const Values& weight, const Values& bias, std::int64_t in, std::int64_t size) {
    const Index inputs = index(in), n = index(size), m = n - 2, outputs = bias.size(),
                images = x.size() / (inputs * n * n);
    Values y(images * outputs * m * m);
    for (Index plane = 0; plane < images * outputs; ++plane) {
        const Index image = plane / outputs, output = plane % outputs;
        for (Index i = 0; i < m * m; ++i) y[plane * m * m + i] = bias[output];
        for (Index tap = 0; tap < inputs * 9; ++tap) {
            const Index channel = tap / 9, row = tap % 9 / 3, column = tap % 3;
            const double w = weight[output * inputs * 9 + tap];
            for (Index i = 0; i < m; ++i) {
                for (Index j = 0; j < m; ++j) {
                    y[(plane * m + i) * m + j] += w * x[((image * inputs + channel) * n + i + row) * n + j + column];
                }
            }
        }
    }
    return y;
}

Values average_to_8x8(const Values& x, std::int64_t size) {
    const Index n = index(size), planes = x.size() / (n * n);
    const auto begin = [&](Index i) { return i * n / 8; };
    const auto end = [&](Index i) { return ((i + 1) * n + 7) / 8; };
    Values y(planes * 64);
    for (Index window = 0; window < y.size(); ++window) {
        const Index plane = window / 64, i = window / 8 % 8, j = window % 8;
        double total = 0;
        for (Index row = begin(i); row < end(i); ++row) {
            for (Index column = begin(j); column < end(j); ++column) total += x[(plane * n + row) * n + column];
        }
        y[window] = total / static_cast<double>((end(i) - begin(i)) * (end(j) - begin(j)));
    }
    return y;
}

Values causal_attention(const Values& qkv, std::int64_t length, std::int64_t heads, std::int64_t head_width) {
    const Index n = index(length), h = index(heads), d = index(head_width), width = h * d;
    Values y(qkv.size() / 3);
    Values weights(n);
    for (Index row = 0; row < y.size() / width; ++row) {
        const Index first = row / n * n;  // the first position of the sequence
        for (Index head = 0; head < h; ++head) {
            const double* q = &qkv[row * 3 * width + head * d];
            double total = 0;
            for (Index other = first; other <= row; ++other) {
                const double* k = &qkv[(other * 3 + 1) * width + head * d];
                double dot = 0;
                for (Index p = 0; p < d; ++p) dot += q[p] * k[p];
                weights[other - first] = std::exp(dot / std::sqrt(static_cast<double>(d)));
                total += weights[other - first];
            }
            for (Index other = first; other <= row; ++other) {
                const double* v = &qkv[(other * 3 + 2) * width + head * d];
                for (Index p = 0; p < d; ++p) y[row * width + head * d + p] += weights[other - first] / total * v[p];
            }
        }
    }
    return y;
}

double cross_entropy(const Values& scores, const std::vector<std::int64_t>& targets) {
    const Index classes = scores.size() / targets.size();
    double total = 0;
    for (Index row = 0; row < targets.size(); ++row) {
        double sum = 0;
        for (Index j = 0; j < classes; ++j) sum += std::exp(scores[row * classes + j]);
        total += std::log(sum) - scores[row * classes + index(targets[row])];
    }
    return total / static_cast<double>(targets.size());
}

}  // namespace burn::bench::plain
