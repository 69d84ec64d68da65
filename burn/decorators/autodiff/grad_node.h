#pragma once

#include <burn/ops/any_op.h>
#include <burn/ops/grad_scope.h>
#include <burn/ops/handle.h>

#include <optional>

namespace burn::autodiff {

class Frontier;
class GradNode;

/// A way to pull cotangents back that is not an operation's gradient rule.
class PullBack : public Counted {
public:
    /// Gives one cotangent per parent. What the node reaches besides its parents goes to the frontier.
    virtual ops::HandleList run(ops::HandleList cotangents, Frontier& frontier) = 0;
};

/// One result of a node: where a tracked tensor comes from.
struct GradEdge {
    Ref<GradNode> node;  ///< null for an untracked tensor
    std::uint32_t output = 0;

    explicit operator bool() const { return static_cast<bool>(node); }
};

/// One operation of the recorded graph, or a leaf. Owned by the tensors it made and by the nodes that came after it, so a
/// graph lives exactly as long as somebody can call backward on it.
class GradNode final : public Counted {
public:
    /// A leaf: a tensor whose gradient the user asks for.
    explicit GradNode(const TensorSpec& spec);
    /// An operation; `inputs` and `outputs` hold what its gradient rule reads, and empty handles elsewhere.
    GradNode(const ops::AnyOp& op, SmallVector<GradEdge, 2> parents, SpecList input_specs, SpecList output_specs,
             ops::HandleList inputs, ops::HandleList outputs);

    /// Something else than one operation, called `name`.
    GradNode(const char* name, Ref<PullBack> pull_back, SmallVector<GradEdge, 2> parents, SpecList output_specs);

    /// Later nodes have higher numbers, so walking down the numbers visits users before what they use.
    std::uint64_t number() const { return number_; }
    bool is_leaf() const { return leaf_; }
    bool consumed() const { return consumed_; }
    std::size_t output_count() const { return output_specs_.size(); }
    const TensorSpec& output_spec(std::size_t i) const { return output_specs_[i]; }
    const SmallVector<GradEdge, 2>& parents() const { return parents_; }
    const char* name() const { return name_; }

    /// Runs the gradient rule on the cotangents of the results: gives one cotangent per parent (empty where none flows).
    ops::CotangentList pull_back(ops::HandleList cotangents, Frontier& frontier);
    /// Lets go of what was saved; a second backward through this node is an error from here on.
    void consume();

    /// How many nodes exist in this process; for tests and leak reports.
    static std::uint64_t live_count();
    /// No node made from here on has a lower number.
    static std::uint64_t next_number();

protected:
    ~GradNode() override;

private:
    const char* name_;
    std::optional<ops::AnyOp> op_;
    Ref<PullBack> pull_back_;
    SmallVector<GradEdge, 2> parents_;
    SpecList input_specs_;
    SpecList output_specs_;
    ops::HandleList inputs_;
    ops::HandleList outputs_;
    std::uint64_t number_;
    bool leaf_ = false;
    bool consumed_ = false;
};

}  // namespace burn::autodiff
