// Rates of the matrix product and convolution kernels beside the processor's measured peak and beside libraries.
//
//   gemm_bench [--seconds] [--wall] [NAME...]     every case, or those whose name begins with one of NAME
//
// Every candidate that can run a case (ours, OpenBLAS, oneDNN; BURN_LIBRARIES=off leaves ours) is checked, then timed in
// interleaved rounds. A line has our time, rate and part of the peak of one core, and for each library how many times our time it
// takes: above 1 we are faster. --seconds prints "name seconds" lines of ours only, for scripts. One thread is timed by its
// own clock, which stands still while others have the core, unless --wall is given. BURN_NUM_THREADS and BURN_ISA choose
// threads and instruction set.
#include <bench/kernel_bench.h>
#include <burn/backends/cpu/convolution_candidates.h>
#include <burn/backends/cpu/product_candidates.h>
#include <burn/base/cpu_features.h>
#include <burn/base/parallel.h>
#include <burn/compiler/autotune/measure.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace {

using burn::bench::reals;
using burn::bench::require_close;
using burn::ndarray::Conv2dShape;
using burn::ndarray::GemmShape;

bool seconds_only = false;
std::vector<std::string_view> wanted;
double peak = 0;

bool is_wanted(std::string_view name) {
    for (const std::string_view prefix : wanted) {
        if (name.substr(0, prefix.size()) == prefix) return true;
    }
    return wanted.empty();
}

/// The clock of kernel_bench.h.
class BusyTimer final : public burn::autotune::Timer {
public:
    double now() override { return burn::bench::now(); }
    double seconds(burn::FunctionRef<void()> run, int times) override {
        const double begin = burn::bench::busy();
        for (int i = 0; i < times; ++i) run();
        return burn::bench::busy() - begin;
    }
};

void report(const char* name, double seconds, double operations) {
    if (seconds_only) {
        std::printf("%s %.9f\n", name, seconds);
        return;
    }
    const double rate = operations / seconds * 1e-9;
    std::printf("%-24s %10.1f us %8.1f GFLOP/s %6.1f %% of one core's peak", name, seconds * 1e6, rate,
                100 * rate / peak);
}

/// Times candidates 0 (ours), 1, ... of those that can, and prints a line.
void compare(const char* name, double operations, std::span<const burn::autotune::Candidate> candidates,
             std::span<const std::size_t> able, burn::FunctionRef<void(std::size_t)> run) {
    BusyTimer timer;
    const std::span<const std::size_t> timed = seconds_only ? able.first(1) : able;
    const auto timings = burn::autotune::measure(timed, run, timer,
                                                 {.rounds = 1000,
                                                  .sample_seconds = 2e-3,
                                                  .budget_seconds = 0.25 * static_cast<double>(timed.size()),
                                                  .hopeless = 1e9});
    report(name, timings[0].fastest, operations);
    for (std::size_t i = 1; i < timings.size(); ++i) {
        std::printf("  %s %.2f", candidates[timings[i].candidate].name, timings[i].fastest / timings[0].fastest);
    }
    if (!seconds_only) std::printf("\n");
    std::fflush(stdout);
}

enum class Operand { Rows, Columns };  // as stored: row-major, or the transpose of a row-major matrix

void product(const char* name, GemmShape s, Operand a_order, Operand b_order, int64_t batch = 1) {
    if (!is_wanted(name)) return;
    std::vector<float> a = reals(batch * s.m * s.k, 1), b = reals(batch * s.k * s.n, 2);
    std::vector<float> c(static_cast<std::size_t>(batch * s.m * s.n));
    burn::ndarray::Product work;
    work.shape = s;
    work.batch = {1, {batch}, {s.m * s.k}, {s.k * s.n}, {s.m * s.n}};
    const auto place = [](std::vector<float>& matrix, Operand order, int64_t rows, int64_t columns) {
        auto* data = reinterpret_cast<std::byte*>(matrix.data());
        return order == Operand::Rows ? burn::ndarray::AnyMatrix{data, columns, 1}
                                      : burn::ndarray::AnyMatrix{data, 1, rows};
    };
    work.a = place(a, a_order, s.m, s.k);
    work.b = place(b, b_order, s.k, s.n);
    work.c = place(c, Operand::Rows, s.m, s.n);
    const auto av = work.a.view<const float>(), bv = work.b.view<const float>();
    const auto check = [&](const char* candidate) {
        for (int64_t i = 0; i < s.m; i += 1 + s.m / 7) {
            for (int64_t j = 0; j < s.n; j += 1 + s.n / 11) {
                double sum = 0, magnitude = 1;
                const int64_t last = batch - 1;  // the last matrices of the batch
                for (int64_t p = 0; p < s.k; ++p) {
                    const double term =
                        static_cast<double>(av.data[last * s.m * s.k + i * av.row_stride + p * av.col_stride]) *
                        static_cast<double>(bv.data[last * s.k * s.n + p * bv.row_stride + j * bv.col_stride]);
                    sum += term;
                    magnitude += term < 0 ? -term : term;
                }
                require_close(static_cast<double>(c[static_cast<std::size_t>((last * s.m + i) * s.n + j)]), sum,
                              magnitude, (std::string(name) + " by " + candidate).c_str());
            }
        }
    };
    const auto candidates = burn::cpu::product_candidates();
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!burn::cpu::can_multiply(i, work)) continue;
        able.push_back(i);
        std::ranges::fill(c, 0.0f);
        burn::cpu::multiply_by(i, work);
        check(candidates[i].name);
    }
    compare(name, 2.0 * static_cast<double>(batch * s.m * s.n * s.k), candidates, able,
            [&](std::size_t candidate) { burn::cpu::multiply_by(candidate, work); });
}

