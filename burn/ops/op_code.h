#pragma once

#include <cstddef>
#include <cstdint>

namespace burn::ops {

/// One number per operation of the library, in the order of the tables; numbers from `Custom` on are given at run time.
enum class OpCode : std::uint16_t {
#define POINTWISE(NAME, ...) NAME,
#include <burn/ops/pointwise.def>
#undef POINTWISE
#define OP(NAME) NAME,
#include <burn/ops/ops.def>
#undef OP
    Custom,
};

constexpr std::size_t kOpCount = static_cast<std::size_t>(OpCode::Custom);

}  // namespace burn::ops
