#include <burn/backends/cpu/libraries/onednn.h>

#include <burn/backends/cpu/libraries/onednn_library.h>
#include <burn/base/error.h>

namespace burn::cpu {

namespace {

/// What dnnl_version_t begins with in versions 2 and 3 (dnnl_types.h).
struct Version {
    int major, minor, patch;
    const char* hash;
    unsigned cpu_runtime;
};
constexpr unsigned kSequential = 1;  // DNNL_RUNTIME_SEQ
constexpr unsigned kOpenMp = 2;      // DNNL_RUNTIME_OMP

using Gemm = int(char a_trans, char b_trans, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                 const float* a, std::int64_t a_stride, const float* b, std::int64_t b_stride, float beta, float* c,
                 std::int64_t c_stride);

constexpr const char* kNames[] = {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so"};

struct OneDnn {
    OneDnn() : library(kNames) {
        const Version* (*find_version)() = nullptr;
        library.find("dnnl_version", find_version);
        library.find("dnnl_sgemm", gemm);
        if (!library.is_open()) return;
        const Version& found = *find_version();
        if (found.major != 2 && found.major != 3) {
            library.refuse("is of an unknown version");
            return;
        }
        library.find_optional("omp_get_max_threads", max_threads);
        library.find_optional("omp_set_num_threads", set_threads);
        const bool limits_threads = max_threads != nullptr && set_threads != nullptr;
        if (found.cpu_runtime != kSequential && !(found.cpu_runtime == kOpenMp && limits_threads)) {
            library.refuse("brings threads that cannot be told to stay away");
            return;
        }
        if (found.cpu_runtime == kSequential) set_threads = nullptr;
        version = std::to_string(found.major) + '.' + std::to_string(found.minor) + '.' + std::to_string(found.patch);
    }

    DynamicLibrary library;
    Gemm* gemm = nullptr;
    int (*max_threads)() = nullptr;
    void (*set_threads)(int) = nullptr;  ///< null where there are none
    std::string version;
};

const OneDnn& onednn() {
    static const OneDnn& instance = *new OneDnn;  // NOLINT: threads may outlive main
    return instance;
}

}  // namespace

const DynamicLibrary& onednn_library() { return onednn().library; }

OneThread::OneThread() {
    if (onednn().set_threads == nullptr) return;
    before_ = onednn().max_threads();
    if (before_ != 1) onednn().set_threads(1);
}

OneThread::~OneThread() {
    if (before_ != 1) onednn().set_threads(before_);
}

bool has_onednn() { return onednn().library.is_open(); }
std::string onednn_version() { return onednn().version; }
std::string why_no_onednn() { return onednn().library.reason(); }

void onednn_multiply(const BlasProduct<float>& p) {
    const OneThread one_thread;
    const auto trans = [](const BlasOperand<float>& operand) { return operand.transposed ? 'T' : 'N'; };
    const int status = onednn().gemm(trans(p.a), trans(p.b), p.m, p.n, p.k, 1.0f, p.a.data, p.a.stride, p.b.data,
                                     p.b.stride, p.accumulate ? 1.0f : 0.0f, p.c, p.c_stride);
    if (status != 0) raise(ErrorKind::Internal, Message() << "dnnl_sgemm: failed with status " << status);
}

}  // namespace burn::cpu
