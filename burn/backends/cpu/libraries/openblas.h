#pragma once

#include <burn/backends/cpu/libraries/blas_product.h>

#include <string>

namespace burn::cpu {

/// OpenBLAS, looked for at the first call of any of these; nothing links it.
///
/// It is told to use one thread, since ours share the work; a program that had it loaded before keeps its threads, and the
/// library is then not used.
///
/// Thread    any
bool has_openblas();
/// "0.3.21 SkylakeX"; empty where it is missing.
std::string openblas_version();
/// Empty where it is not missing.
std::string why_no_openblas();

/// Products of f32 and f64, by cblas_?gemm, or cblas_?gemv for vectors. Only where it is there.
void openblas_multiply(const BlasProduct<float>& product);
void openblas_multiply(const BlasProduct<double>& product);

}  // namespace burn::cpu
