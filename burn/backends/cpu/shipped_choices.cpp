#include <burn/backends/cpu/shipped_choices.h>

namespace burn::cpu {

std::size_t shipped_choice(const ndarray::Product&) { return 0; }

std::string our_kernels_version() { return "1"; }

}  // namespace burn::cpu
