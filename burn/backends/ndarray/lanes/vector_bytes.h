// Of internal linkage, like all that is compiled once for each instruction set: lanes.h says why.
#pragma once

namespace burn::ndarray {
namespace {

/// The size of a vector of the instruction set that the including file is compiled for.
#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

}  // namespace
}  // namespace burn::ndarray
