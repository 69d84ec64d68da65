#include <burn/decorators/autodiff/autodiff_tensor.h>
#include <burn/decorators/autodiff/frontier.h>
#include <burn/ops/engine.h>

namespace burn::autodiff {

namespace {

/// What a region is given: the values of its inputs, without their history, which the node's edges hold. With it a node would
/// own the tensors before it besides, and a chain of regions would be destroyed by calls as deep as it is long.
struct RegionInputs {
    explicit RegionInputs(const ops::HandleList& inputs) {
        for (const ops::Handle& input : inputs) {
            tracked.push_back(is_tracked(input));
            values.push_back(tracked.back() ? detach(input) : input);
        }
    }

    /// Copies that start a history of their own where the inputs have one.
    ops::HandleList leaves() const {
        ops::HandleList leaves;
        for (std::size_t i = 0; i < values.size(); ++i)
            leaves.push_back(tracked[i] ? require_grad(values[i]) : values[i]);
        return leaves;
    }

    ops::HandleList values;
    SmallVector<bool, 4> tracked;
};

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
    ReplayPullBack(Ref<Region> region, RegionInputs inputs, ops::RandomState random)
        : region_(std::move(region)), inputs_(std::move(inputs)), random_(random) {}

    ops::HandleList run(ops::HandleList cotangents, Frontier& outer) override {
        ops::Engine& engine = inputs_.values[0].engine();
        const std::uint64_t first = GradNode::next_number();
        const ops::HandleList leaves = inputs_.leaves();
        ops::HandleList outputs;
        {
            ReplayedRandom random(engine, random_);
            outputs = region_->run(leaves);
        }
        Frontier frontier(first, &outer);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const GradEdge& edge = AutodiffTensor::of(outputs[i]).edge();
            if (edge && cotangents[i]) frontier.add(edge, {std::move(cotangents[i])});
        }
        outputs.clear();
        frontier.walk();
        ops::HandleList gradients(leaves.size());
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (inputs_.tracked[i]) gradients[i] = frontier.gradients().take(leaves[i]);
        }
        return gradients;
    }

private:
    Ref<Region> region_;
    RegionInputs inputs_;
    ops::RandomState random_;
};

}  // namespace

ops::HandleList checkpoint(Ref<Region> region, ops::HandleList inputs) {
    if (inputs.empty()) raise(ErrorKind::Argument, Message() << "checkpoint: a region needs at least one input");
    ops::Engine& engine = inputs[0].engine();
    const ops::RandomState random = engine.random_state();
    RegionInputs given(inputs);
    ops::HandleList outputs = region->run(given.leaves());
    bool tracked = false;
    for (const ops::Handle& output : outputs) tracked = tracked || is_tracked(output);
    if (!tracked) return outputs;
    SmallVector<GradEdge, 2> parents;
    for (const ops::Handle& input : inputs) parents.push_back(AutodiffTensor::of(input).edge());
    SpecList specs;
    for (const ops::Handle& output : outputs) specs.push_back(output.spec());
    auto node = make_ref<GradNode>("checkpoint", make_ref<ReplayPullBack>(std::move(region), std::move(given), random),
                                   std::move(parents), specs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const GradEdge edge = is_tracked(outputs[i]) ? GradEdge{node, static_cast<std::uint32_t>(i)} : GradEdge{};
        outputs[i] = ops::Handle(make_ref<AutodiffTensor>(engine, unwrap(std::move(outputs[i])), edge));
    }
    return outputs;
}

}  // namespace burn::autodiff