double total(const std::vector<float>& values) {
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    return sum;
}

// With constant operands every result's sum is a count of products; and <dy, conv(x, w)> = <dx, x> = <dw, w> for random ones.
double inner(const std::vector<float>& x, const std::vector<float>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return sum;
}

/// How often a filter's taps are inside x along one axis, for all outputs together.
double taps_inside(const burn::ndarray::ConvAxis& axis) {
    double count = 0;
    for (int64_t i = 0; i < axis.out(); ++i) {
        for (int64_t p = 0; p < axis.kernel; ++p) {
            const int64_t at = i * axis.stride + p * axis.dilation - axis.pad_before;
            count += at >= 0 && at < axis.in;
        }
    }
    return count;
}

void convolution(const char* name, const Conv2dShape& s) {
    using burn::ndarray::ConvolutionKind;
    const char* const kinds[] = {"forward", "dx", "dw"};
    const int64_t x_size = s.batch * s.in_channels * s.h.in * s.w.in, w_size = s.out_channels * s.taps();
    const int64_t y_size = s.batch * s.out_channels * s.h.out() * s.w.out();
    const std::vector<float> x = reals(x_size, 1), w = reals(w_size, 2), dy = reals(y_size, 3);
    std::vector<float> y(dy.size()), dx(x.size()), dw(w.size());
    const auto bytes = [](const std::vector<float>& values) {
        return reinterpret_cast<const std::byte*>(values.data());
    };
    const auto result = [](std::vector<float>& values) { return reinterpret_cast<std::byte*>(values.data()); };
    const burn::ndarray::Convolution works[] = {
        {ConvolutionKind::Forward, burn::DType::F32, s, bytes(x), bytes(w), result(y)},
        {ConvolutionKind::InputGrad, burn::DType::F32, s, bytes(dy), bytes(w), result(dx)},
        {ConvolutionKind::WeightGrad, burn::DType::F32, s, bytes(x), bytes(dy), result(dw)}};
    const double products =
        taps_inside(s.h) * taps_inside(s.w) * static_cast<double>(s.batch * s.out_channels * s.group_in());
    const auto candidates = burn::cpu::convolution_candidates();
    for (int kind = 0; kind < 3; ++kind) {
        const std::string label = std::string(name) + '.' + kinds[kind];
        if (!is_wanted(label)) continue;
        std::vector<std::size_t> able;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (!burn::cpu::can_convolve(i, works[kind])) continue;
            able.push_back(i);
            const std::string who = label + " by " + candidates[i].name;
            // With all ones, the sum of the results is the number of products.
            const std::vector<float> ones_x(x.size(), 1), ones_w(w.size(), 1);
            burn::ndarray::Convolution ones = works[0];
            ones.left = bytes(ones_x);
            ones.right = bytes(ones_w);
            burn::cpu::convolve_by(i, ones);
            require_close(total(y), products, products, who.c_str());
            // And <dy, conv(x, w)> = <dx, x> = <dw, w>.
            burn::cpu::convolve_by(i, works[0]);
            const double expected = inner(dy, y);
            const double magnitude = static_cast<double>(y_size) + (expected < 0 ? -expected : expected);
            burn::cpu::convolve_by(i, works[kind]);
            if (kind == 1) require_close(inner(dx, x), expected, magnitude, who.c_str());
            if (kind == 2) require_close(inner(dw, w), expected, magnitude, who.c_str());
        }
        compare(label.c_str(), 2 * products, candidates, able,
                [&](std::size_t candidate) { burn::cpu::convolve_by(candidate, works[kind]); });
    }
}

}  // namespace

