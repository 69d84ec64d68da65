// Matrix products: squares, a transposed operand, a batch, a vector, odd sizes.
#include <bench/yardstick/case.h>
#include <burn/ops/matmul.h>
#include <burn/ops/movement.h>

#include <cmath>

namespace burn::bench {

namespace {

using ops::Handle;

struct ProductShape {
    std::int64_t m, n, k;
    std::int64_t batch = 0;
    bool rhs_transposed = false;
};

Workload product(const Place& place, ProductShape s) {
    if (place.quick) s = {s.m % 31 + 1, s.n % 31 + 1, s.k % 31 + 1, s.batch > 0 ? 3 : 0, s.rhs_transposed};
    const std::int64_t count = s.batch > 0 ? s.batch : 1;
    const auto matrix = [&](std::int64_t rows, std::int64_t columns) {
        return normal(place, s.batch > 0 ? Shape{s.batch, rows, columns} : Shape{rows, columns});
    };
    const Handle a = matrix(s.m, s.k), stored = s.rhs_transposed ? matrix(s.n, s.k) : matrix(s.k, s.n);
    const Handle b = s.rhs_transposed ? ops::swap_dims(stored, -2, -1) : stored;
    Workload work;
    work.bytes = bytes_of(a) + bytes_of(b) + 4.0 * static_cast<double>(count * s.m * s.n);
    work.operations = 2.0 * static_cast<double>(count * s.m * s.n * s.k);
    work.run = [=] { return ops::list_of(ops::matmul(a, b)); };
    work.check = [=](const ops::HandleList& results) {
        const TensorData as = values_of(a), bs = values_of(stored), actual = values_of(results[0]);
        require_shape(actual, s.batch > 0 ? Shape{s.batch, s.m, s.n} : Shape{s.m, s.n});
        for (const std::int64_t place_in_result : some_of(count * s.m * s.n, 300)) {
            const std::int64_t j = place_in_result % s.n,
                               i = place_in_result / s.n;  // i counts the rows of all matrices
            const std::int64_t first = i / s.m * s.k * s.n;
            double sum = 0;
            for (std::int64_t p = 0; p < s.k; ++p) {
                sum += as.at(i * s.k + p) * bs.at(first + (s.rhs_transposed ? j * s.k + p : p * s.n + j));
            }
            // Sums of products of normal numbers have the size sqrt(k).
            require_close(actual.at(place_in_result), sum, 16 * 0x1p-24 * static_cast<double>(s.k), "product",
                          place_in_result);
        }
    };
    return work;
}

}  // namespace

void add_matmul_cases(CaseList& cases) {
    const auto add = [&](const char* name, ProductShape shape) {
        cases.push_back({name, [shape](const Place& place) { return product(place, shape); }});
    };
    add("matmul.f32.64", {64, 64, 64});
    add("matmul.f32.256", {256, 256, 256});
    add("matmul.f32.1024", {1024, 1024, 1024});
    add("matmul.f32.2048", {2048, 2048, 2048});
    add("matmul.f32.nt.1024", {.m = 1024, .n = 1024, .k = 1024, .rhs_transposed = true});
    add("matmul.f32.batched.64x128", {.m = 128, .n = 128, .k = 128, .batch = 64});
    add("matmul.f32.gemv.1x4096x4096", {1, 4096, 4096});
    add("matmul.f32.odd.1023x1025x1027", {1023, 1025, 1027});
}

}  // namespace burn::bench
