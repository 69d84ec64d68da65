// In place of onednn_convolution.cpp where its headers were not found.
#include <burn/backends/cpu/libraries/onednn.h>
#include <burn/backends/cpu/libraries/onednn_convolution.h>
#include <burn/base/error.h>

namespace burn::cpu {

std::string why_no_onednn_convolution() {
    return has_onednn() ? "this build had no headers of oneDNN 2" : why_no_onednn();
}

bool onednn_can_convolve(const ndarray::Convolution&) { return false; }

void onednn_convolve(const ndarray::Convolution&) {
    raise(ErrorKind::Unsupported, Message() << "conv: oneDNN: " << why_no_onednn_convolution().c_str());
}

}  // namespace burn::cpu
