#include "backends.h"

#include <burn/backends/cpu/plugin.h>
#include <burn/decorators/fusion/fusion.h>
#include <burn/train/text_output.h>

namespace guide {

std::string choose_backend(const std::string& name) {
    burn::training::StandardOutput output;
    if (name == "cpu" && burn::cpu::code_generator() == nullptr) {
        output.write("backend: cpu, an operation at a time (" + burn::cpu::why_no_code_generator() + ")\n");
    }
    if (name != "auto") return name;
    if (burn::cpu::code_generator() != nullptr) {
        output.write(burn::fusion::enabled() ? "backend: cpu, with kernels compiled by LLVM\n"
                                             : "backend: cpu, an operation at a time (BURN_FUSION is off)\n");
        return "cpu";
    }
    output.write("backend: ndarray (" + burn::cpu::why_no_code_generator() + ")\n");
    return "ndarray";
}

}  // namespace guide