int main(int argc, char** argv) {
    // OpenBLAS falls back to slow kernels on processors that it does not know.
    const bool avx512 = burn::active_isa() == burn::Isa::Avx512, avx2 = burn::active_isa() == burn::Isa::Avx2;
    if (avx512 || avx2) ::setenv("OPENBLAS_CORETYPE", avx512 ? "SkylakeX" : "Haswell", 1);
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--seconds")
            seconds_only = true;
        else if (std::string_view(argv[i]) == "--wall")
            burn::bench::wall_only = true;
        else
            wanted.emplace_back(argv[i]);
    }
    if (!seconds_only) {
        peak = burn::bench::peak_gflops();
        std::printf("%s, %d threads; one core's measured peak: %.1f GFLOP/s\n", burn::isa_name(burn::active_isa()),
                    burn::num_threads(), peak);
    }
    const auto rows = Operand::Rows, columns = Operand::Columns;
    for (const auto& [family, candidates] : {std::pair("products", burn::cpu::product_candidates()),
                                             std::pair("convolutions", burn::cpu::convolution_candidates())}) {
        for (const burn::autotune::Candidate& candidate : candidates) {
            if (seconds_only || !candidate.version().empty()) continue;
            std::printf("%s without %s: %s\n", family, candidate.name, candidate.why_missing().c_str());
        }
    }
    product("square.64", {64, 64, 64}, rows, rows);
    product("square.128", {128, 128, 128}, rows, rows);
    product("square.256", {256, 256, 256}, rows, rows);
    product("square.512", {512, 512, 512}, rows, rows);
    product("square.1024", {1024, 1024, 1024}, rows, rows);
    product("square.2048", {2048, 2048, 2048}, rows, rows);
    product("nt.1024", {1024, 1024, 1024}, rows, columns);
    product("tn.1024", {1024, 1024, 1024}, columns, rows);
    product("batched.64x128", {128, 128, 128}, rows, rows, 64);
    product("odd.1023x1025x1027", {1023, 1025, 1027}, rows, rows);
    product("gemv.1x4096x4096", {1, 4096, 4096}, rows, rows);
    product("gemv.nt.1x4096x4096", {1, 4096, 4096}, rows, columns);
    product("gemv.4096x1x4096", {4096, 1, 4096}, rows, rows);
    // The linear layers of the guide model, weights stored [in, out].
    product("linear1.forward", {64, 512, 1024}, rows, rows);
    product("linear1.dx", {64, 1024, 512}, rows, columns);
    product("linear1.dw", {1024, 512, 64}, columns, rows);
    product("linear2.forward", {64, 10, 512}, rows, rows);
    product("linear2.dx", {64, 512, 10}, rows, columns);
    product("linear2.dw", {512, 10, 64}, columns, rows);
    product("vector.row", {1, 1024, 1024}, rows, rows);
    product("vector.column", {1024, 1, 1024}, rows, rows);
    // Its convolutions, and some of larger networks.
    convolution("conv1", {64, 1, 8, 1, {28, 3}, {28, 3}});
    convolution("conv2", {64, 8, 16, 1, {26, 3}, {26, 3}});
    convolution("conv64x56", {8, 64, 64, 1, {56, 3, 1, 1, 1, 1}, {56, 3, 1, 1, 1, 1}});
    convolution("conv256x14", {8, 256, 256, 1, {14, 3, 1, 1, 1, 1}, {14, 3, 1, 1, 1, 1}});
    convolution("conv128x28", {8, 128, 128, 1, {28, 3, 1, 1, 1, 1}, {28, 3, 1, 1, 1, 1}});
    convolution("conv512x7", {8, 512, 512, 1, {7, 3, 1, 1, 1, 1}, {7, 3, 1, 1, 1, 1}});
    convolution("conv1x1", {8, 256, 64, 1, {56, 1}, {56, 1}});
    convolution("stem7x7s2", {8, 3, 64, 1, {224, 7, 2, 1, 3, 3}, {224, 7, 2, 1, 3, 3}});
    // Those of the yardstick.
    convolution("yardstick.3x3", {4, 64, 64, 1, {56, 3, 1, 1, 1, 1}, {56, 3, 1, 1, 1, 1}});
    convolution("yardstick.1x1", {4, 256, 64, 1, {56, 1}, {56, 1}});
    convolution("yardstick.7x7s2", {4, 3, 64, 1, {224, 7, 2, 1, 3, 3}, {224, 7, 2, 1, 3, 3}});
    convolution("yardstick.depthwise", {4, 256, 256, 256, {28, 3, 1, 1, 1, 1}, {28, 3, 1, 1, 1, 1}});
    convolution("depthwise", {8, 64, 64, 64, {56, 3, 1, 1, 1, 1}, {56, 3, 1, 1, 1, 1}});
    return 0;
}
