#include <burn/decorators/autodiff/autodiff.h>

#include <burn/decorators/autodiff/autodiff_tensor.h>
#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>

namespace burn::autodiff {

namespace {

const Ref<GradNode>& leaf_of(const ops::Handle& tensor, const char* op) {
    const GradEdge& edge = AutodiffTensor::of(tensor).edge();
    if (!edge || !edge.node->is_leaf()) {
        raise(ErrorKind::Gradient, Message() << op << ": the tensor " << tensor.shape()
                                             << " is not a leaf; gradients exist for tensors marked by require_grad");
    }
    return edge.node;
}

}  // namespace

Gradients::Entry* Gradients::find(std::uint64_t leaf) {
    std::size_t low = 0;
    std::size_t high = entries_.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (entries_[middle].leaf < leaf) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return entries_.data() + low;
}

ops::Handle Gradients::get(const ops::Handle& leaf) const {
    const std::uint64_t number = leaf_of(leaf, "grad")->number();
    const Entry* entry = const_cast<Gradients*>(this)->find(number);
    return entry != entries_.end() && entry->leaf == number ? entry->gradient : ops::Handle();
}

ops::Handle Gradients::take(const ops::Handle& leaf) {
    const std::uint64_t number = leaf_of(leaf, "grad_remove")->number();
    Entry* entry = find(number);
    return entry != entries_.end() && entry->leaf == number ? std::move(entry->gradient) : ops::Handle();
}

void Gradients::replace(const ops::Handle& leaf, ops::Handle gradient) {
    const std::uint64_t number = leaf_of(leaf, "grad_replace")->number();
    Entry* entry = find(number);
    if (entry != entries_.end() && entry->leaf == number) entry->gradient = ops::Handle();
    accumulate(number, std::move(gradient));
}

void Gradients::accumulate(std::uint64_t leaf, ops::Handle gradient) {
    Entry* entry = find(leaf);
    if (entry != entries_.end() && entry->leaf == leaf) {
        entry->gradient =
            entry->gradient ? ops::add(std::move(entry->gradient), std::move(gradient)) : std::move(gradient);
        return;
    }
    const auto place = static_cast<std::size_t>(entry - entries_.begin());
    entries_.push_back({leaf, std::move(gradient)});
    for (std::size_t i = entries_.size() - 1; i > place; --i) std::swap(entries_[i], entries_[i - 1]);
}

ops::Handle require_grad(ops::Handle tensor) {
    if (!is_float(tensor.dtype())) {
        raise(ErrorKind::DType,
              Message() << "require_grad: the tensor is " << tensor.dtype() << "; only Float tensors have gradients");
    }
    const GradEdge& edge = AutodiffTensor::of(tensor).edge();
    if (edge && !edge.node->is_leaf()) {
        raise(ErrorKind::Gradient, Message() << "require_grad: the tensor " << tensor.shape()
                                             << " is the result of a tracked operation; detach it first");
    }
    if (edge) return tensor;
    ops::Engine& engine = tensor.engine();
    const TensorSpec spec = tensor.spec();
    return ops::Handle(
        make_ref<AutodiffTensor>(engine, unwrap(std::move(tensor)), GradEdge{make_ref<GradNode>(spec), 0}));
}

ops::Handle detach(const ops::Handle& tensor) {
    const AutodiffTensor& tracked = AutodiffTensor::of(tensor);
    return ops::Handle(make_ref<AutodiffTensor>(tensor.engine(), tracked.inner(), GradEdge{}));
}

bool is_tracked(const ops::Handle& tensor) { return static_cast<bool>(AutodiffTensor::of(tensor).edge()); }

bool is_leaf(const ops::Handle& tensor) {
    const GradEdge& edge = AutodiffTensor::of(tensor).edge();
    return edge && edge.node->is_leaf();
}

ops::Handle inner(ops::Handle tensor) { return unwrap(std::move(tensor)); }

ops::Handle from_inner(ops::Handle tensor) {
    ops::Engine& engine = engine_over(tensor.engine());
    return ops::Handle(make_ref<AutodiffTensor>(engine, std::move(tensor), GradEdge{}));
}

}  // namespace burn::autodiff
