#include <burn/compiler/schedule.h>

#include <burn/compiler/fusable.h>
#include <burn/compiler/phases.h>
#include <burn/compiler/space.h>
#include <burn/kernel/builder.h>
#include <burn/kernel/pointwise.h>
#include <burn/ops/cast.h>
#include <burn/ops/pointwise.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <unordered_map>

namespace burn::compiler {

namespace {

using kernel::Builder;
using kernel::kIndex;
using kernel::Place;
using kernel::Reduction;
using kernel::splat;
using kernel::Value;
using kernel::Variable;

/// Elements that one cube works on: enough to make a hand-over between threads cheap, few enough to stay in a cache.
constexpr std::int64_t kCubeElements = 8192;
/// Rows up to this length may keep intermediate values in an array.
constexpr std::int64_t kLongestKept = 4096;

/// Half types are computed in f32.
DType compute_dtype(DType dtype) { return ops::accumulator_of(dtype); }

double identity(Reduction reduction, DType dtype) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (reduction) {
        case Reduction::Prod:
        case Reduction::And: return 1;
        case Reduction::Max: return is_float(dtype) ? -kInfinity : 0;
        case Reduction::Min: return is_float(dtype) ? kInfinity : 0;
        case Reduction::Sum:
        case Reduction::Or: break;
    }
    return 0;
}

/// The neutral element, as a number of the type: the lowest or highest integer does not fit a double.
Scalar start_of(Reduction reduction, DType dtype) {
    if (!is_int(dtype) || (reduction != Reduction::Max && reduction != Reduction::Min))
        return identity(reduction, dtype);
    return visit_dtype(dtype, [&](auto zero) -> Scalar {
        using T = decltype(zero);
        if constexpr (std::is_integral_v<T>) {
            using Limits = std::numeric_limits<T>;
            return static_cast<std::int64_t>(reduction == Reduction::Max ? Limits::lowest() : Limits::max());
        } else {
            return 0;
        }
    });
}

/// Writes the kernel of one group.
class Writer {
public:
    Writer(const Segment& segment, const Group& group, std::span<const Layout> input_layouts, std::size_t vector_bytes)
        : segment_(segment), group_(group), space_(find_space(segment, group, input_layouts)),
          phases_(find_phases(segment, group, space_.inner_size() <= kLongestKept)),
          lanes_(static_cast<std::uint16_t>(vector_bytes / 4)), unroll_(group.ops.size() <= 6    ? 4
                                                                        : group.ops.size() <= 16 ? 2
                                                                                                 : 1),
          k_(group.rows ? "rows" : "pointwise") {}

    Schedule write() {
        declare_parameters();
        const Value cube = k_.cube_index();
        if (space_.outer() == 0) {
            write_row(Value(k_.index(0)), cube * *block_, min_pair(cube * *block_ + *block_, *columns_));
        } else {
            const Value part = cube / *blocks_;
            const Value first_row = part * *rows_per_cube_, column = rem(cube, *blocks_) * *block_;
            const Value last_row = min_pair(first_row + *rows_per_cube_, *rows_);
            const Value last_column = min_pair(column + *block_, *columns_);
            k_.for_loop(first_row, last_row, 1, [&](Value row) { write_row(row, column, last_column); });
        }
        schedule_.kernel = k_.finish();
        return std::move(schedule_);
    }

private:
    /// Where in a row a vector of values lies.
    struct At {
        Value column;
        std::uint16_t lanes;
        std::optional<Value> mask;
    };
    using Memo = std::unordered_map<ValueId, Value>;

    static Space find_space(const Segment& segment, const Group& group, std::span<const Layout> input_layouts) {
        std::vector<std::vector<std::int64_t>> strides;
        for (const Layout& layout : input_layouts) strides.push_back(broadcast_strides(layout, group.space));
        for (const ValueId output : group.outputs)
            strides.push_back(broadcast_strides(Layout::contiguous(segment.values[output].spec.shape), group.space));
        return join_axes(group.space, std::move(strides), group.rows);
    }

    // ---- parameters

    Value size(std::int64_t number) {
        schedule_.sizes.push_back(static_cast<std::uint64_t>(number));
        return k_.scalar(kIndex);
    }

