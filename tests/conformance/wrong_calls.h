#pragma once

#include <burn/base/error.h>
#include <burn/ops/any_op.h>

#include <string>
#include <vector>

namespace burn::conformance {

/// A call that inference must reject, and how.
struct WrongCall {
    ops::AnyOp op;
    std::vector<TensorSpec> operands;
    ErrorKind kind;
    std::string message;  ///< a regular expression that the text after "op: " holds
};

using WrongCalls = std::vector<WrongCall>;

// ---- operands
TensorSpec f32(const Shape& shape);
TensorSpec f64(const Shape& shape);
TensorSpec i64(const Shape& shape);
TensorSpec boolean(const Shape& shape);

/// Wrong calls of the structured operations; those of the pointwise table follow from its columns.
WrongCalls wrong_calls();

// One function a family; a new family is a line here and a call in wrong_calls.
void add_wrong_creations(WrongCalls& calls);
void add_wrong_reductions(WrongCalls& calls);
void add_wrong_shapes(WrongCalls& calls);
void add_wrong_indexing(WrongCalls& calls);
void add_wrong_products(WrongCalls& calls);
void add_wrong_layers(WrongCalls& calls);
void add_wrong_attention(WrongCalls& calls);

/// Structured operations whose inference takes whatever it is given.
inline constexpr const char* kAcceptEverything[] = {"cast"};

}  // namespace burn::conformance
