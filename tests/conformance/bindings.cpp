#include "tests/conformance/bindings.h"

#include "tests/conformance/pointwise_table.h"

namespace burn::conformance {

namespace {

/// The operands in their order, the numbers among the arguments as scalars.
ops::HandleList call_pointwise(Call& call) {
    const PointwiseLine* line = find_pointwise(call.oracle_case().op.c_str());
    const auto scalars = call.scalars();
    if (static_cast<int>(call.count()) != line->info.operands ||
        static_cast<int>(scalars.size()) != line->info.scalars) {
        raise(ErrorKind::Argument, Message() << line->info.op.name << ": the case has " << call.count()
                                             << " operands and " << scalars.size() << " scalars; the table has "
                                             << line->info.operands << " and " << line->info.scalars);
    }
    ops::PointwiseAttributes attributes;
    if (scalars.size() > 0) attributes.s = scalars[0];
    if (scalars.size() > 1) attributes.t = scalars[1];
    return ops::list_of(line->apply(call.all_inputs(), attributes));
}

}  // namespace

void Bindings::add(const char* op, Binding binding) {
    if (!bindings_.emplace(op, binding).second)
        raise(ErrorKind::Argument, Message() << "bindings: " << op << " is bound twice");
}

Binding Bindings::find(const std::string& op) const {
    const auto found = bindings_.find(op);
    if (found != bindings_.end()) return found->second;
    return find_pointwise(op.c_str()) != nullptr ? &call_pointwise : nullptr;
}

const Bindings& all_bindings() {
    static const Bindings bindings = [] {
        Bindings made;
        bind_activation(made);
        bind_attention(made);
        bind_conv(made);
        bind_indexing(made);
        bind_loss(made);
        bind_matmul(made);
        bind_norm(made);
        bind_pointwise(made);
        bind_pool(made);
        bind_reduce(made);
        bind_shape(made);
        bind_softmax(made);
        return made;
    }();
    return bindings;
}

}  // namespace burn::conformance
