#include <burn/backends/cpu/object_symbols.h>

#include <burn/ops/num.h>
#include <burn/ops/pointwise_parts.h>

#include <math.h>  // the functions of the global namespace
#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace burn::cpu {

namespace {

using ops::Num;

template <class T, Num<T> (*Function)(Num<T>)>
void over_lanes(T* values, std::int64_t lanes) {
    for (std::int64_t i = 0; i < lanes; ++i) values[i] = Function(values[i]).value;
}

template <class T, Num<T> (*Function)(Num<T>, Num<T>)>
void over_lanes(T* values, const T* others, std::int64_t lanes) {
    for (std::int64_t i = 0; i < lanes; ++i) values[i] = Function(values[i], others[i]).value;
}

struct Function {
    kernel::NodeKind kind;
    bool is_f64;
    const char* name;
    const void* address;
};

template <class Result, class... Types>
const void* address_of(Result (*function)(Types...)) {
    return reinterpret_cast<const void*>(function);
}

#define BURN_UNARY(KIND, NAME)                                                                     \
    {kernel::NodeKind::KIND, false, "burn_" #NAME "_f32",                                          \
     address_of(&over_lanes<float, static_cast<Num<float> (*)(Num<float>)>(&ops::NAME)>)},         \
    {                                                                                              \
        kernel::NodeKind::KIND, true, "burn_" #NAME "_f64",                                        \
            address_of(&over_lanes<double, static_cast<Num<double> (*)(Num<double>)>(&ops::NAME)>) \
    }
#define BURN_BINARY(KIND, NAME)                                                                                 \
    {kernel::NodeKind::KIND, false, "burn_" #NAME "_f32",                                                       \
     address_of(&over_lanes<float, static_cast<Num<float> (*)(Num<float>, Num<float>)>(&ops::NAME)>)},          \
    {                                                                                                           \
        kernel::NodeKind::KIND, true, "burn_" #NAME "_f64",                                                     \
            address_of(&over_lanes<double, static_cast<Num<double> (*)(Num<double>, Num<double>)>(&ops::NAME)>) \
    }

const Function kFunctions[] = {
    BURN_UNARY(Exp, exp),     BURN_UNARY(Expm1, expm1),  BURN_UNARY(Log, log),
    BURN_UNARY(Log1p, log1p), BURN_UNARY(Sin, sin),      BURN_UNARY(Cos, cos),
    BURN_UNARY(Tan, tan),     BURN_UNARY(Asin, asin),    BURN_UNARY(Acos, acos),
    BURN_UNARY(Atan, atan),   BURN_UNARY(Sinh, sinh),    BURN_UNARY(Cosh, cosh),
    BURN_UNARY(Tanh, tanh),   BURN_UNARY(Asinh, asinh),  BURN_UNARY(Acosh, acosh),
    BURN_UNARY(Atanh, atanh), BURN_UNARY(Erf, erf),      BURN_UNARY(NormalCdf, normal_cdf),
    BURN_BINARY(Pow, powf),   BURN_BINARY(Atan2, atan2), BURN_BINARY(Hypot, hypot),
    BURN_BINARY(Rem, fmod),
};

#undef BURN_UNARY
#undef BURN_BINARY

/// The memory that a thread keeps for the kernels it runs. It is freed after the thread's objects are destroyed, for these may
/// run what the thread has recorded.
struct ThreadMemory {
    std::byte* begin;
    std::int64_t bytes;
};
thread_local ThreadMemory memory = {nullptr, 0};

/// Frees a thread's memory when it ends: keys are looked at after the destructors of thread_local objects.
class MemoryKey {
public:
    MemoryKey() { made_ = ::pthread_key_create(&key_, &free_memory) == 0; }
    /// `begin` in the place of what was there. Where the system has no more keys, the memory stays when the thread ends.
    void set(std::byte* begin) const {
        if (made_) ::pthread_setspecific(key_, begin);
    }

private:
    static void free_memory(void* begin) {
        std::free(begin);
        memory = {nullptr, 0};
    }

    pthread_key_t key_ = {};
    bool made_ = false;
};

std::byte* workspace(std::int64_t bytes) {
    static const MemoryKey key;
    if (memory.bytes < bytes) {
        std::free(memory.begin);
        memory.bytes = bytes;
        memory.begin = static_cast<std::byte*>(std::aligned_alloc(64, static_cast<std::size_t>(bytes)));
        key.set(memory.begin);
        if (memory.begin == nullptr) {
            // Between here and whoever launched stand frames that no exception can pass.
            std::fputs("burn: no memory is left for a kernel's arrays\n", stderr);
            std::abort();
        }
    }
    return memory.begin;
}

/// What LLVM itself calls where the processor has no instruction, or for large copies.
struct LibraryCall {
    const char* name;
    const void* address;
};

const LibraryCall kLibraryCalls[] = {
    {"floorf", address_of(&::floorf)}, {"floor", address_of<double, double>(&::floor)},
    {"ceilf", address_of(&::ceilf)},   {"ceil", address_of<double, double>(&::ceil)},
    {"truncf", address_of(&::truncf)}, {"trunc", address_of<double, double>(&::trunc)},
    {"rintf", address_of(&::rintf)},   {"rint", address_of<double, double>(&::rint)},
    {"fmaf", address_of(&::fmaf)},     {"fma", address_of<double, double, double, double>(&::fma)},
    {"memcpy", address_of(&::memcpy)}, {"memmove", address_of(&::memmove)},
    {"memset", address_of(&::memset)}, {kWorkspaceFunction, address_of(&workspace)},
};

}  // namespace

const char* lane_function(kernel::NodeKind kind, bool is_f64) {
    for (const Function& function : kFunctions) {
        if (function.kind == kind && function.is_f64 == is_f64) return function.name;
    }
    return nullptr;
}

const void* find_function(const char* name) {
    for (const Function& function : kFunctions) {
        if (std::strcmp(function.name, name) == 0) return function.address;
    }
    for (const LibraryCall& call : kLibraryCalls) {
        if (std::strcmp(call.name, name) == 0) return call.address;
    }
    return nullptr;
}

}  // namespace burn::cpu
