#include <burn/base/cpu_features.h>

#include <burn/base/environment.h>
#include <burn/base/error.h>

#include <atomic>

#if BURN_HOSTED
#include <cstdio>
#endif

namespace burn {

namespace {

constexpr Isa kStrongestFirst[] = {Isa::Avx512, Isa::Avx2, Isa::Baseline};
constexpr int kUnknown = -1;

std::atomic<int> active{kUnknown};

Isa choose() {
#if BURN_HOSTED
    const std::string_view wanted = environment_choice("BURN_ISA", {"", "avx512", "avx2", "baseline"});
    for (Isa isa : kStrongestFirst) {
        if (wanted == isa_name(isa) && isa_supported(isa)) return isa;
    }
    if (!wanted.empty()) std::fprintf(stderr, "burn: BURN_ISA is %s, which this processor has not\n", wanted.data());
#endif
    for (Isa isa : kStrongestFirst) {
        if (isa_supported(isa)) return isa;
    }
    return Isa::Baseline;
}

}  // namespace

const char* isa_name(Isa isa) {
    switch (isa) {
        case Isa::Baseline: return "baseline";
        case Isa::Avx2: return "avx2";
        case Isa::Avx512: return "avx512";
    }
    return "unknown";
}

bool isa_supported(Isa isa) {
#if BURN_HOSTED && defined(__x86_64__)
    if (isa == Isa::Avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (isa == Isa::Avx512) {
        return isa_supported(Isa::Avx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    }
#endif
    return isa == Isa::Baseline;
}

bool fetches_rows_early() {
#if BURN_HOSTED && defined(__x86_64__)
    return __builtin_cpu_is("amdfam19h");  // Zen 3 and 4
#else
    return false;
#endif
}

Isa active_isa() {
    int isa = active.load(std::memory_order_relaxed);
    if (isa == kUnknown) {
        isa = static_cast<int>(choose());
        active.store(isa, std::memory_order_relaxed);
    }
    return static_cast<Isa>(isa);
}

void set_active_isa(Isa isa) {
    if (!isa_supported(isa)) {
        raise(ErrorKind::Argument, Message() << "set_active_isa: this processor does not support " << isa_name(isa));
    }
    active.store(static_cast<int>(isa), std::memory_order_relaxed);
}

}  // namespace burn
