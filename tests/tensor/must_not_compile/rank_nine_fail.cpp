// A tensor has 1 to 8 axes.
#include <burn/backends/ndarray/ndarray.h>
#include <burn/tensor/tensor.h>

#ifdef MUST_NOT_COMPILE
constexpr std::size_t kRank = 9;
#else
constexpr std::size_t kRank = 8;
#endif

burn::Tensor<burn::NdArray, kRank> tensor;