    void declare_parameters() {
        for (const ValueId input : group_.inputs) places_.push_back(k_.buffer(dtype(input), kernel::Access::Read));
        for (const ValueId output : group_.outputs) places_.push_back(k_.buffer(dtype(output), kernel::Access::Write));

        const std::int64_t columns = space_.inner_size(), rows = space_.rows();
        // A row is one block where it is reduced or short; then a cube takes several rows.
        const std::int64_t block = std::max<std::int64_t>(1, group_.rows ? columns : std::min(columns, kCubeElements));
        const std::int64_t blocks = (columns + block - 1) / block;
        const std::int64_t rows_per_cube = blocks == 1 ? std::max<std::int64_t>(1, kCubeElements / block) : 1;
        schedule_.cubes = (rows + rows_per_cube - 1) / rows_per_cube * blocks;
        columns_ = size(columns);
        block_ = size(block);
        if (space_.outer() > 0) {
            blocks_ = size(blocks);
            rows_per_cube_ = size(rows_per_cube);
            rows_ = size(rows);
            for (std::size_t axis = 1; axis < space_.outer(); ++axis) outer_sizes_.push_back(size(space_.sizes[axis]));
        }
        for (const auto& strides : space_.strides) {
            strides_.emplace_back();
            for (std::size_t axis = 0; axis < strides.size(); ++axis) {
                const bool inner = axis + 1 == strides.size();
                const bool fixed = strides[axis] == 0 || (inner && strides[axis] == 1);
                strides_.back().push_back(fixed ? std::nullopt : std::optional(size(strides[axis])));
            }
        }
        for (const std::uint32_t op : group_.ops) {
            const ops::OpCode code = segment_.ops[op].op.code();
            const int scalars = ops::is_pointwise(code) ? ops::pointwise_info(code).scalars : code == ops::OpCode::Full;
            for (int which = 0; which < scalars; ++which) declare_attribute(op, static_cast<std::uint8_t>(which));
        }
    }

    void declare_attribute(std::uint32_t op, std::uint8_t which) {
        const SegmentOp& node = segment_.ops[op];
        const ValueId typed = node.inputs.empty() ? node.outputs[0] : node.inputs.back();
        const DType type = compute_dtype(dtype(typed));
        schedule_.attributes.push_back({op, which, type});
        attributes_.emplace(op * 2 + which, k_.scalar(type));
    }

    DType dtype(ValueId value) const { return segment_.values[value].spec.dtype; }

    // ---- rows

    void write_row(const Value& row, const Value& first, const Value& last) {
        row_memo_.clear();
        find_bases(row);
        for (std::uint32_t pass = 0; pass < phases_.passes.size(); ++pass) {
            values_of_rows(pass);
            write_pass(pass, first, last);
        }
        for (std::size_t i = 0; i < group_.outputs.size(); ++i) {
            const ValueId output = group_.outputs[i];
            if (phases_.one_per_row[output])
                store(group_.inputs.size() + i, bases_[group_.inputs.size() + i], row_memo_.at(output));
        }
    }

    /// The first element of the row in every tensor.
    void find_bases(const Value& row) {
        bases_.assign(places_.size(), k_.index(0));
        Value rest = row;
        for (std::size_t axis = space_.outer(); axis-- > 0;) {
            const Value coordinate = axis == 0 ? rest : rem(rest, outer_sizes_[axis - 1]);
            if (axis > 0) rest = rest / outer_sizes_[axis - 1];
            for (std::size_t t = 0; t < places_.size(); ++t) {
                if (strides_[t][axis]) bases_[t] = bases_[t] + coordinate * *strides_[t][axis];
            }
        }
    }

    /// Everything that has one element a row and can be computed before this pass.
    void values_of_rows(std::uint32_t pass) {
        if (pass == 0) {
            for (std::size_t i = 0; i < group_.inputs.size(); ++i) {
                if (space_.strides[i].back() == 0)
                    row_memo_.emplace(group_.inputs[i], widen(places_[i].load(bases_[i])));
            }
        }
        for (const std::uint32_t op : group_.ops) {
            const ValueId output = segment_.ops[op].outputs[0];
            if (!phases_.one_per_row[output] || phases_.level[output] != pass || row_memo_.contains(output)) continue;
            row_memo_.emplace(output, compute(op, row_memo_));
        }
    }

