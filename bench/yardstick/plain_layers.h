// Layers in double precision by plain loops: what training steps are checked against.
#pragma once

#include <cstdint>
#include <vector>

namespace burn::bench::plain {

using Values = std::vector<double>;

/// Shapes    x [rows, in], weight [in, out], bias [out] or empty -> [rows, out]
Values linear(const Values& x, const Values& weight, const Values& bias, std::int64_t in);
/// x times the probability of a standard normal number below x.
Values gelu(Values x);
/// gelu by the tanh formula.
Values gelu_tanh(Values x);
Values relu(Values x);
Values product(Values a, const Values& b);
Values sum(Values a, const Values& b);
/// Shapes    x [rows, width], scale, shift [width]
Values layer_norm(const Values& x, const Values& scale, const Values& shift);
/// Shapes    x [images, in, size, size], weight [out, in, 3, 3], bias [out] -> [images, out, size - 2, size - 2]
Values conv3x3(const Values& x, const Values& weight, const Values& bias, std::int64_t in, std::int64_t size);
/// Averages over windows [i size / 8, ceil((i + 1) size / 8)) of both axes.
///
/// Shapes    x [planes, size, size] -> [planes, 8, 8]
Values average_to_8x8(const Values& x, std::int64_t size);
/// Attention of each position to itself and those before.
///
/// Shapes    qkv [batch, n, 3, heads, d] -> [batch, n, heads, d]
Values causal_attention(const Values& qkv, std::int64_t n, std::int64_t heads, std::int64_t d);
/// Mean of ln(sum of exp(scores)) - scores[target] over rows.
double cross_entropy(const Values& scores, const std::vector<std::int64_t>& targets);

}  // namespace burn::bench::plain
