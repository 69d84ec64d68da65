#pragma once

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/base/error.h>
#include <burn/decorators/autodiff/autodiff.h>

#include <string>

namespace guide {

/// Calls run.operator()<B>() with the backend of that name.
///
/// Errors    ArgumentError for a name that is none
template <class Run>
auto with_backend(const std::string& name, Run&& run) {
    if (name == "cpu") return run.template operator()<burn::Cpu>();
    if (name == "ndarray") return run.template operator()<burn::NdArray>();
    burn::raise(burn::ErrorKind::Argument, burn::Message()
                                               << "--backend " << name.c_str() << ": expected auto, cpu or ndarray");
}

/// The backend that `name` stands for: auto is cpu where kernels can be compiled, else ndarray. Says which on stdout.
std::string choose_backend(const std::string& name);

}  // namespace guide
