#include <burn/backends/cpu/libraries/openblas.h>

#include <burn/backends/cpu/libraries/dynamic_library.h>

#include <string_view>

namespace burn::cpu {

namespace {

// The C interface of BLAS, whose numbers are fixed by its standard (cblas.h).
constexpr int kRowMajor = 101;
constexpr int kNoTrans = 111;
constexpr int kTrans = 112;

template <class T>
using Gemm = void(int order, int a_trans, int b_trans, int m, int n, int k, T alpha, const T* a, int a_stride,
                  const T* b, int b_stride, T beta, T* c, int c_stride);
template <class T>
using Gemv = void(int order, int trans, int rows, int columns, T alpha, const T* matrix, int stride, const T* x,
                  int x_step, T beta, T* y, int y_step);

template <class T>
struct Entries {
    Gemm<T>* gemm = nullptr;
    Gemv<T>* gemv = nullptr;
};

int trans(bool transposed) { return transposed ? kTrans : kNoTrans; }

template <class T>
void multiply(const Entries<T>& entries, const BlasProduct<T>& p) {
    const auto beta = static_cast<T>(p.accumulate ? 1 : 0);
    const int a_stride = static_cast<int>(p.a.stride), b_stride = static_cast<int>(p.b.stride);
    const int c_stride = static_cast<int>(p.c_stride);
    if (p.m == 1) {  // c^T = B^T a^T
        const bool as_stored = p.b.transposed;
        entries.gemv(kRowMajor, trans(!as_stored), as_stored ? p.n : p.k, as_stored ? p.k : p.n, T(1), p.b.data,
                     b_stride, p.a.data, static_cast<int>(p.a.along_row()), beta, p.c, 1);
    } else if (p.n == 1) {
        const bool as_stored = !p.a.transposed;
        entries.gemv(kRowMajor, trans(!as_stored), as_stored ? p.m : p.k, as_stored ? p.k : p.m, T(1), p.a.data,
                     a_stride, p.b.data, static_cast<int>(p.b.along_column()), beta, p.c, c_stride);
    } else {
        entries.gemm(kRowMajor, trans(p.a.transposed), trans(p.b.transposed), p.m, p.n, p.k, T(1), p.a.data, a_stride,
                     p.b.data, b_stride, beta, p.c, c_stride);
    }
}

constexpr const char* kNames[] = {"libopenblas.so.0", "libopenblas.so"};

struct OpenBlas {
    OpenBlas() : library(kNames) {
        const char* (*config)() = nullptr;
        const char* (*core)() = nullptr;
        void (*set_threads)(int) = nullptr;
        library.find("cblas_sgemm", f32.gemm);
        library.find("cblas_sgemv", f32.gemv);
        library.find("cblas_dgemm", f64.gemm);
        library.find("cblas_dgemv", f64.gemv);
        library.find("openblas_get_config", config);
        library.find("openblas_get_corename", core);
        library.find("openblas_set_num_threads", set_threads);
        if (!library.is_open()) return;
        const std::string_view text = config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
        if (text.find("USE64BITINT") != std::string_view::npos) {
            library.refuse("takes sizes of 64 bits");
            return;
        }
        if (library.was_loaded()) {
            library.refuse("the program uses it already, with threads of its own");
            return;
        }
        set_threads(1);
        const std::size_t begin = text.find(' ') + 1;
        version = std::string(text.substr(begin, text.find(' ', begin) - begin)) + ' ' + core();
    }

    DynamicLibrary library;
    Entries<float> f32;
    Entries<double> f64;
    std::string version;
};

const OpenBlas& openblas() {
    static const OpenBlas& instance = *new OpenBlas;  // NOLINT: threads may outlive main
    return instance;
}

}  // namespace

bool has_openblas() { return openblas().library.is_open(); }
std::string openblas_version() { return openblas().version; }
std::string why_no_openblas() { return openblas().library.reason(); }

void openblas_multiply(const BlasProduct<float>& product) { multiply(openblas().f32, product); }
void openblas_multiply(const BlasProduct<double>& product) { multiply(openblas().f64, product); }

}  // namespace burn::cpu
