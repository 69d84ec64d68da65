#pragma once

#include <burn/ops/engine.h>

namespace burn {

namespace autodiff {

/// The autodiff engine around `inner`; made at first use, one for each inner engine, and kept as long as the program runs.
///
/// Thread    may be called from several threads
ops::Engine& engine_over(ops::Engine& inner);

/// The gradients of one backward pass, by leaf: tensors of the inner engine.
class Gradients {
public:
    /// The gradient of a leaf; empty when the loss does not depend on it.
    ///
    /// Errors    GradientError when the tensor is not a leaf (it was not marked by require_grad)
    ops::Handle get(const ops::Handle& leaf) const;
    /// The same, and the gradient leaves this object.
    ops::Handle take(const ops::Handle& leaf);
    /// Puts another gradient in place of the leaf's.
    void replace(const ops::Handle& leaf, ops::Handle gradient);
    std::size_t size() const { return entries_.size(); }

    /// Adds to the gradient of the leaf with this number.
    void accumulate(std::uint64_t leaf, ops::Handle gradient);

private:
    struct Entry {
        std::uint64_t leaf;
        ops::Handle gradient;
    };
    Entry* find(std::uint64_t leaf);

    SmallVector<Entry, 8> entries_;  ///< sorted by leaf
};

/// Marks a tensor as a leaf whose gradient is wanted: a new tensor with the same values and no history.
///
/// Errors    DTypeError unless it is of Float kind; GradientError when it is tracked and not a leaf
ops::Handle require_grad(ops::Handle tensor);
/// The same values, untracked.
ops::Handle detach(const ops::Handle& tensor);
bool is_tracked(const ops::Handle& tensor);
bool is_leaf(const ops::Handle& tensor);
/// The tensor of the inner engine, without history.
ops::Handle inner(ops::Handle tensor);
/// An untracked tensor of the autodiff engine around that of `tensor`.
ops::Handle from_inner(ops::Handle tensor);

/// Pulls gradients back from `root` to every leaf it was made from, with cotangent 1 for every element.
///
/// Consumes the graph: what was saved is released on the way, and a second pass over it is an error.
///
/// Errors    GradientError when root is not tracked, or its graph was consumed
Gradients backward(const ops::Handle& root);
/// The same from a given cotangent of root's shape.
Gradients backward(const ops::Handle& root, ops::Handle cotangent);

/// A stretch of a program that can be run again: the same inputs must give the same outputs.
class Region : public Counted {
public:
    virtual ops::HandleList run(ops::HandleList inputs) = 0;
};

/// Runs a region without keeping what its operations would save; backward runs it again instead.
///
/// Gradients also reach tracked tensors that the region uses besides its inputs. Random numbers repeat.
///
/// Memory    the region's inputs, until backward
/// Errors    ArgumentError without inputs; what the region raises
ops::HandleList checkpoint(Ref<Region> region, ops::HandleList inputs);

}  // namespace autodiff

/// Adds gradients to a backend: every operation also runs on `B`, and `backward()` exists.
template <class B>
struct Autodiff {
    using Inner = B;

    static std::size_t device_count() { return B::device_count(); }
    static ops::Engine& engine(std::size_t device) { return autodiff::engine_over(B::engine(device)); }
};

}  // namespace burn
