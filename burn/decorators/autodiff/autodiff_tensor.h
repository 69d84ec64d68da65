#pragma once

#include <burn/decorators/autodiff/grad_node.h>

namespace burn::autodiff {

/// A tensor of the inner engine, and where it comes from if it is tracked.
class AutodiffTensor final : public ops::EngineTensor {
public:
    AutodiffTensor(ops::Engine& engine, ops::Handle inner, GradEdge edge)
        : EngineTensor(engine, inner.spec()), inner_(std::move(inner)), edge_(std::move(edge)) {}

    static AutodiffTensor& of(const ops::Handle& handle) { return static_cast<AutodiffTensor&>(handle.tensor()); }

    const ops::Handle& inner() const { return inner_; }
    const GradEdge& edge() const { return edge_; }
    /// The inner tensor given away, for the last owner of this one.
    ops::Handle take_inner() { return std::move(inner_); }

private:
    ops::Handle inner_;
    GradEdge edge_;
};

/// The inner handle of an autodiff handle; given away if the outer one was the last.
inline ops::Handle unwrap(ops::Handle handle) {
    AutodiffTensor& tensor = AutodiffTensor::of(handle);
    return handle.unique() ? tensor.take_inner() : tensor.inner();
}

}  // namespace burn::autodiff
