#include "tests/conformance/backends.h"

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/decorators/autodiff/autodiff.h>

#include <cstring>

namespace burn::conformance {

namespace {

template <class B>
TestedBackend tested(const char* name) {
    return {name, []() -> ops::Engine& { return B::engine(0); },
            []() -> ops::Engine& { return Autodiff<B>::engine(0); }};
}

const TestedBackend kBackends[] = {
    tested<NdArray>("ndarray"),
    tested<CpuEager>("cpu_eager"),
    tested<Cpu>("cpu"),
};

}  // namespace

std::span<const TestedBackend> tested_backends() { return kBackends; }

const TestedBackend* find_backend(const char* name) {
    for (const TestedBackend& backend : tested_backends()) {
        if (std::strcmp(backend.name, name) == 0) return &backend;
    }
    return nullptr;
}

}  // namespace burn::conformance
