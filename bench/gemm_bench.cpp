// Rates of the matrix product and convolution kernels beside the processor's measured peak.
//
//   gemm_bench [--seconds] [--wall] [NAME...]     every case, or those whose name begins with one of NAME
//
// --seconds prints "name seconds" lines only, for scripts. One thread is timed by its own clock, which stands still while
// others have the core, unless --wall is given. BURN_NUM_THREADS and BURN_ISA choose threads and instruction set.
#include <bench/kernel_bench.h>
#include <burn/backends/ndarray/conv_kernels.h>
#include <burn/backends/ndarray/gemm.h>
#include <burn/base/cpu_features.h>
#include <burn/base/parallel.h>

#include <string_view>

namespace {

using burn::bench::fastest;
using burn::bench::reals;
using burn::bench::require_close;
using burn::ndarray::Conv2dShape;
using burn::ndarray::GemmShape;
using burn::ndarray::MatrixView;

bool seconds_only = false;
std::vector<std::string_view> wanted;
double peak = 0;

bool is_wanted(std::string_view name) {
    for (const std::string_view prefix : wanted) {
        if (name.substr(0, prefix.size()) == prefix) return true;
    }
    return wanted.empty();
}

void report(const char* name, double seconds, double operations) {
    if (seconds_only) {
        std::printf("%s %.9f\n", name, seconds);
    } else {
        const double rate = operations / seconds * 1e-9;
        std::printf("%-24s %10.1f us %8.1f GFLOP/s %6.1f %% of one core's peak\n", name, seconds * 1e6, rate,
                    100 * rate / peak);
    }
    std::fflush(stdout);
}

enum class Operand { Rows, Columns };  // as stored: row-major, or the transpose of a row-major matrix

void product(const char* name, GemmShape s, Operand a_order, Operand b_order) {
    if (!is_wanted(name)) return;
    const std::vector<float> a = reals(s.m * s.k, 1), b = reals(s.k * s.n, 2);
    std::vector<float> c(static_cast<std::size_t>(s.m * s.n));
    const MatrixView<const float> av = a_order == Operand::Rows ? MatrixView<const float>{a.data(), s.k, 1}
                                                                : MatrixView<const float>{a.data(), 1, s.m};
    const MatrixView<const float> bv = b_order == Operand::Rows ? MatrixView<const float>{b.data(), s.n, 1}
                                                                : MatrixView<const float>{b.data(), 1, s.k};
    const double seconds = fastest([&] { burn::ndarray::gemm(s, av, bv, {c.data(), s.n, 1}); });
    for (int64_t i = 0; i < s.m; i += 1 + s.m / 7) {
        for (int64_t j = 0; j < s.n; j += 1 + s.n / 11) {
            double sum = 0, magnitude = 1;
            for (int64_t p = 0; p < s.k; ++p) {
                const double term = static_cast<double>(av.data[i * av.row_stride + p * av.col_stride]) *
                                    static_cast<double>(bv.data[p * bv.row_stride + j * bv.col_stride]);
                sum += term;
                magnitude += term < 0 ? -term : term;
            }
            require_close(static_cast<double>(c[static_cast<std::size_t>(i * s.n + j)]), sum, magnitude, name);
        }
    }
    report(name, seconds, 2.0 * static_cast<double>(s.m * s.n * s.k));
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

void convolution(const char* name, const Conv2dShape& s) {
    char label[3][64];
    const char* kinds[] = {"forward", "dx", "dw"};
    bool any = false;
    for (int i = 0; i < 3; ++i) {
        std::snprintf(label[i], sizeof label[i], "%s.%s", name, kinds[i]);
        any |= is_wanted(label[i]);
    }
    if (!any) return;
    const int64_t x_size = s.batch * s.in_channels * s.h.in * s.w.in, w_size = s.out_channels * s.taps();
    const int64_t y_size = s.batch * s.out_channels * s.h.out() * s.w.out();
    const std::vector<float> x = reals(x_size, 1), w = reals(w_size, 2), dy = reals(y_size, 3);
    std::vector<float> y(dy.size()), dx(x.size()), dw(w.size());
    const double seconds[] = {
        fastest([&] { burn::ndarray::conv2d_forward(s, x.data(), w.data(), y.data()); }),
        fastest([&] { burn::ndarray::conv2d_backward_input(s, dy.data(), w.data(), dx.data()); }),
        fastest([&] { burn::ndarray::conv2d_backward_weight(s, x.data(), dy.data(), dw.data()); })};
    const double expected = inner(dy, y);
    const double magnitude = static_cast<double>(y_size) + (expected < 0 ? -expected : expected);
    require_close(inner(dx, x), expected, magnitude, label[1]);
    require_close(inner(dw, w), expected, magnitude, label[2]);
    // The forward pass itself: with all ones, away from padding, every output is the number of taps.
    std::vector<float> ones_x(x.size(), 1), ones_w(w.size(), 1);
    burn::ndarray::conv2d_forward(s, ones_x.data(), ones_w.data(), y.data());
    double products = 0;
    for (int64_t i = 0; i < s.h.out(); ++i) {
        for (int64_t p = 0; p < s.h.kernel; ++p) {
            const int64_t row = i * s.h.stride + p * s.h.dilation - s.h.pad_before;
            products += row >= 0 && row < s.h.in;
        }
    }
    double columns = 0;
    for (int64_t j = 0; j < s.w.out(); ++j) {
        for (int64_t q = 0; q < s.w.kernel; ++q) {
            const int64_t column = j * s.w.stride + q * s.w.dilation - s.w.pad_before;
            columns += column >= 0 && column < s.w.in;
        }
    }
    products *= columns * static_cast<double>(s.batch * s.out_channels * s.group_in());
    require_close(total(y), products, products, label[0]);
    for (int i = 0; i < 3; ++i) report(label[i], seconds[i], 2 * products);
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--seconds")
            seconds_only = true;
        else
            wanted.emplace_back(argv[i]);
    }
    if (!seconds_only) {
        peak = burn::bench::peak_gflops();
        std::printf("%s, %d threads; one core's measured peak: %.1f GFLOP/s\n", burn::isa_name(burn::active_isa()),
                    burn::num_threads(), peak);
    }
    const auto rows = Operand::Rows, columns = Operand::Columns;
    product("square.64", {64, 64, 64}, rows, rows);
    product("square.128", {128, 128, 128}, rows, rows);
    product("square.256", {256, 256, 256}, rows, rows);
    product("square.512", {512, 512, 512}, rows, rows);
    product("square.1024", {1024, 1024, 1024}, rows, rows);
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
    convolution("conv1x1", {8, 256, 64, 1, {56, 1}, {56, 1}});
    convolution("stem7x7s2", {8, 3, 64, 1, {224, 7, 2, 1, 3, 3}, {224, 7, 2, 1, 3, 3}});
    convolution("depthwise", {8, 64, 64, 64, {56, 3, 1, 1, 1, 1}, {56, 3, 1, 1, 1, 1}});
    return 0;
}
