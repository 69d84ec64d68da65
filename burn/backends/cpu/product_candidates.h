#pragma once

#include <burn/backends/ndarray/product/product.h>
#include <burn/compiler/autotune/tuner.h>

namespace burn::cpu {

/// What can run matrix products here: our kernels, OpenBLAS, oneDNN, in this order.
std::span<const autotune::Candidate> product_candidates();

/// Whether a candidate is there and can run this product.
bool can_multiply(std::size_t candidate, const ndarray::Product& product);

/// Runs a product by a candidate that can.
void multiply_by(std::size_t candidate, const ndarray::Product& product);

/// Runs a product by the candidate that autotune::Tuner chooses.
void multiply_by_best(const ndarray::Product& product);

}  // namespace burn::cpu
