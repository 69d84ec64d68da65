#include <burn/compiler/memory_plan.h>

#include <algorithm>

namespace burn::compiler {

namespace {

constexpr std::uint32_t kNoTenant = ~0u;

/// Whether an operation only reads its operands: its results are no views of them and do not take their place.
bool only_reads(const ops::AnyOp& op) {
    return op.info().kind == ops::OpKind::Contract || op.info().kind == ops::OpKind::Reduce;
}

/// Finds what lies in the same memory: a value and its views, and a result that takes the place of an operand.
class Tenancy {
public:
    explicit Tenancy(const MemoryUse& use) : use_(use), tenant_of_(use.segment.values.size(), kNoTenant) {}

    MemoryPlan run() {
        for (std::size_t step = 0; step < use_.steps.size(); ++step) {
            read(step);
            make(step);
        }
        for (std::size_t value = 0; value < tenant_of_.size(); ++value) {
            if (tenant_of_[value] == kNoTenant || !use_.segment.values[value].live) continue;
            tenants_[tenant_of_[value]].last = use_.steps.size() - 1;
            tenants_[tenant_of_[value]].movable = false;
        }
        const Slab slab = make_slab(tenants_, use_.steps.size());
        MemoryPlan plan{{}, slab.bytes, slab.first, slab.last};
        for (const std::uint32_t tenant : tenant_of_)
            plan.places.push_back(tenant == kNoTenant ? Slab::kOutside : slab.places[tenant]);
        return plan;
    }

private:
    const SegmentOp& op_of(std::size_t step) const { return use_.segment.ops[use_.steps[step]->op]; }

    void read(std::size_t step) {
        const PlanStep& mine = *use_.steps[step];
        const auto see = [&](ValueId value) {
            if (tenant_of_[value] != kNoTenant) tenants_[tenant_of_[value]].last = step;
        };
        for (const Group& group : mine.groups) std::for_each(group.inputs.begin(), group.inputs.end(), see);
        if (!mine.runs_operation()) return;
        const SegmentOp& op = op_of(step);
        std::for_each(op.inputs.begin(), op.inputs.end(), see);
        if (is_view(op.op) || only_reads(op.op) || use_.runs_into(op.op)) return;
        for (const ValueId input : op.inputs) {
            if (tenant_of_[input] != kNoTenant) tenants_[tenant_of_[input]].movable = false;
        }
    }

    void make(std::size_t step) {
        const PlanStep& mine = *use_.steps[step];
        if (mine.runs_operation()) {
            const SegmentOp& op = op_of(step);
            for (const ValueId output : op.outputs) {
                if (is_view(op.op)) {
                    tenant_of_[output] = tenant_of_[op.inputs[0]];
                    if (tenant_of_[output] != kNoTenant) viewed_[tenant_of_[output]] = true;
                } else {
                    start(output, step, op.outputs.size() == 1 && use_.runs_into(op.op));
                }
            }
        }
        for (std::size_t group = 0; group < mine.groups.size(); ++group) make_results(step, group);
    }

    void make_results(std::size_t step, std::size_t group) {
        const PlanStep& mine = *use_.steps[step];
        if (mine.groups[group].feeds_product) return;  // the device has some rows of it at a time
        std::vector<std::uint32_t> taken;
        // An operation reads its operands while its epilogue writes.
        if (mine.runs_operation()) {
            for (const ValueId input : op_of(step).inputs) taken.push_back(tenant_of_[input]);
        }
        for (std::size_t i = 0; i < mine.groups[group].outputs.size(); ++i) {
            const ValueId output = mine.groups[group].outputs[i];
            const std::span<const ValueId> donors = use_.donors(step, group, i);
            const auto from_outside = [&](ValueId value) { return tenant_of_[value] == kNoTenant; };
            if (std::any_of(donors.begin(), donors.end(), from_outside)) {
                start(output, step, false);  // the run shows whether it can take the operand's place
                continue;
            }
            const auto donor = std::find_if(donors.begin(), donors.end(), [&](ValueId value) {
                return !viewed_[tenant_of_[value]] &&
                       std::find(taken.begin(), taken.end(), tenant_of_[value]) == taken.end();
            });
            if (donor == donors.end()) {
                start(output, step, true);
            } else {
                tenant_of_[output] = tenant_of_[*donor];
                taken.push_back(tenant_of_[output]);
            }
        }
    }

    static bool is_view(const ops::AnyOp& op) { return op.info().kind == ops::OpKind::View; }

    void start(ValueId value, std::size_t step, bool movable) {
        const TensorSpec& spec = use_.segment.values[value].spec;
        tenant_of_[value] = static_cast<std::uint32_t>(tenants_.size());
        tenants_.push_back({static_cast<std::uint64_t>(spec.shape.numel()) * size_of(spec.dtype), step, step, movable});
        viewed_.push_back(false);
    }

    const MemoryUse& use_;
    std::vector<Tenant> tenants_;
    std::vector<bool> viewed_;              ///< by tenant: whether there is a view of it
    std::vector<std::uint32_t> tenant_of_;  ///< by value
};

}  // namespace

MemoryPlan plan_memory(const MemoryUse& use) { return Tenancy(use).run(); }

}  // namespace burn::compiler
