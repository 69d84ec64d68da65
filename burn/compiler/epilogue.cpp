#include <burn/compiler/epilogue.h>

#include <burn/compiler/rows_within.h>

#include <algorithm>
#include <optional>

namespace burn::compiler {

namespace {

bool contains(const auto& values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

/// The elements of a product that are finished together.
std::int64_t row_of_product(const ops::AnyOp& op, const Shape& result) {
    return length_from(result, op.code() == ops::OpCode::Conv ? 2 : result.rank() - 1);
}

class Joining {
public:
    Joining(GroupedSegment& grouped, FunctionRef<bool(const ops::AnyOp&)> takes)
        : segment_(grouped.segment), steps_(grouped.steps), takes_(takes), gone_(steps_.size(), false),
          maker_(segment_.values.size(), kNoStep) {
        for (GroupedStep& step : steps_) {
            if (is_product(step)) step.apart = {Reason::NoReader};
        }
    }

    void run() {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            note_results(i);
            if (steps_[i].is_group()) join(i);
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (gone_[i]) continue;
            if (kept != i) steps_[kept] = std::move(steps_[i]);
            ++kept;
        }
        steps_.resize(kept);
    }

private:
    static constexpr std::size_t kNoStep = ~std::size_t{0};

    void note_results(std::size_t step) {
        const GroupedStep& mine = steps_[step];
        if (mine.runs_operation()) {
            for (const ValueId value : segment_.ops[mine.op].outputs) maker_[value] = step;
        }
        for (const ValueId value : mine.group.outputs) maker_[value] = step;
    }

    /// Joins the group with the last product that it can follow.
    void join(std::size_t step) {
        const Group& group = steps_[step].group;
        std::optional<std::size_t> best, best_split;
        for (const ValueId input : group.inputs) {
            const std::size_t maker = maker_[input];
            if (maker == kNoStep || maker == best || !is_product(steps_[maker])) continue;
            const auto keep_apart = [&](std::size_t product, Reason reason) {
                steps_[product].apart = {reason, group.ops[0]};
            };
            Reason refused = why_not_after(group, steps_[maker]);
            const std::optional<std::size_t> split = refused == Reason::None ? split_after(group, maker) : std::nullopt;
            if (refused == Reason::None && !split) refused = Reason::RowsOfProduct;
            if (refused == Reason::None && !runs_at(step, maker, input) && !runs_at_product(group, maker))
                refused = Reason::Between;
            if (refused == Reason::None && best && maker < *best) refused = Reason::OtherProduct;
            if (refused != Reason::None) {
                keep_apart(maker, refused);
                continue;
            }
            if (best) keep_apart(*best, Reason::OtherProduct);
            best = maker;
            best_split = split;
        }
        if (!best) return;
        const ValueId product = segment_.ops[steps_[*best].op].outputs[0];
        const std::size_t at = runs_at(step, *best, product) ? step : *best;
        GroupedStep joined{steps_[*best].op, std::move(steps_[step].group), {}, {}};
        joined.group.split = *best_split;
        joined.group.product = product;
        steps_[at] = std::move(joined);
        gone_[at == step ? *best : step] = true;
        note_results(at);
    }

    bool is_product(const GroupedStep& step) const {
        return !step.is_group() && takes_(segment_.ops[step.op].op) && segment_.ops[step.op].outputs.size() == 1;
    }

    const Shape& result_of(const GroupedStep& product) const {
        return segment_.values[segment_.ops[product.op].outputs[0]].spec.shape;
    }

    Reason why_not_after(const Group& group, const GroupedStep& product) const {
        if (draws_numbers(group, segment_)) return Reason::DrawnOfProduct;
        if (!group.leaving.empty()) return Reason::SumsOfProduct;
        const std::int64_t elements = result_of(product).numel();
        return elements != group.space.numel() || elements == 0 ? Reason::ElementsOfProduct : Reason::None;
    }

    /// With which split the group can follow the rows of a product that it fits.
    std::optional<std::size_t> split_after(const Group& group, std::size_t maker) const {
        const GroupedStep& product = steps_[maker];
        return split_within(group, row_of_product(segment_.ops[product.op].op, result_of(product)));
    }

    bool reads(const GroupedStep& step, ValueId value) const {
        return (step.runs_operation() && contains(segment_.ops[step.op].inputs, value)) ||
               contains(step.group.inputs, value);
    }

    /// Whether the product may run as late as the group: nobody between them needs it.
    bool runs_at(std::size_t step, std::size_t maker, ValueId product) const {
        for (std::size_t i = maker + 1; i < step; ++i) {
            if (!gone_[i] && reads(steps_[i], product)) return false;
        }
        return true;
    }

    /// Whether the group may run as early as the product: all else that it reads is there.
    bool runs_at_product(const Group& group, std::size_t maker) const {
        return std::all_of(group.inputs.begin(), group.inputs.end(),
                           [&](ValueId value) { return maker_[value] == kNoStep || maker_[value] <= maker; });
    }

    const Segment& segment_;
    std::vector<GroupedStep>& steps_;
    FunctionRef<bool(const ops::AnyOp&)> takes_;
    std::vector<bool> gone_;          ///< by step: what became a part of another
    std::vector<std::size_t> maker_;  ///< by value: the step that makes it
};

}  // namespace

void join_epilogues(GroupedSegment& grouped, FunctionRef<bool(const ops::AnyOp& op)> takes) {
    Joining(grouped, takes).run();
}

}  // namespace burn::compiler
