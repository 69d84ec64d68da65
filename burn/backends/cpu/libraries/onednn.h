#pragma once

#include <burn/backends/cpu/libraries/blas_product.h>

#include <string>

namespace burn::cpu {

/// oneDNN 2 or 3, looked for at the first call of any of these; nothing links it.
///
/// Of its C interface the entries are used that both versions share: dnnl_version and dnnl_sgemm. A call runs on the thread that
/// makes it, since ours share the work.
///
/// Thread    any
bool has_onednn();
/// "2.6.3"; empty where it is missing.
std::string onednn_version();
/// Empty where it is not missing.
std::string why_no_onednn();

/// A product by dnnl_sgemm. Only where it is there.
///
/// Errors    InternalError when it refuses
void onednn_multiply(const BlasProduct<float>& product);

}  // namespace burn::cpu
