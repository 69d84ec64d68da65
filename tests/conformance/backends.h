#pragma once

#include <burn/ops/engine.h>

#include <span>

namespace burn::conformance {

/// An engine that the suites run on, with and without autodiff around it.
struct TestedBackend {
    const char* name;
    ops::Engine& (*plain)();
    ops::Engine& (*autodiff)();
};

/// Every backend and combination of decorators that this build has and this machine can run. A new one is one line here.
std::span<const TestedBackend> tested_backends();

/// Null when there is none of that name.
const TestedBackend* find_backend(const char* name);

}  // namespace burn::conformance
