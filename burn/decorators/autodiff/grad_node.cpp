#include <burn/decorators/autodiff/grad_node.h>

namespace burn::autodiff {

namespace {

Atomic<std::uint64_t> next_node{1};
Atomic<std::uint64_t> live_nodes{0};

}  // namespace

GradNode::GradNode(const TensorSpec& spec)
    : name_("leaf"), output_specs_{spec}, number_(next_node.fetch_add(1, kRelaxed)), leaf_(true) {
    live_nodes.fetch_add(1, kRelaxed);
}

GradNode::GradNode(const ops::AnyOp& op, SmallVector<GradEdge, 2> parents, SpecList input_specs, SpecList output_specs,
                   ops::HandleList inputs, ops::HandleList outputs)
    : name_(op.name()), op_(op), parents_(std::move(parents)), input_specs_(std::move(input_specs)),
      output_specs_(std::move(output_specs)), inputs_(std::move(inputs)), outputs_(std::move(outputs)),
      number_(next_node.fetch_add(1, kRelaxed)) {
    live_nodes.fetch_add(1, kRelaxed);
}

GradNode::GradNode(const char* name, Ref<PullBack> pull_back, SmallVector<GradEdge, 2> parents, SpecList output_specs)
    : name_(name), pull_back_(std::move(pull_back)), parents_(std::move(parents)),
      output_specs_(std::move(output_specs)), number_(next_node.fetch_add(1, kRelaxed)) {
    live_nodes.fetch_add(1, kRelaxed);
}

/// A long chain of nodes must not become a deep chain of destructor calls: nodes that die with this one are taken apart here.
GradNode::~GradNode() {
    live_nodes.fetch_sub(1, kRelaxed);
    SmallVector<Ref<GradNode>, 8> dying;
    // Every edge is let go of, also those to nodes that live on: whoever holds the last one finds it unique.
    const auto let_go = [&dying](SmallVector<GradEdge, 2>& edges) {
        for (GradEdge& edge : edges) {
            Ref<GradNode> parent = std::move(edge.node);
            if (parent && parent->unique()) dying.push_back(std::move(parent));
        }
    };
    let_go(parents_);
    while (!dying.empty()) {
        Ref<GradNode> node = std::move(dying.back());
        dying.pop_back();
        let_go(node->parents_);
    }
}

ops::CotangentList GradNode::pull_back(ops::HandleList cotangents, Frontier& frontier) {
    if (pull_back_) {
        ops::CotangentList pulled;
        for (ops::Handle& values : pull_back_->run(std::move(cotangents), frontier))
            pulled.push_back({std::move(values)});
        return pulled;
    }
    std::uint64_t wanted = 0;
    for (std::size_t i = 0; i < parents_.size(); ++i) {
        if (parents_[i]) wanted |= std::uint64_t{1} << (i < 63 ? i : 63);
    }
    ops::GradScope scope(op_->info(), input_specs_, output_specs_, inputs_, outputs_, std::move(cotangents), wanted);
    op_->op_class().gradient(op_->attributes(), scope);
    return scope.take_gradients();
}

void GradNode::consume() {
    consumed_ = true;
    inputs_.clear();
    outputs_.clear();
    parents_.clear();
    pull_back_ = nullptr;
}

std::uint64_t GradNode::live_count() { return live_nodes.load(kRelaxed); }

std::uint64_t GradNode::next_number() { return next_node.load(kRelaxed); }

}  // namespace burn::autodiff
