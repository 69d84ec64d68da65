#pragma once

#include "tests/conformance/call.h"

#include <map>
#include <string>

namespace burn::conformance {

/// Runs a case's operation on its operands and gives the outputs, in the order of the case.
using Binding = ops::HandleList (*)(Call& call);

/// Which function of ours each operation of the stored results is.
///
/// An operation whose name, operands and scalars are those of a line of ops/pointwise.def needs no entry.
class Bindings {
public:
    void add(const char* op, Binding binding);
    /// For lambdas of one result.
    template <class Function>
        requires std::is_empty_v<Function>
    void add_one(const char* op, Function) {
        add(op, [](Call& call) { return ops::list_of(Function()(call)); });
    }
    /// Null when the operation is neither here nor in the pointwise table.
    Binding find(const std::string& op) const;
    std::size_t size() const { return bindings_.size(); }

private:
    std::map<std::string, Binding> bindings_;
};

/// All bindings: those of every family below.
const Bindings& all_bindings();

// One source file a family, bindings_<family>.cpp; a new family is a line here and a call in bindings.cpp.
void bind_activation(Bindings& bindings);
void bind_attention(Bindings& bindings);
void bind_conv(Bindings& bindings);
void bind_indexing(Bindings& bindings);
void bind_loss(Bindings& bindings);
void bind_matmul(Bindings& bindings);
void bind_norm(Bindings& bindings);
void bind_pointwise(Bindings& bindings);
void bind_pool(Bindings& bindings);
void bind_reduce(Bindings& bindings);
void bind_shape(Bindings& bindings);
void bind_softmax(Bindings& bindings);

}  // namespace burn::conformance
