#include <burn/compiler/phases.h>

#include <burn/compiler/fusable.h>
#include <burn/compiler/reduction.h>
#include <burn/ops/cast.h>

#include <algorithm>

namespace burn::compiler {

namespace {

/// Of values of the row, and of these such as were only widened: no more, so that dear ones find room.
constexpr std::size_t kMaxKept = 4, kMaxWidened = 2;

/// Finds which values several passes want.
class Demand {
public:
    Demand(const Segment& segment, Phases& phases, bool may_keep)
        : segment_(segment), phases_(phases), may_keep_(may_keep), first_(segment.values.size(), kNever),
          kept_(segment.values.size(), false) {}

    /// `pass` needs `value` at every element of the row.
    void want(ValueId value, std::uint32_t pass) {
        if (phases_.one_per_row[value] || first_[value] == pass || kept_[value]) return;
        if (first_[value] == kNever) {
            first_[value] = pass;
        } else if (may_keep_ && kept_count_ < kMaxKept && is_worth_keeping(value)) {
            kept_[value] = true;
            ++kept_count_;
            widened_count_ += is_outside(value) ? 1 : 0;
            phases_.passes[first_[value]].keeps.push_back(value);
            return;
        }
        if (is_outside(value)) return;
        for (const ValueId input : segment_.ops[phases_.producer[value]].inputs) want(input, pass);
    }

private:
    static constexpr std::uint32_t kNever = ~0u;

    bool is_outside(ValueId value) const { return phases_.producer[value] == Phases::kOutside; }

    /// Elements of half types take longer to widen than to load wide.
    bool is_worth_keeping(ValueId value) const {
        if (!is_outside(value)) return is_expensive(segment_.ops[phases_.producer[value]].op.code());
        const DType dtype = segment_.values[value].spec.dtype;
        return widened_count_ < kMaxWidened && ops::accumulator_of(dtype) != dtype;
    }

    const Segment& segment_;
    Phases& phases_;
    bool may_keep_;
    std::vector<std::uint32_t> first_;
    std::vector<bool> kept_;
    std::size_t kept_count_ = 0, widened_count_ = 0;
};

}  // namespace

Phases find_phases(const Segment& segment, const Group& group, bool may_keep) {
    Phases phases;
    phases.producer.assign(segment.values.size(), Phases::kOutside);
    phases.one_per_row.assign(segment.values.size(), false);
    phases.level.assign(segment.values.size(), 0);
    phases.passes.resize(1);
    const auto is_row = [&](ValueId value) {
        const Shape& shape = segment.values[value].spec.shape;
        return group.rows && std::all_of(shape.begin() + static_cast<std::ptrdiff_t>(group.split), shape.end(),
                                         [](std::int64_t size) { return size == 1; });
    };
    for (const ValueId name : group.names) phases.one_per_row[name] = is_row(name);
    for (const std::uint32_t index : group.ops) {
        if (std::find(group.leaving.begin(), group.leaving.end(), index) != group.leaving.end()) continue;
        const SegmentOp& op = segment.ops[index];
        const ValueId output = op.outputs[0];
        std::uint32_t level = 0;
        for (const ValueId input : op.inputs) level = std::max(level, phases.level[input]);
        if (is_reduction(op.op.code())) {
            if (phases.passes.size() < level + 2) phases.passes.resize(level + 2);
            phases.passes[level].reductions.push_back(index);
            ++level;
        }
        phases.producer[output] = index;
        phases.one_per_row[output] = is_row(output);
        phases.level[output] = level;
    }
    Demand demand(segment, phases, may_keep);
    for (std::uint32_t pass = 0; pass < phases.passes.size(); ++pass) {
        for (const std::uint32_t index : phases.passes[pass].reductions)
            demand.want(segment.ops[index].inputs[0], pass);
    }
    for (const ValueId output : group.outputs) demand.want(output, phases.last());
    for (const std::uint32_t index : group.leaving) demand.want(segment.ops[index].inputs[0], phases.last());
    return phases;
}

}  // namespace burn::compiler
