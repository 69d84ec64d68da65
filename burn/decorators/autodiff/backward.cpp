#include <burn/decorators/autodiff/autodiff.h>

#include <burn/decorators/autodiff/autodiff_tensor.h>
#include <burn/ops/create.h>
#include <burn/ops/functions.h>

namespace burn::autodiff {

namespace {

/// The nodes that wait for their turn, highest number first, with the cotangents that have reached them.
class Frontier {
public:
    bool empty() const { return waiting_.empty(); }

    void add(const GradEdge& edge, ops::Handle cotangent) {
        Waiting& waiting = find_or_add(edge.node);
        ops::Handle& sum = waiting.cotangents[edge.output];
        sum = sum ? ops::add(std::move(sum), std::move(cotangent)) : std::move(cotangent);
    }

    struct Waiting {
        Ref<GradNode> node;
        ops::HandleList cotangents;
    };

    Waiting take_highest() {
        Waiting highest = std::move(waiting_.back());
        waiting_.pop_back();
        return highest;
    }

private:
    /// Kept sorted by number. New nodes are mostly older than all that wait but few, so the search from the end is short.
    Waiting& find_or_add(const Ref<GradNode>& node) {
        std::size_t place = waiting_.size();
        while (place > 0 && waiting_[place - 1].node->number() > node->number()) --place;
        if (place > 0 && waiting_[place - 1].node == node) return waiting_[place - 1];
        waiting_.push_back({node, ops::HandleList(node->output_count())});
        for (std::size_t i = waiting_.size() - 1; i > place; --i) std::swap(waiting_[i], waiting_[i - 1]);
        return waiting_[place];
    }

    SmallVector<Waiting, 8> waiting_;
};

}  // namespace

Gradients backward(const ops::Handle& root, ops::Handle cotangent) {
    const GradEdge& start = AutodiffTensor::of(root).edge();
    if (!start) {
        raise(ErrorKind::Gradient, Message() << "backward: the tensor " << root.shape()
                                             << " is not tracked; none of what it was made from is marked by require_grad");
    }
    Gradients gradients;
    Frontier frontier;
    frontier.add(start, std::move(cotangent));
    while (!frontier.empty()) {
        Frontier::Waiting waiting = frontier.take_highest();
        GradNode& node = *waiting.node;
        if (node.is_leaf()) {
            gradients.accumulate(node.number(), std::move(waiting.cotangents[0]));
            continue;
        }
        if (node.consumed()) {
            raise(ErrorKind::Gradient, Message() << "backward: the graph was consumed by an earlier backward, at " << node.name());
        }
        ops::HandleList pulled = node.pull_back(std::move(waiting.cotangents));
        for (std::size_t i = 0; i < node.parents().size(); ++i) {
            if (node.parents()[i] && pulled[i]) frontier.add(node.parents()[i], std::move(pulled[i]));
        }
        node.consume();
    }
    return gradients;
}

Gradients backward(const ops::Handle& root) {
    return backward(root, ops::full_like(AutodiffTensor::of(root).inner(), 1));
}

}  // namespace burn::autodiff
