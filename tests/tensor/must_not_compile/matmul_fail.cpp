// A matrix product needs two axes.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
constexpr std::size_t kRank = 1;
#else
constexpr std::size_t kRank = 2;
#endif

auto multiply(const burn::Tensor<burn::NdArray, kRank>& a) { return a.matmul(a); }
