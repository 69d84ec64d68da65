#include <burn/decorators/autodiff/autodiff_tensor.h>
#include <burn/decorators/autodiff/frontier.h>
#include <burn/ops/engine.h>

namespace burn::autodiff {

namespace {

/// Copies of the inputs that start a history of their own where the inputs have one.
ops::HandleList as_leaves(const ops::HandleList& inputs) {
    ops::HandleList leaves;
    for (const ops::Handle& input : inputs) leaves.push_back(is_tracked(input) ? require_grad(detach(input)) : input);
    return leaves;
}

/// Draws random numbers from an earlier point of the device's stream, and goes back to where it was.
class ReplayedRandom {
public:
    ReplayedRandom(ops::Engine& engine, ops::RandomState then) : engine_(engine), now_(engine.random_state()) {
        engine_.set_random_state(then);
    }
    ~ReplayedRandom() { engine_.set_random_state(now_); }
    ReplayedRandom(const ReplayedRandom&) = delete;
    ReplayedRandom& operator=(const ReplayedRandom&) = delete;

private:
    ops::Engine& engine_;
    ops::RandomState now_;
};

/// Runs the region again to get back what it would have saved, and walks through that.
class ReplayPullBack final : public PullBack {
public:
    ReplayPullBack(Ref<Region> region, ops::HandleList inputs, ops::RandomState random)
        : region_(std::move(region)), inputs_(std::move(inputs)), random_(random) {}

    ops::HandleList run(ops::HandleList cotangents, Frontier& outer) override {
        ops::Engine& engine = inputs_[0].engine();
        const std::uint64_t first = GradNode::next_number();
        const ops::HandleList leaves = as_leaves(inputs_);
        ops::HandleList outputs;
        {
            ReplayedRandom random(engine, random_);
            outputs = region_->run(leaves);
        }
        Frontier frontier(first, &outer);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const GradEdge& edge = AutodiffTensor::of(outputs[i]).edge();
            if (edge && cotangents[i]) frontier.add(edge, std::move(cotangents[i]));
        }
        outputs.clear();
        frontier.walk();
        ops::HandleList gradients(inputs_.size());
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (is_tracked(leaves[i])) gradients[i] = frontier.gradients().take(leaves[i]);
        }
        return gradients;
    }

private:
    Ref<Region> region_;
    ops::HandleList inputs_;
    ops::RandomState random_;
};

}  // namespace

ops::HandleList checkpoint(Ref<Region> region, ops::HandleList inputs) {
    if (inputs.empty()) raise(ErrorKind::Argument, Message() << "checkpoint: a region needs at least one input");
    ops::Engine& engine = inputs[0].engine();
    const ops::RandomState random = engine.random_state();
    ops::HandleList outputs = region->run(as_leaves(inputs));
    bool tracked = false;
    for (const ops::Handle& output : outputs) tracked = tracked || is_tracked(output);
    if (!tracked) return outputs;
    SmallVector<GradEdge, 2> parents;
    for (const ops::Handle& input : inputs) parents.push_back(AutodiffTensor::of(input).edge());
    SpecList specs;
    for (const ops::Handle& output : outputs) specs.push_back(output.spec());
    auto node = make_ref<GradNode>("checkpoint", make_ref<ReplayPullBack>(std::move(region), inputs, random),
                                   std::move(parents), specs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const GradEdge edge = is_tracked(outputs[i]) ? GradEdge{node, static_cast<std::uint32_t>(i)} : GradEdge{};
        outputs[i] = ops::Handle(make_ref<AutodiffTensor>(engine, unwrap(std::move(outputs[i])), edge));
    }
    return outputs;
}

}  // namespace burn::autodiff
