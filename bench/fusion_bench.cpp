// What an operation costs beyond its arithmetic: recorded, flushed with a plan that is known, launched, and eager on NdArray.
//
//   usage: fusion_bench [--wall] [--test]
//
// Tensors are of 16 elements, so that arithmetic hardly counts; a line of [32, 32] shows both together. Every result is checked.
// Runs on one thread, timed by its own clock, which stands still while others have the core, unless --wall is given. --test only
// checks.
#include <bench/kernel_bench.h>
#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/ops/functions.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace {

using burn::TensorData;
using burn::bench::busy;
using burn::bench::now;
using burn::ops::Engine;
using burn::ops::Handle;

double seconds_a_line = 0.5;
constexpr int kPairs = 100;  ///< of the two operations of a chain

/// x -> (x + y) / 2, again and again: twice as many operations as pairs.
Handle chain(Handle x, const Handle& y, int pairs = kPairs) {
    for (int i = 0; i < pairs; ++i) x = burn::ops::mul_scalar(burn::ops::add(std::move(x), y), 0.5);
    return x;
}

Handle upload(Engine& engine, std::int64_t size, double value) {
    const std::vector<float> values(static_cast<std::size_t>(size), static_cast<float>(value));
    return engine.upload(TensorData::from(std::span<const float>(values), burn::Shape{size}));
}

/// `pairs` steps from x towards y, both the same everywhere: y + (x - y) / 2^pairs.
void check(Engine& engine, const Handle& result, double x, double y, int pairs, const char* name) {
    const TensorData data = engine.read(result).wait();
    const double expected = y + std::ldexp(x - y, -pairs);
    for (std::int64_t i = 0; i < data.numel(); ++i) burn::bench::require_close(data.at(i), expected, 1, name);
}

/// The least seconds that each part of `body` takes; `body(lap)` calls `lap()` at the end of a part.
struct Laps {
    double part[2] = {1e9, 1e9};
};
template <class Body>
Laps fastest_laps(Body body) {
    Laps best;
    for (int i = 0; i < 20; ++i) body([] {});
    const double end = now() + seconds_a_line;
    do {
        int part = 0;
        double start = busy();
        body([&] {
            const double time = busy();
            best.part[part] = std::min(best.part[part], time - start);
            ++part;
            start = busy();
        });
    } while (now() < end);
    return best;
}

void print(const char* what, double seconds, double count) {
    std::printf("%-52s %9.1f ns  %9.2f M/s\n", what, seconds / count * 1e9, count / seconds * 1e-6);
}

void measure_recording(Engine& engine, std::int64_t size, const char* recorded, const char* flushed) {
    const Handle x = upload(engine, size, 3), y = upload(engine, size, 1);
    std::optional<Handle> result;
    const burn::fusion::Report before = burn::fusion::report(engine);
    const Laps laps = fastest_laps([&](auto lap) {
        result = chain(x, y);
        lap();
        engine.sync();
        lap();
    });
    const burn::fusion::Report after = burn::fusion::report(engine);
    if (after.plan_misses > before.plan_misses + 1) {
        std::fprintf(stderr, "the same chain was planned %llu times\n",
                     static_cast<unsigned long long>(after.plan_misses - before.plan_misses));
        std::exit(1);
    }
    check(engine, *result, 3, 1, kPairs, recorded);
    print(recorded, laps.part[0], 2 * kPairs);
    print(flushed, laps.part[1], 2 * kPairs);
    std::printf(
        "%-52s %9.1f\n", "  kernels of such a flush",
        static_cast<double>(after.kernels - before.kernels) / static_cast<double>(after.segments - before.segments));
}

void measure_launches(Engine& engine) {
    const Handle x = upload(engine, 16, 3), y = upload(engine, 16, 1);
    std::optional<Handle> result;
    const Laps laps = fastest_laps([&](auto lap) {
        for (int i = 0; i < 100; ++i) {
            result = burn::ops::add(x, y);
            engine.sync();
        }
        lap();
    });
    check(engine, *result, 7, 1, 1, "launch");  // 3 + 1 = 1 + (7 - 1) / 2
    print("an operation recorded, flushed and launched alone", laps.part[0], 100);
}

void measure_eager(Engine& engine, std::int64_t size, const char* name) {
    const Handle x = upload(engine, size, 3), y = upload(engine, size, 1);
    std::optional<Handle> result;
    const Laps laps = fastest_laps([&](auto lap) {
        result = chain(x, y);
        lap();
    });
    check(engine, *result, 3, 1, kPairs, name);
    print(name, laps.part[0], 2 * kPairs);
}

}  // namespace

int main(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--wall") {
            burn::bench::wall_only = true;
        } else if (argument == "--test") {
            seconds_a_line = 0;
        } else {
            std::fprintf(stderr, "usage: fusion_bench [--wall] [--test]\n");
            return 2;
        }
    }
    burn::set_num_threads(1);
    if (burn::cpu::code_generator() == nullptr) {
        std::printf("no kernels here: %s\n", burn::cpu::why_no_code_generator().c_str());
    } else {
        Engine& cpu = burn::Cpu::engine(0);
        measure_recording(cpu, 16, "an operation recorded", "an operation flushed, its plan known");
        measure_recording(cpu, 1024, "an operation on 1024 elements recorded", "an operation on 1024 elements flushed");
        measure_launches(cpu);
    }
    Engine& ndarray = burn::NdArray::engine(0);
    measure_eager(ndarray, 16, "an operation on NdArray");
    measure_eager(ndarray, 1024, "an operation on 1024 elements on NdArray");
    return 0;
}
