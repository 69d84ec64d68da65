#pragma once

#include <burn/backends/ndarray/convolution/convolution.h>
#include <burn/backends/ndarray/product/product.h>

#include <string>

namespace burn::cpu {

/// The candidate (product_candidates.h, convolution_candidates.h) where nothing was measured on this machine: a table of what was
/// measured elsewhere, and our kernels where it is silent.
std::size_t shipped_choice(const ndarray::Product& product);
std::size_t shipped_choice(const ndarray::Convolution& convolution);

/// The version of our products and convolutions. Raised when their speed changes, so that older rankings are not believed.
std::string our_kernels_version();

}  // namespace burn::cpu
