// Cases over rows and columns: sums, extrema, scans, softmax, normalisation, sorting, rows of a table.
#include <bench/yardstick/case.h>
#include <burn/ops/functions.h>
#include <burn/ops/indexing.h>
#include <burn/ops/norm.h>
#include <burn/ops/reduce.h>
#include <burn/ops/scan.h>
#include <burn/ops/softmax.h>
#include <burn/ops/sort.h>

#include <algorithm>
#include <cmath>

namespace burn::bench {

namespace {

using ops::Handle;
using ops::HandleList;
using ops::list_of;

/// How many rows or columns a check looks at.
constexpr std::int64_t kLines = 16;

/// One row of a matrix in double precision.
std::vector<double> row_of(const TensorData& data, std::int64_t row) {
    const std::int64_t n = data.shape().back();
    std::vector<double> values(static_cast<std::size_t>(n));
    for (std::int64_t j = 0; j < n; ++j) values[static_cast<std::size_t>(j)] = data.at(row * n + j);
    return values;
}

/// Shapes    x [n, n]; expected(x, line) is what element `line` of the result must be
Workload reduction(const Place& place, Handle (*reduce)(Handle x),
                   double (*expected)(const TensorData& x, std::int64_t line)) {
    const std::int64_t n = place.size(2048, 50);
    const Handle x = normal(place, {n, n});
    Workload work;
    work.bytes = bytes_of(x);
    work.run = [=] { return list_of(reduce(x)); };
    work.check = [=](const HandleList& results) {
        const TensorData xs = values_of(x), actual = values_of(results[0]);
        // The size of a sum of n normal numbers is sqrt(n); of one of n^2 of them, n.
        const double tolerance =
            0x1p-24 * 16 * static_cast<double>(actual.numel() == 1 ? n : 1) * std::sqrt(static_cast<double>(n));
        for (const std::int64_t line : some_of(actual.numel(), kLines)) {
            require_close(actual.at(line), expected(xs, line), tolerance, "reduction", line);
        }
    };
    return work;
}

Workload sum_rows(const Place& place) {
    return reduction(
        place, [](Handle x) { return ops::sum(std::move(x), {-1}); },
        [](const TensorData& x, std::int64_t row) {
            double sum = 0;
            for (const double value : row_of(x, row)) sum += value;
            return sum;
        });
}

Workload sum_columns(const Place& place) {
    return reduction(
        place, [](Handle x) { return ops::sum(std::move(x), {0}); },
        [](const TensorData& x, std::int64_t column) {
            const std::int64_t n = x.shape().back();
            double sum = 0;
            for (std::int64_t i = 0; i < n; ++i) sum += x.at(i * n + column);
            return sum;
        });
}

Workload sum_all(const Place& place) {
    return reduction(
        place, [](Handle x) { return ops::sum_all(std::move(x)); },
        [](const TensorData& x, std::int64_t) {
            double sum = 0;
            for (std::int64_t i = 0; i < x.numel(); ++i) sum += x.at(i);
            return sum;
        });
}

Workload argmax_rows(const Place& place) {
    return reduction(
        place, [](Handle x) { return ops::argmax(std::move(x), -1); },
        [](const TensorData& x, std::int64_t row) {
            const std::vector<double> values = row_of(x, row);
            return static_cast<double>(std::max_element(values.begin(), values.end()) - values.begin());
        });
}

/// The softmax of a row, on which both ways to write it are measured.
void check_softmax(const Handle& x, const HandleList& results) {
    const TensorData xs = values_of(x), actual = values_of(results[0]);
    require_shape(actual, x.shape());
    const std::int64_t n = x.shape().back();
    for (const std::int64_t row : some_of(x.shape()[0], kLines)) {
        const std::vector<double> values = row_of(xs, row);
        double sum = 0;
        for (const double value : values) sum += std::exp(value);
        for (std::int64_t j = 0; j < n; ++j) {
            const double expected = std::exp(values[static_cast<std::size_t>(j)]) / sum;
            const double tolerance = (x.dtype() == DType::F32 ? 32 : 1) * roundoff(x.dtype()) * expected + 1e-9;
            require_close(actual.at(row * n + j), expected, tolerance, "softmax", row * n + j);
        }
    }
}

Workload softmax_of(const Place& place, DType dtype, Handle (*softmax)(const Handle& x)) {
    const std::int64_t n = place.size(2048, 50);
    const Handle x = normal(place, {n, n}, dtype);
    Workload work;
    work.bytes = 2 * bytes_of(x);
    work.transcendentals = static_cast<double>(n * n);
    work.run = [=] { return list_of(softmax(x)); };
    work.check = [=](const HandleList& results) { check_softmax(x, results); };
    return work;
}

Workload softmax_rows(const Place& place, DType dtype) {
    return softmax_of(place, dtype, [](const Handle& x) { return ops::softmax(x, -1); });
}

/// What fusion must make one pass of.
Workload softmax_composed(const Place& place) {
    return softmax_of(place, DType::F32, [](const Handle& x) {
        const Handle e = ops::exp(ops::sub(x, ops::max(x, {-1})));
        return ops::div(e, ops::sum(e, {-1}));
    });
}

Workload layer_norm(const Place& place, DType dtype) {
    const std::int64_t rows = place.size(2048, 50), n = place.size(1024, 60);
    const Handle x = normal(place, {rows, n}, dtype), w = normal(place, {n}, dtype), b = normal(place, {n}, dtype);
    Workload work;
    work.bytes = 2 * bytes_of(x);
    work.run = [=] { return list_of(ops::layer_norm(x, w, b, 1e-5)); };
    work.check = [=](const HandleList& results) {
        const TensorData xs = values_of(x), ws = values_of(w), bs = values_of(b), actual = values_of(results[0]);
        require_shape(actual, {rows, n});
        for (const std::int64_t row : some_of(rows, kLines)) {
            const std::vector<double> values = row_of(xs, row);
            double mean = 0, variance = 0;
            for (const double value : values) mean += value / static_cast<double>(n);
            for (const double value : values) variance += (value - mean) * (value - mean) / static_cast<double>(n);
            for (std::int64_t j = 0; j < n; ++j) {
                const double scaled =
                    (values[static_cast<std::size_t>(j)] - mean) / std::sqrt(variance + 1e-5) * ws.at(j);
                const double tolerance = 8 * roundoff(dtype) * (std::fabs(scaled) + std::fabs(bs.at(j)) + 1);
                require_close(actual.at(row * n + j), scaled + bs.at(j), tolerance, "layer norm", row * n + j);
            }
        }
    };
    return work;
}

Workload cumsum_rows(const Place& place) {
    const std::int64_t n = place.size(2048, 50);
    const Handle x = normal(place, {n, n});
    Workload work;
    work.bytes = 2 * bytes_of(x);
    work.run = [=] { return list_of(ops::cumsum(x, -1)); };
    work.check = [=](const HandleList& results) {
        const TensorData xs = values_of(x), actual = values_of(results[0]);
        require_shape(actual, {n, n});
        for (const std::int64_t row : some_of(n, kLines)) {
            double sum = 0, magnitude = 0;
            for (std::int64_t j = 0; j < n; ++j) {
                sum += xs.at(row * n + j);
                magnitude = std::max(magnitude, std::fabs(sum));
                require_close(actual.at(row * n + j), sum, 64 * 0x1p-24 * (1 + magnitude), "cumsum", row * n + j);
            }
        }
    };
    return work;
}

Workload embedding(const Place& place) {
    const std::int64_t entries = place.size(50000, 100), n = place.size(1024, 16), count = place.size(2048, 30);
    const Handle table = normal(place, {entries, n}), at = indices(place, {count}, entries);
    Workload work;
    work.bytes = 2.0 * 4 * static_cast<double>(count * n);
    work.run = [=] { return list_of(ops::embedding(table, at)); };
    work.check = [=](const HandleList& results) {
        const TensorData rows = values_of(table), which = values_of(at), actual = values_of(results[0]);
        require_shape(actual, {count, n});
        for (const std::int64_t i : some_of(count * n, 5000)) {
            const auto row = static_cast<std::int64_t>(which.at(i / n));
            require_close(actual.at(i), rows.at(row * n + i % n), 0, "embedding", i);
        }
    };
    return work;
}

Workload sort(const Place& place) {
    const std::int64_t n = place.size(1 << 20, 1000);
    const Handle x = normal(place, {n});
    Workload work;
    work.bytes = 3 * bytes_of(x);
    work.run = [=] { return ops::sort_with_indices(x, 0); };
    work.check = [=](const HandleList& results) {
        const TensorData xs = values_of(x), sorted = values_of(results[0]), from = values_of(results[1]);
        std::vector<bool> seen(static_cast<std::size_t>(n));
        for (std::int64_t i = 0; i < n; ++i) {
            const double source = from.at(i);
            require_close(source, std::clamp(source, 0.0, static_cast<double>(n - 1)), 0, "range of the indices", i);
            require_close(seen[static_cast<std::size_t>(source)], 0, 0, "indices that repeat", i);
            seen[static_cast<std::size_t>(source)] = true;
            require_close(sorted.at(i), xs.at(static_cast<std::int64_t>(source)), 0, "sorted value", i);
            if (i > 0) require_close(sorted.at(i) >= sorted.at(i - 1), 1, 0, "order", i);
        }
    };
    return work;
}

}  // namespace

void add_reduction_cases(CaseList& cases) {
    cases.push_back({"softmax.rows.f32", [](const Place& place) { return softmax_rows(place, DType::F32); }});
    cases.push_back({"softmax.rows.bf16", [](const Place& place) { return softmax_rows(place, DType::BF16); }});
    cases.push_back({"softmax.composed.f32", softmax_composed});
    cases.push_back({"layer_norm.f32", [](const Place& place) { return layer_norm(place, DType::F32); }});
    cases.push_back({"layer_norm.bf16", [](const Place& place) { return layer_norm(place, DType::BF16); }});
    cases.push_back({"reduce.sum.rows.f32", sum_rows});
    cases.push_back({"reduce.sum.cols.f32", sum_columns});
    cases.push_back({"reduce.sum.all.f32", sum_all});
    cases.push_back({"reduce.argmax.rows.f32", argmax_rows});
    cases.push_back({"cumsum.rows.f32", cumsum_rows});
    cases.push_back({"embedding.f32", embedding});
    cases.push_back({"sort.f32", sort});
}

}  // namespace burn::bench
