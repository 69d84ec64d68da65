// Many small operations: what one costs beyond its arithmetic.
#include <bench/yardstick/case.h>
#include <burn/ops/functions.h>

#include <cmath>

namespace burn::bench {

namespace {

Workload small_operations(const Place& place) {
    const std::int64_t n = 32;
    const ops::Handle x = normal(place, {n, n}), y = normal(place, {n, n});
    Workload work;
    work.bytes = 3 * bytes_of(x);
    work.run = [=] {
        ops::Handle t = x;
        for (int i = 0; i < 100; ++i) t = ops::mul_scalar(ops::add(std::move(t), y), 0.5);
        return ops::list_of(std::move(t));
    };
    work.check = [=](const ops::HandleList& results) {
        const TensorData xs = values_of(x), ys = values_of(y), actual = values_of(results[0]);
        require_shape(actual, {n, n});
        for (std::int64_t i = 0; i < n * n; ++i) {
            // t -> (t + y) / 2 is y + (t - y) / 2.
            const double expected = ys.at(i) + std::ldexp(xs.at(i) - ys.at(i), -100);
            require_close(actual.at(i), expected, 4 * 0x1p-24 * (1 + std::fabs(ys.at(i))), "small operations", i);
        }
    };
    return work;
}

}  // namespace

void add_overhead_cases(CaseList& cases) { cases.push_back({"overhead.200_small_ops", small_operations}); }

}  // namespace burn::bench