    void write_pass(std::uint32_t pass, const Value& first, const Value& last) {
        const Phases::Pass& work = phases_.passes[pass];
        std::vector<std::size_t> stores;
        for (std::size_t i = 0; pass == phases_.last() && i < group_.outputs.size(); ++i) {
            if (!phases_.one_per_row[group_.outputs[i]]) stores.push_back(i);
        }
        if (work.reductions.empty() && stores.empty()) return;

        std::vector<std::vector<Variable>> sums(work.reductions.size());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const SegmentOp& op = segment_.ops[work.reductions[i]];
            const DType type = compute_dtype(dtype(op.inputs[0]));
            const Reduction reduction = reduce_rule(op.op.code()).reduction;
            for (int u = 0; u < unroll_; ++u) sums[i].push_back(k_.variable({type, lanes_}, start_of(reduction, type)));
        }
        for (const ValueId value : work.keeps) {
            const auto capacity = std::bit_ceil(static_cast<std::uint64_t>(space_.inner_size()) + lanes_);
            kept_.emplace(value, k_.local_array(compute_dtype(dtype(value)), static_cast<std::int64_t>(capacity)));
        }
        for_columns(first, last, [&](const At& at, int u) {
            Memo memo;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                const SegmentOp& op = segment_.ops[work.reductions[i]];
                const Variable& sum = sums[i][static_cast<std::size_t>(u)];
                const Value old = sum.get();
                const Value next =
                    combine(reduce_rule(op.op.code()).reduction, old, evaluate(op.inputs[0], memo, at, pass));
                sum.set(at.mask ? where(*at.mask, next, old) : next);
            }
            for (const ValueId value : work.keeps)
                kept_.at(value).store(at.column, splat(evaluate(value, memo, at, pass), lanes_));
            // Everything is loaded before anything is stored: a result may lie where an operand lay.
            std::vector<Value> results;
            for (const std::size_t i : stores)
                results.push_back(splat(evaluate(group_.outputs[i], memo, at, pass), lanes_));
            for (std::size_t j = 0; j < stores.size(); ++j) {
                const std::size_t t = group_.inputs.size() + stores[j];
                store(t, bases_[t] + at.column, results[j], at.mask);
            }
        });
        for (std::size_t i = 0; i < sums.size(); ++i) finish(work.reductions[i], sums[i]);
    }

    /// Calls `body` for vectors that cover the columns from `first` to `last`: several at a time, one at a time, a masked rest.
    template <class Body>
    void for_columns(const Value& first, const Value& last, Body body) {
        const std::int64_t step = std::int64_t{lanes_} * unroll_;
        Value done = first;
        const auto loop = [&](std::int64_t width, int copies) {
            const Value end = done + (last - done) / width * width;
            k_.for_loop(done, end, width, [&](Value column) {
                for (int u = 0; u < copies; ++u) body(At{column + std::int64_t{u} * lanes_, lanes_, std::nullopt}, u);
            });
            done = end;
        };
        if (unroll_ > 1) loop(step, unroll_);
        loop(lanes_, 1);
        k_.if_then(lower(done, last),
                   [&] { body(At{done, lanes_, lower(k_.iota(kIndex, lanes_), splat(last - done, lanes_))}, 0); });
    }

    /// The result of a reduction, from its lanes.
    void finish(std::uint32_t op, const std::vector<Variable>& sums) {
        const ReduceRule rule = reduce_rule(segment_.ops[op].op.code());
        std::vector<Value> values(sums.begin(), sums.end());
        for (std::size_t half = values.size() / 2; half > 0; half /= 2) {
            for (std::size_t i = 0; i < half; ++i) values[i] = combine(rule.reduction, values[i], values[i + half]);
        }
        Value result = reduce_lanes(values[0], rule.reduction);
        if (rule.mean) result = result / cast(*columns_, result.dtype());
        row_memo_.emplace(segment_.ops[op].outputs[0], result);
    }

    // ---- values

    /// A value at these columns; numbers of the whole row stay single.
    Value evaluate(ValueId value, Memo& memo, const At& at, std::uint32_t pass) {
        if (const auto row = row_memo_.find(value); row != row_memo_.end()) return row->second;
        if (const auto found = memo.find(value); found != memo.end()) return found->second;
        const std::uint32_t op = phases_.producer[value];
        const auto kept = kept_.find(value);
        Value result(0);
        if (op == Phases::kOutside) {
            result = load(value, at);
        } else if (kept != kept_.end() && !computes(pass, value)) {
            result = kept->second.load(at.column, lanes_);
        } else {
            for (const ValueId input : segment_.ops[op].inputs) evaluate(input, memo, at, pass);
            result = compute(op, memo);
        }
        memo.emplace(value, result);
        return result;
    }

    /// Whether this pass fills the array of a kept value.
    bool computes(std::uint32_t pass, ValueId value) const {
        const auto& keeps = phases_.passes[pass].keeps;
        return std::find(keeps.begin(), keeps.end(), value) != keeps.end();
    }

    Value operand(ValueId value, const Memo& memo) const {
        const auto row = row_memo_.find(value);
        return row != row_memo_.end() ? row->second : memo.at(value);
    }

    Value compute(std::uint32_t index, const Memo& memo) {
        const SegmentOp& op = segment_.ops[index];
        const ops::OpCode code = op.op.code();
        if (code == ops::OpCode::Full) return attributes_.at(index * 2);
        std::vector<Value> operands;
        for (const ValueId input : op.inputs) operands.push_back(operand(input, memo));
        if (code == ops::OpCode::Cast) return widen(cast(operands[0], op.op.as<ops::Cast>().dtype));
        const auto attribute = [&](std::uint32_t which) {
            const auto found = attributes_.find(index * 2 + which);
            return found != attributes_.end() ? found->second : Value(0);
        };
        return kernel::emit_pointwise(code, operands, attribute(0), attribute(1));
    }

    Value load(ValueId input, const At& at) {
        const auto t = static_cast<std::size_t>(std::find(group_.inputs.begin(), group_.inputs.end(), input) -
                                                group_.inputs.begin());
        const std::optional<Value>& stride = strides_[t].back();
        if (!stride) {  // neighbours; repeated elements are loaded once a row
            const Value index = bases_[t] + at.column;
            return widen(at.mask ? places_[t].load_masked(index, *at.mask) : places_[t].load(index, at.lanes));
        }
        const Value columns = splat(at.column, at.lanes) + k_.iota(kIndex, at.lanes);
        const Value index = splat(bases_[t], at.lanes) + columns * splat(*stride, at.lanes);
        return widen(at.mask ? places_[t].load_masked(index, *at.mask) : places_[t].load(index));
    }

    void store(std::size_t tensor, const Value& index, const Value& value,
               const std::optional<Value>& mask = std::nullopt) {
        const Value narrow = cast(value, places_[tensor].dtype());
        if (mask) {
            places_[tensor].store_masked(index, narrow, *mask);
        } else {
            places_[tensor].store(index, narrow);
        }
    }

    static Value widen(const Value& value) { return cast(value, compute_dtype(value.dtype())); }

    const Segment& segment_;
    const Group& group_;
    Space space_;
    Phases phases_;
    std::uint16_t lanes_;
    int unroll_;
    Builder k_;
    Schedule schedule_;

    std::vector<Place> places_;  ///< inputs, then outputs
    std::optional<Value> columns_, block_, blocks_, rows_per_cube_, rows_;
    std::vector<Value> outer_sizes_;                          ///< of the outer axes after the first
    std::vector<std::vector<std::optional<Value>>> strides_;  ///< none where known: 0, or 1 of the inner axis
    std::unordered_map<std::uint32_t, Value> attributes_;     ///< by operation and which, two an operation

    std::vector<Value> bases_;
    Memo row_memo_;
    std::unordered_map<ValueId, Place> kept_;
};

}  // namespace

Schedule schedule(const Segment& segment, const Group& group, std::span<const Layout> input_layouts,
                  std::size_t vector_bytes) {
    return Writer(segment, group, input_layouts, vector_bytes).write();
}

}  // namespace burn::compiler
