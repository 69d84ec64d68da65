// Convolutions and a pool, as residual networks have them.
#include <bench/yardstick/case.h>
#include <burn/ops/conv.h>
#include <burn/ops/pool.h>

#include <algorithm>
#include <cmath>

namespace burn::bench {

namespace {

using ops::Handle;

struct ConvShape {
    std::int64_t channels, pixels, outputs, kernel;
    std::int64_t stride = 1, groups = 1;

    std::int64_t padding() const { return kernel / 2; }
    std::int64_t result_pixels() const { return (pixels + 2 * padding() - kernel) / stride + 1; }
};

/// One element of the result, by the definition.
double convolved(const TensorData& x, const TensorData& w, const ConvShape& s, std::int64_t index) {
    const std::int64_t size = s.result_pixels(), j = index % size, i = index / size % size;
    const std::int64_t output = index / (size * size) % s.outputs, image = index / (size * size) / s.outputs;
    const std::int64_t inputs = s.channels / s.groups, first = output / (s.outputs / s.groups) * inputs;
    double sum = 0;
    for (std::int64_t c = 0; c < inputs; ++c) {
        for (std::int64_t p = 0; p < s.kernel; ++p) {
            for (std::int64_t q = 0; q < s.kernel; ++q) {
                const std::int64_t row = i * s.stride + p - s.padding(), column = j * s.stride + q - s.padding();
                if (row < 0 || row >= s.pixels || column < 0 || column >= s.pixels) continue;
                sum += x.at(((image * s.channels + first + c) * s.pixels + row) * s.pixels + column) *
                       w.at(((output * inputs + c) * s.kernel + p) * s.kernel + q);
            }
        }
    }
    return sum;
}

Workload convolution(const Place& place, ConvShape s) {
    const std::int64_t images = place.size(4, 2);
    if (place.quick) {
        const std::int64_t groups = s.groups > 1 ? 4 : 1;
        s = {std::min<std::int64_t>(s.channels, 4), 9, s.groups > 1 ? 4 : 6, s.kernel, s.stride, groups};
    }
    const std::int64_t size = s.result_pixels(), inputs = s.channels / s.groups;
    const Handle x = normal(place, {images, s.channels, s.pixels, s.pixels});
    const Handle w = normal(place, {s.outputs, inputs, s.kernel, s.kernel});
    const auto taps = static_cast<double>(inputs * s.kernel * s.kernel);
    const ops::ConvOptions options{
        .stride = {s.stride, s.stride}, .padding = {s.padding(), s.padding()}, .groups = s.groups};
    Workload work;
    work.bytes = bytes_of(x) + bytes_of(w) + 4.0 * static_cast<double>(images * s.outputs * size * size);
    work.operations = 2 * static_cast<double>(images * s.outputs * size * size) * taps;
    work.run = [=] { return ops::list_of(ops::conv(x, w, options)); };
    work.check = [=](const ops::HandleList& results) {
        const TensorData xs = values_of(x), ws = values_of(w), actual = values_of(results[0]);
        require_shape(actual, {images, s.outputs, size, size});
        for (const std::int64_t i : some_of(actual.numel(), 1000)) {
            require_close(actual.at(i), convolved(xs, ws, s, i), 16 * 0x1p-24 * taps, "convolution", i);
        }
    };
    return work;
}

Workload max_pool(const Place& place) {
    const std::int64_t images = place.size(4, 2), channels = place.size(64, 3), pixels = place.size(112, 9);
    const std::int64_t size = (pixels + 2 - 3) / 2 + 1;
    const Handle x = normal(place, {images, channels, pixels, pixels});
    const ops::PoolOptions options{.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
    Workload work;
    work.bytes = bytes_of(x) * 5 / 4;
    work.run = [=] { return ops::list_of(ops::max_pool(x, options)); };
    work.check = [=](const ops::HandleList& results) {
        const TensorData xs = values_of(x), actual = values_of(results[0]);
        require_shape(actual, {images, channels, size, size});
        for (const std::int64_t index : some_of(actual.numel(), 5000)) {
            const std::int64_t j = index % size, i = index / size % size, plane = index / (size * size);
            double largest = -INFINITY;
            for (std::int64_t row = std::max<std::int64_t>(2 * i - 1, 0); row <= std::min(2 * i + 1, pixels - 1);
                 ++row) {
                for (std::int64_t column = std::max<std::int64_t>(2 * j - 1, 0);
                     column <= std::min(2 * j + 1, pixels - 1); ++column) {
                    largest = std::max(largest, xs.at((plane * pixels + row) * pixels + column));
                }
            }
            require_close(actual.at(index), largest, 0, "max pool", index);
        }
    };
    return work;
}

}  // namespace

void add_conv_cases(CaseList& cases) {
    const auto add = [&](const char* name, ConvShape shape) {
        cases.push_back({name, [shape](const Place& place) { return convolution(place, shape); }});
    };
    add("conv2d.3x3.64c.56px.f32", {64, 56, 64, 3});
    add("conv2d.1x1.256c.56px.f32", {256, 56, 64, 1});
    add("conv2d.7x7s2.3c.224px.f32", {.channels = 3, .pixels = 224, .outputs = 64, .kernel = 7, .stride = 2});
    add("conv2d.depthwise.3x3.256c.28px.f32",
        {.channels = 256, .pixels = 28, .outputs = 256, .kernel = 3, .groups = 256});
    cases.push_back({"max_pool2d.f32", max_pool});
}

}  // namespace burn::bench
