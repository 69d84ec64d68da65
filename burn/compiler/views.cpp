#include <burn/compiler/views.h>

#include <burn/compiler/fusable.h>
#include <burn/compiler/readings.h>
#include <burn/ops/movement.h>

#include <algorithm>
#include <numeric>

namespace burn::compiler {

namespace {

constexpr std::uint32_t kNoOp = ~0u;

class Moving {
public:
    Moving(Segment& segment, FunctionRef<bool(const ops::AnyOp&)> runs_into)
        : segment_(segment), runs_into_(runs_into), order_(segment.ops.size()) {
        std::iota(order_.begin(), order_.end(), 0u);
        for (const SegmentOp& op : segment.ops) roles_.push_back(find_role(segment, op).role);
    }

    std::vector<std::uint32_t> run() {
        find_neighbours();
        for (std::uint32_t op = 0; op < segment_.ops.size(); ++op) {
            const std::vector<std::uint32_t> chain = is_on_one_operand(op) ? views_before(op) : operations_before(op);
            if (!chain.empty()) move_to_front(chain, op);
        }
        return std::move(order_);
    }

private:
    ops::OpCode code(std::uint32_t op) const { return segment_.ops[op].op.code(); }
    ValueId input(std::uint32_t op) const { return segment_.ops[op].inputs[0]; }
    ValueId output(std::uint32_t op) const { return segment_.ops[op].outputs[0]; }

    bool is_on_one_operand(std::uint32_t op) const {
        return roles_[op] == Role::Pointwise && segment_.ops[op].inputs.size() == 1;
    }
    bool is_fusable(std::uint32_t op) const { return roles_[op] != Role::Opaque && roles_[op] != Role::View; }

    void find_neighbours() {
        maker_.assign(segment_.values.size(), kNoOp);
        readers_.assign(segment_.values.size(), {});
        for (std::uint32_t op = 0; op < segment_.ops.size(); ++op) {
            for (const ValueId value : segment_.ops[op].inputs) readers_[value].push_back(op);
            for (const ValueId value : segment_.ops[op].outputs) maker_[value] = op;
        }
    }

    /// Whether the next operation of a chain is all that the value is made for.
    bool is_between(ValueId value) const { return readers_[value].size() == 1 && !segment_.values[value].live; }

    /// Whether a kernel reads the value, perhaps after views of it and other operations on it alone.
    bool feeds_kernel(ValueId value) const {
        return std::any_of(readers_[value].begin(), readers_[value].end(), [&](std::uint32_t reader) {
            const bool passes_on = is_between(value) && (is_on_one_operand(reader) || roles_[reader] == Role::View);
            return passes_on ? feeds_kernel(output(reader)) : is_fusable(reader);
        });
    }

    /// Whether the reader of a value, perhaps after views of it, is a part of a kernel.
    bool is_read_by_kernel(ValueId value) const {
        return std::any_of(readers_[value].begin(), readers_[value].end(), [&](std::uint32_t reader) {
            return roles_[reader] == Role::View ? is_between(value) && is_read_by_kernel(output(reader))
                                                : is_fusable(reader);
        });
    }

    /// Whether a kernel cannot look through a view.
    bool turns(std::uint32_t view) const {
        return code(view) == ops::OpCode::Permute &&
               !moves_only_ones(segment_.values[input(view)].spec.shape, segment_.ops[view].op.as<ops::Permute>().axes);
    }

    /// The operations above `op` that satisfy `belongs`, the first one first, each made for the next alone; and what they begin
    /// with.
    template <class Belongs>
    std::vector<std::uint32_t> chain_above(std::uint32_t op, ValueId& begin, Belongs belongs) const {
        std::vector<std::uint32_t> chain;
        for (begin = input(op); is_between(begin); begin = input(chain.back())) {
            const std::uint32_t maker = maker_[begin];
            if (maker == kNoOp || !belongs(maker)) break;
            chain.push_back(maker);
        }
        std::reverse(chain.begin(), chain.end());
        return chain;
    }

    /// The views between a product and an operation that can be its epilogue.
    std::vector<std::uint32_t> views_before(std::uint32_t op) const {
        ValueId begin = 0;
        std::vector<std::uint32_t> chain = chain_above(op, begin, [&](std::uint32_t view) {
            return code(view) == ops::OpCode::Permute || code(view) == ops::OpCode::Reshape;
        });
        if (std::none_of(chain.begin(), chain.end(), [&](std::uint32_t view) { return turns(view); })) return {};
        const std::uint32_t maker = maker_[begin];
        const bool is_made = is_between(begin) && maker != kNoOp;
        if (!is_made || !(runs_into_(segment_.ops[maker].op) || is_fusable(maker)) || feeds_kernel(output(op)))
            return {};
        return chain;
    }

    /// The operations before a view that can be a part of what reads it.
    std::vector<std::uint32_t> operations_before(std::uint32_t view) const {
        // A permutation may also move behind what follows it, and be free there; a slice only makes less to do.
        const bool cuts = code(view) == ops::OpCode::StridedSlice;
        if (!cuts && !turns(view)) return {};
        if (!(cuts ? is_read_by_kernel(output(view)) : feeds_kernel(output(view)))) return {};
        ValueId begin = 0;
        std::vector<std::uint32_t> chain =
            chain_above(view, begin, [&](std::uint32_t op) { return is_on_one_operand(op); });
        const std::uint32_t maker = maker_[begin];
        if (maker != kNoOp && (is_fusable(maker) || runs_into_(segment_.ops[maker].op))) chain.clear();
        return chain;
    }

    /// Lets `last` stand before the operations that it follows; all of them stand at the same places as before.
    void move_to_front(const std::vector<std::uint32_t>& chain, std::uint32_t last) {
        std::vector<std::uint32_t> places = chain;
        places.push_back(last);
        ValueId value = input(chain[0]);
        for (std::size_t i = chain.size(); i > 0; --i) {
            std::swap(segment_.ops[places[i]].op, segment_.ops[places[i - 1]].op);
            std::swap(order_[places[i]], order_[places[i - 1]]);
        }
        for (const std::uint32_t place : places) {
            SegmentOp& op = segment_.ops[place];
            ops::AnyOp inferring = op.op;
            segment_.values[op.outputs[0]].spec = inferring.infer({&segment_.values[value].spec, 1})[0];
            value = op.outputs[0];
            roles_[place] = find_role(segment_, op).role;
        }
    }

    Segment& segment_;
    FunctionRef<bool(const ops::AnyOp&)> runs_into_;
    std::vector<std::uint32_t> order_;                 ///< by operation: where it was recorded
    std::vector<Role> roles_;                          ///< by operation
    std::vector<std::uint32_t> maker_;                 ///< by value
    std::vector<std::vector<std::uint32_t>> readers_;  ///< by value
};

}  // namespace

std::vector<std::uint32_t> move_views(Segment& segment, FunctionRef<bool(const ops::AnyOp& op)> runs_into) {
    return Moving(segment, runs_into).run();
}

}  // namespace burn::compiler
