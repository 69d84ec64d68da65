#pragma once

#include <burn/base/function_ref.h>
#include <burn/kernel/value.h>

#include <optional>
#include <span>

namespace burn::kernel {

struct Kernel;

/// What stands for a node in the copy of its kernel: nothing for the node itself, or a value of the node's type, for which
/// further nodes may be written at this place.
///
/// `operands` are the copies of the node's operands, values of the kernel that `k` writes.
using Replacement = FunctionRef<std::optional<Value>(Builder& k, const Node& node, std::span<const Value> operands)>;

/// Copies a verified kernel node by node through a Builder; `replace` is asked for each Leaf and Pure node.
///
/// Equal pure nodes become one, and nodes and blocks are numbered in the order of the text form.
///
/// Example   rewrite(kernel, [](Builder&, const Node& node, std::span<const Value> x) -> std::optional<Value> {
///               if (node.kind != NodeKind::Neg) return std::nullopt;
///               return 0 - x[0];
///           })
Kernel rewrite(const Kernel& kernel, Replacement replace);

}  // namespace burn::kernel
