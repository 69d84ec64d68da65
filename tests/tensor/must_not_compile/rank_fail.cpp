// Tensors of different ranks do not mix.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
constexpr std::size_t kRank = 3;
#else
constexpr std::size_t kRank = 2;
#endif

auto add(const burn::Tensor<burn::NdArray, 2>& a, const burn::Tensor<burn::NdArray, kRank>& b) { return a + b; }
