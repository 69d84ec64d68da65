#include <bench/kernel_bench.h>
#include <bench/register_loops.h>
#include <bench/yardstick/measure.h>
#include <burn/base/memory.h>

#include <algorithm>
#include <cmath>

namespace burn::bench {

Timing time_calls(FunctionRef<void()> call, double seconds) {
    for (int i = 0; i < 5; ++i) call();
    double start = now();
    call();
    const double once = std::max(now() - start, 1e-6);
    const int count = static_cast<int>(std::clamp(seconds / once, 5.0, 2000.0));
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        start = now();
        call();
        times.push_back((now() - start) * 1e6);
    }
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times.front(), count};
}

namespace {

/// Calls a second of a body that every thread runs once: the most that many attempts reach.
double fastest_rate(float (*body)(), double seconds) {
    const int threads = num_threads();
    const double end = now() + seconds;
    double best = 1e9;
    for (int attempts = 0; attempts < 5 || now() < end; ++attempts) {
        const double start = now();
        parallel_for(threads, 1, [&](std::int64_t begin, std::int64_t last) {
            [[maybe_unused]] volatile float sink = 0;
            for (std::int64_t i = begin; i < last; ++i) sink = body();
        });
        best = std::min(best, now() - start);
    }
    return threads / best;
}

double copy_rate(std::size_t bytes, double seconds) {
    // Memory like that of tensors, with their size of pages.
    const Ref<Block> from = Block::make(bytes), to = Block::make(bytes);
    std::memset(from->data(), 1, bytes);
    std::memset(to->data(), 0, bytes);
    const double end = now() + seconds;
    double best = 1e9;
    for (int attempts = 0; attempts < 5 || now() < end; ++attempts) {
        const double start = now();
        parallel_for(static_cast<std::int64_t>(bytes), 4096, [&](std::int64_t begin, std::int64_t last) {
            std::memcpy(to->data() + begin, from->data() + begin, static_cast<std::size_t>(last - begin));
        });
        best = std::min(best, now() - start);
    }
    return 2 * static_cast<double>(bytes) / best;
}

}  // namespace

Rates Ceilings::measure(double moved_bytes, double seconds) {
    constexpr std::size_t kMiB = std::size_t{1} << 20;
    const std::size_t bytes =
        std::clamp(static_cast<std::size_t>(moved_bytes / 2), 16 * kMiB, 256 * kMiB) / kMiB * kMiB;
    double& copied = copied_bytes_[bytes];
    best_.copied_bytes = copied = std::max(copied, copy_rate(bytes, seconds));
    const RegisterLoop multiply_add = multiply_add_loop(), exponential = exponential_loop();
    best_.operations = std::max(best_.operations, fastest_rate(multiply_add.run, seconds) * multiply_add.operations);
    best_.transcendentals =
        std::max(best_.transcendentals, fastest_rate(exponential.run, seconds) * exponential.operations);
    return best_;
}

}  // namespace burn::bench
