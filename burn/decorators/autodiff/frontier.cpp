#include <burn/decorators/autodiff/frontier.h>

namespace burn::autodiff {

void Frontier::add(const GradEdge& edge, ops::Cotangent cotangent) {
    if (edge.node->number() < first_) return outer_->add(edge, std::move(cotangent));
    if (edge.node->is_leaf()) {
        CotangentSum sum;
        sum.add(std::move(cotangent));
        return gradients_.accumulate(edge.node->number(), sum.take(edge.node->output_spec(0).shape));
    }
    find_or_add(edge.node).cotangents[edge.output].add(std::move(cotangent));
}

/// What waits is short: leaves do not wait, and new nodes are mostly older than the rest, so the search starts at the old end.
Frontier::Waiting& Frontier::find_or_add(const Ref<GradNode>& node) {
    std::size_t place = 0;
    while (place < waiting_.size() && waiting_[place].node->number() < node->number()) ++place;
    if (place < waiting_.size() && waiting_[place].node == node) return waiting_[place];
    waiting_.push_back({node, std::vector<CotangentSum>(node->output_count())});
    for (std::size_t i = waiting_.size() - 1; i > place; --i) std::swap(waiting_[i], waiting_[i - 1]);
    return waiting_[place];
}

void Frontier::walk() {
    while (!waiting_.empty()) {
        Waiting latest = std::move(waiting_.back());
        waiting_.pop_back();
        GradNode& node = *latest.node;
        if (node.consumed()) {
            raise(ErrorKind::Gradient,
                  Message() << "backward: the graph was consumed by an earlier backward, at " << node.name());
        }
        ops::HandleList cotangents;
        for (std::size_t i = 0; i < node.output_count(); ++i)
            cotangents.push_back(latest.cotangents[i].take(node.output_spec(i).shape));
        ops::CotangentList pulled = node.pull_back(std::move(cotangents), *this);
        for (std::size_t i = 0; i < node.parents().size(); ++i) {
            if (node.parents()[i] && pulled[i].values) add(node.parents()[i], std::move(pulled[i]));
        }
        node.consume();
    }
}

}  // namespace burn::autodiff
