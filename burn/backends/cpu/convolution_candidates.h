#pragma once

#include <burn/backends/ndarray/convolution/convolution.h>
#include <burn/compiler/autotune/tuner.h>

namespace burn::cpu {

/// What can run convolutions here: our kernels, oneDNN, in this order.
std::span<const autotune::Candidate> convolution_candidates();

/// Whether a candidate is there and can run this convolution.
bool can_convolve(std::size_t candidate, const ndarray::Convolution& convolution);

/// Runs a convolution by a candidate that can.
void convolve_by(std::size_t candidate, const ndarray::Convolution& convolution);

/// Runs a convolution by the candidate that autotune::Tuner chooses.
void convolve_by_best(const ndarray::Convolution& convolution);

}  // namespace burn::cpu
