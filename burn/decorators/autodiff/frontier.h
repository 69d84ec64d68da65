#pragma once

#include <burn/decorators/autodiff/autodiff.h>
#include <burn/decorators/autodiff/cotangent_sum.h>
#include <burn/decorators/autodiff/grad_node.h>

#include <vector>

namespace burn::autodiff {

/// One walk backwards over a graph: the nodes that wait for their turn, latest first, with the cotangents that reached them.
class Frontier {
public:
    /// Where the walk ends: cotangents of nodes made before number `first` go to `outer` instead, for its walk to take up.
    explicit Frontier(std::uint64_t first = 0, Frontier* outer = nullptr) : first_(first), outer_(outer) {}

    /// Adds a cotangent of one result of a node, or of a region of it.
    void add(const GradEdge& edge, ops::Cotangent cotangent);

    /// Pulls every cotangent back to the leaves, consuming the nodes on the way.
    ///
    /// Errors    GradientError at a node that an earlier walk consumed
    void walk();

    /// The cotangents of the leaves that were reached.
    Gradients& gradients() { return gradients_; }

private:
    struct Waiting {
        Ref<GradNode> node;
        std::vector<CotangentSum> cotangents;
    };
    Waiting& find_or_add(const Ref<GradNode>& node);

    std::uint64_t first_;
    Frontier* outer_;
    SmallVector<Waiting, 8> waiting_;  ///< sorted by number
    Gradients gradients_;
};

}  // namespace burn::autodiff
