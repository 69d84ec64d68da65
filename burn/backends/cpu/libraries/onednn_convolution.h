#pragma once

#include <burn/backends/ndarray/convolution/convolution.h>

#include <string>

namespace burn::cpu {

/// Convolutions by oneDNN, whose descriptions of tensors differ between versions: for them this library is built with the headers
/// of version 2 (Debian: libdnnl-dev), and a library of another version is not used.

/// Empty where they are there.
std::string why_no_onednn_convolution();

/// Whether they are there and oneDNN has an algorithm for this one: f32, and something to compute.
bool onednn_can_convolve(const ndarray::Convolution& convolution);

/// Runs a convolution, the images of the batch shared among our threads.
///
/// Memory    copies of the operands and the result in the layouts that oneDNN prefers
/// Errors    UnsupportedError when oneDNN has no algorithm, or fails
void onednn_convolve(const ndarray::Convolution& convolution);

}  // namespace burn::cpu
