#include <burn/compiler/schedule.h>

#include <burn/compiler/columns.h>
#include <burn/compiler/fusable.h>
#include <burn/compiler/grid.h>
#include <burn/compiler/leaving.h>
#include <burn/compiler/phases.h>
#include <burn/compiler/random_words.h>
#include <burn/compiler/reduction.h>
#include <burn/compiler/rounding.h>
#include <burn/compiler/shared_divisor.h>
#include <burn/compiler/space.h>
#include <burn/kernel/builder.h>
#include <burn/kernel/pointwise.h>
#include <burn/ops/cast.h>
#include <burn/ops/indexing.h>
#include <burn/ops/pointwise.h>

#include <algorithm>
#include <map>
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

/// Rows up to this length may keep intermediate values in an array.
constexpr std::int64_t kLongestKept = 4096;

/// Rows from this length on are multiplied by a reciprocal where they are divided by one number.
constexpr std::int64_t kShortestMultiplied = 1024;

constexpr std::size_t kCacheLine = 64;
/// Registers of this width come with instructions for a * b + c: those of AVX2 and AVX-512 do.
constexpr std::size_t kBytesWithFma = 32;

bool has_index(const ops::AnyOp& op) { return op.code() == ops::OpCode::Gather || op.code() == ops::OpCode::Scatter; }

/// Half types are computed in f32.
DType compute_dtype(DType dtype) { return ops::accumulator_of(dtype); }

/// Writes the kernel of one group.
class Writer {
public:
    Writer(const Segment& segment, const Group& group, std::span<const Layout> input_layouts, std::size_t vector_bytes)
        : segment_(segment), group_(group), space_(find_space(segment, group, input_layouts)),
          grid_(make_grid(space_, walk_of(segment, group))), phases_(find_phases(segment, group, may_keep())),
          rounding_(segment, group, phases_), k_(group.rows              ? "rows"
                                                 : group.leaving.empty() ? "pointwise"
                                                                         : "sums"),
          vector_bytes_(vector_bytes), walk_(make_walk()), sums_(walk_, segment, group, grid_) {}

    Schedule write() {
        declare_parameters();
        const Value cube = k_.cube_index();
        Value part = cube, first = k_.index(0), last = *walk_.columns;
        if (!group_.rows) {
            const bool one_part = space_.outer == 0 && !grid_.lines_in_cubes;
            const Value block = one_part ? cube : rem(cube, *blocks_);
            if (!one_part) part = cube / *blocks_;
            first = block * *block_;
            last = min_pair(first + *block_, *walk_.columns);
        }
        starts_.assign(strides_.size(), k_.index(0));
        Value line = k_.index(0);
        if (grid_.lines_in_cubes) {
            line = rem(part, *walk_.lines);
            part = part / *walk_.lines;
            step_along(starts_, line, space_.outer, space_.last());
        }
        sums_.begin(first, last, group_.rows ? space_.lines() * space_.columns() : grid_.block);
        if (schedule_.checks) fault_ = k_.variable({DType::Bool, 1}, 0);
        if (space_.outer == 0) {
            write_row(k_.index(0), first, last);
        } else {
            const Value first_row = part * *rows_per_cube_, last_row = min_pair(first_row + *rows_per_cube_, *rows_);
            k_.for_loop(first_row, last_row, 1, [&](Value row) { write_row(row, first, last); });
        }
        const std::size_t first_sum = places_.size() - group_.leaving.size();
        sums_.end(std::span<const Place>(places_).subspan(first_sum), cube, space_.outer == 0 ? k_.index(0) : part,
                  line);
        if (fault_) faults_->store(cube, fault_->get());
        schedule_.kernel = k_.finish();
        return std::move(schedule_);
    }

private:
    using Memo = std::unordered_map<ValueId, Value>;

    /// An operation that draws random numbers.
    struct Random {
        std::vector<Value> parameters;
        std::optional<Place> drawn;   ///< for the row
        std::optional<Value> before;  ///< from the first drawn to the row's first element; below 0 inside a row
    };

    /// A reduction of a row while it is walked.
    struct RowReduction {
        std::uint32_t op;
        ReduceRule rule;
        std::optional<LaneReduction> lanes;
        std::vector<ExtremumPlace> places;  ///< in place of it: one for each copy of the loop
    };

    static Walk walk_of(const Segment& segment, const Group& group) {
        Walk walk;
        walk.whole_rows = group.rows;
        walk.single_rows = group.goes_by_rows();
        walk.kept = group.kept;
        for (const std::uint32_t op : group.leaving)
            (keeps_columns(segment, op) ? walk.sums_columns : walk.sums_all) = true;
        return walk;
    }

    static bool draws(const Segment& segment, const Group& group) {
        return std::any_of(group.ops.begin(), group.ops.end(),
                           [&](std::uint32_t op) { return segment.ops[op].op.code() == ops::OpCode::Random; });
    }

    bool may_keep() const { return space_.lines() * space_.columns() <= kLongestKept; }

    RowWalk make_walk() {
        RowWalk walk{k_, static_cast<std::uint16_t>(vector_bytes_ / 4),
                     group_.ops.size() <= 6    ? 4
                     : group_.ops.size() <= 16 ? 2
                                               : 1};
        // A register of halves at a time, computed in two: rounding and storing them takes what one would.
        if (walk.unroll > 1 && stores_halves()) {
            walk.lanes *= 2;
            walk.unroll = 2;
        }
        // Elsewhere many shapes had better share a kernel.
        if (space_.outer < space_.last() || (!group_.rows && group_.leaving.empty())) return walk;
        const std::int64_t vectors = (space_.columns() + walk.lanes - 1) / walk.lanes;
        if (vectors <= walk.unroll) walk.vectors = static_cast<int>(vectors);
        walk.masked = space_.columns() % walk.lanes != 0;
        return walk;
    }

    /// Whether there is a result of a half type with rows of elements.
    bool stores_halves() const {
        const auto end = group_.outputs.end() - static_cast<std::ptrdiff_t>(group_.leaving.size());
        return std::any_of(group_.outputs.begin(), end, [this](ValueId output) {
            return !phases_.one_per_row[output] && compute_dtype(dtype(output)) != dtype(output);
        });
    }

    static Space find_space(const Segment& segment, const Group& group, std::span<const Layout> input_layouts) {
        std::vector<std::vector<std::int64_t>> strides;
        for (std::size_t i = 0; i < input_layouts.size(); ++i) {
            Layout layout;
            const bool fits = input_layouts[i].reshape(segment.values[group.names[i]].spec.shape, layout);
            require_internal(fits, "schedule: an input does not lie as it is read");
            strides.push_back(broadcast_strides(layout, group.space));
        }
        for (std::size_t i = 0; i + group.leaving.size() < group.outputs.size(); ++i) {
            const Shape& shape = segment.values[group.outputs[i]].spec.shape;
            strides.push_back(broadcast_strides(Layout::contiguous(shape), group.space));
        }
        if (draws(segment, group)) strides.push_back(broadcast_strides(Layout::contiguous(group.space), group.space));
        return join_axes(group.space, strides, group.split);
    }

    // ---- parameters

    Value size(std::int64_t number) {
        schedule_.sizes.push_back(static_cast<std::uint64_t>(number));
        return k_.scalar(kIndex);
    }

    void declare_parameters() {
        for (const ValueId name : group_.names) places_.push_back(k_.buffer(dtype(name), kernel::Access::Read));
        for (std::size_t i = 0; i < group_.outputs.size(); ++i) {
            const bool parted = grid_.combines && i + group_.leaving.size() >= group_.outputs.size();
            const DType type = dtype(group_.outputs[i]);
            places_.push_back(k_.buffer(parted ? compute_dtype(type) : type, kernel::Access::Write));
        }
        schedule_.cubes = grid_.cubes;
        if (group_.goes_by_rows()) {
            schedule_.row = space_.lines() * space_.columns();
            schedule_.cubes_per_row = grid_.blocks;
        }
        schedule_.checks = checks_indices(group_, segment_);
        if (schedule_.checks) faults_ = k_.buffer(DType::Bool, kernel::Access::Write);
        walk_.columns = size(space_.columns());
        if (!group_.rows) block_ = size(grid_.block);
        if (!group_.rows && (space_.outer > 0 || grid_.lines_in_cubes)) blocks_ = size(grid_.blocks);
        if (space_.outer < space_.last()) walk_.lines = size(space_.lines());
        if (space_.outer > 0) {
            rows_per_cube_ = size(grid_.rows_per_cube);
            rows_ = size(space_.rows());
        }
        axis_sizes_.resize(space_.sizes.size());
        for (std::size_t axis = 1; axis < space_.last(); ++axis) {
            if (axis != space_.outer) axis_sizes_[axis] = size(space_.sizes[axis]);
        }
        for (const auto& strides : space_.strides) {
            strides_.emplace_back();
            for (std::size_t axis = 0; axis < strides.size(); ++axis) {
                const bool inner = axis + 1 == strides.size();
                const bool fixed = strides[axis] == 0 || (inner && strides[axis] == 1);
                strides_.back().push_back(fixed ? std::nullopt : std::optional(size(strides[axis])));
            }
        }
        sums_.declare([this](std::int64_t number) { return size(number); }, phases_.one_per_row, schedule_);
        for (const std::uint32_t op : group_.ops) declare_attributes(op);
        for (const std::uint32_t op : group_.constants) declare_attributes(op);
    }

    void declare_attributes(std::uint32_t op) {
        const ops::OpCode code = segment_.ops[op].op.code();
        if (code == ops::OpCode::Random) return declare_random(op);
        const int scalars = ops::is_pointwise(code) ? ops::pointwise_info(code).scalars : code == ops::OpCode::Full;
        for (int which = 0; which < scalars; ++which) declare_attribute(op, static_cast<std::uint8_t>(which));
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
        divisors_.clear();
        bases_ = starts_;
        step_along(bases_, row, 0, space_.outer);
        draw_row(first, last);
        for (std::uint32_t pass = 0; pass < phases_.passes.size(); ++pass) {
            values_of_rows(pass);
            write_pass(pass, first, last);
        }
        for (std::size_t i = 0; i + group_.leaving.size() < group_.outputs.size(); ++i) {
            const ValueId output = group_.outputs[i];
            const std::size_t t = group_.names.size() + i;
            if (phases_.one_per_row[output]) places_[t].store(bases_[t], narrow(t, row_memo_.at(output)));
        }
        for (const std::uint32_t op : group_.ops) {
            if (has_index(segment_.ops[op].op)) fault_->set(bool_or(fault_->get(), index_of(op).beyond));
        }
        for (const LeavingSums::Sum& sum : sums_.sums()) {
            if (sum.over_rows) sums_.feed_row(sum, row_memo_.at(sum.operand));
        }
    }

    /// Moves every tensor's place to where these axes, taken as one, have this coordinate.
    void step_along(std::vector<Value>& places, const Value& coordinate, std::size_t first_axis, std::size_t end_axis) {
        Value rest = coordinate;
        for (std::size_t axis = end_axis; axis-- > first_axis;) {
            const Value mine = axis == first_axis ? rest : rem(rest, *axis_sizes_[axis]);
            if (axis > first_axis) rest = rest / *axis_sizes_[axis];
            for (std::size_t t = 0; t < places.size(); ++t) {
                if (strides_[t][axis]) places[t] = places[t] + mine * *strides_[t][axis];
            }
        }
    }

    /// Everything that has one element a row and can be computed before this pass.
    void values_of_rows(std::uint32_t pass) {
        if (pass == 0) {
            for (const std::uint32_t op : group_.constants) {
                const ValueId constant = segment_.ops[op].outputs[0];
                row_memo_.emplace(constant, rounding_.rounded(constant, compute(op, row_memo_)));
            }
            line_bases_ = bases_;
            for (std::size_t i = 0; i < group_.names.size(); ++i) {
                if (is_one_per_row(i)) row_memo_.emplace(group_.names[i], widen(places_[i].load(bases_[i])));
            }
        }
        for (const std::uint32_t op : group_.ops) {
            const ValueId output = segment_.ops[op].outputs[0];
            if (!phases_.one_per_row[output] || phases_.level[output] != pass || row_memo_.contains(output)) continue;
            const bool picks = segment_.ops[op].op.code() == ops::OpCode::Gather;
            row_memo_.emplace(output, rounding_.made(output, picks ? pick(op, pass) : compute(op, row_memo_)));
        }
    }

    // ---- random numbers

    void declare_random(std::uint32_t op) {
        Random& random = randoms_[op];
        std::uint8_t which = 0;
        for (const DType type : random_parameters(segment_.ops[op].op.as<ops::Random>())) {
            schedule_.attributes.push_back({op, which++, type});
            random.parameters.push_back(k_.scalar(type));
        }
    }

    /// Draws for these columns of the row: from all blocks of the stream that they touch.
    void draw_row(const Value& first, const Value& last) {
        if (randoms_.empty()) return;
        const Value start = bases_.back();  // the first element of the row, counted over the whole space
        const Value end = start + (group_.rows ? walk_.row_length() : last);
        const std::int64_t count = group_.rows ? space_.lines() * space_.columns() : grid_.block;
        for (auto& [op, random] : randoms_) {
            const ops::Random& law = segment_.ops[op].op.as<ops::Random>();
            const std::int64_t in_block = elements_of_block(law);
            const Value block = (start + first) / in_block;
            random.before = start - block * in_block;
            random.drawn = k_.local_array(drawn_dtype(law),
                                          array_size(count + 8, static_cast<std::uint16_t>(in_block * walk_.lanes)));
            draw(k_, law, *random.drawn, random.parameters, block, (end + in_block - 1) / in_block - block,
                 walk_.lanes);
        }
    }

    Value random(std::uint32_t op, const Columns& at, const Value& in_row) {
        const Random& random = randoms_.at(op);
        return random_elements(k_, segment_.ops[op].op.as<ops::Random>(), random.parameters,
                               random.drawn->load(*random.before + in_row, at.lanes));
    }

    // ---- elements named by an index

    /// The row's index, and whether it lies beyond the row.
    struct Index {
        Value column, beyond;
    };
    Index index_of(std::uint32_t op) const {
        const Value column = cast(row_memo_.at(segment_.ops[op].inputs[1]), kIndex);
        return {column, bool_or(lower(column, 0), greater_equal(column, *walk_.columns))};
    }

    /// The element of the row that the index names; the first one where there is none.
    Value pick(std::uint32_t op, std::uint32_t pass) {
        const Index index = index_of(op);
        const Value column = where(index.beyond, 0, index.column);
        Memo memo;
        return evaluate(segment_.ops[op].inputs[0], memo, Columns{column, 1, std::nullopt}, pass, column);
    }

    /// The operand, with a value at the element that the row's index names.
    Value place(std::uint32_t op, const Value& operand, const Value& value, const Columns& at) {
        const bool adds = segment_.ops[op].op.as<ops::Scatter>().update == ops::IndexingUpdate::Add;
        const Value columns = splat(at.first, at.lanes) + k_.iota(kIndex, at.lanes);
        const Value placed = !adds ? value : operand.dtype() == DType::Bool ? bool_or(operand, value) : operand + value;
        return where(equal(columns, splat(index_of(op).column, at.lanes)), placed, operand);
    }

    // ---- columns of a row

    /// Whether an input is repeated along the whole row.
    bool is_one_per_row(std::size_t input) const {
        const auto& strides = space_.strides[input];
        const auto first =
            strides.begin() + static_cast<std::ptrdiff_t>(grid_.lines_in_cubes ? space_.last() : space_.outer);
        return std::all_of(first, strides.end(), [](std::int64_t stride) { return stride == 0; });
    }

    void write_pass(std::uint32_t pass, const Value& first, const Value& last) {
        const Phases::Pass& work = phases_.passes[pass];
        const bool is_last = pass == phases_.last();
        std::vector<std::size_t> stores;
        for (std::size_t i = 0; is_last && i + group_.leaving.size() < group_.outputs.size(); ++i) {
            if (!phases_.one_per_row[group_.outputs[i]]) stores.push_back(i);
        }
        std::vector<const LeavingSums::Sum*> feeds;
        for (const LeavingSums::Sum& sum : sums_.sums()) {
            if (is_last && !sum.over_rows) feeds.push_back(&sum);
        }
        if (work.reductions.empty() && stores.empty() && feeds.empty()) return;

        prepare_divisors();
        std::vector<RowReduction> reductions;
        for (const std::uint32_t op : work.reductions) reductions.push_back(begin_reduction(op));
        for (const ValueId value : work.keeps) {
            kept_.emplace(value, k_.local_array(compute_dtype(dtype(value)),
                                                array_size(space_.lines() * space_.columns(), walk_.lanes)));
        }
        for_lines([&](const Value& line) {
            walk_.walk(first, last, [&](const Columns& at) {
                const Value in_row = line + at.first;
                Memo memo;
                prefetch(pass, at);
                for (const RowReduction& each : reductions) {
                    const Value value = evaluate(segment_.ops[each.op].inputs[0], memo, at, pass, in_row);
                    if (each.rule.place) {
                        each.places[at.copy].take(each.rule.reduction,
                                                  rounding_.operand(segment_.ops[each.op], 0, value), at);
                    } else {
                        each.lanes->take(value, at);
                    }
                }
                for (const ValueId value : work.keeps)
                    kept_.at(value).store(in_row, splat(evaluate(value, memo, at, pass, in_row), walk_.lanes));
                // Everything is loaded before anything is stored: a result may lie where an operand lay.
                std::vector<Value> results, fed;
                for (const LeavingSums::Sum* sum : feeds) fed.push_back(evaluate(sum->operand, memo, at, pass, in_row));
                for (const std::size_t i : stores)
                    results.push_back(splat(evaluate(group_.outputs[i], memo, at, pass, in_row), walk_.lanes));
                for (std::size_t j = 0; j < stores.size(); ++j) {
                    const std::size_t t = group_.names.size() + stores[j];
                    at.store(places_[t], line_bases_[t] + at.first, narrow(t, results[j]));
                }
                for (std::size_t j = 0; j < feeds.size(); ++j) sums_.feed(*feeds[j], fed[j], at, in_row);
            });
        });
        for (const RowReduction& each : reductions) row_memo_.emplace(segment_.ops[each.op].outputs[0], finish(each));
    }

    /// Asks for what a row of several passes wants later, while memory would have nothing to do: in the second pass for the next
    /// row of the inputs, in the last but one for the places of the results. Where columns are summed in blocks of a row, the
    /// processor does not see where the next row of the block lies.
    void prefetch(std::uint32_t pass, const Columns& at) const {
        if (walk_.vectors != 0 || walk_.lines || space_.outer != 1) return;
        const bool several_passes = phases_.last() > 0 && may_keep();
        const bool rows_of_blocks = grid_.blocks > 1 && grid_.rows_per_cube > 1;
        const std::size_t inputs = group_.names.size(), stored = group_.outputs.size() - group_.leaving.size();
        if (several_passes ? pass == 1 : rows_of_blocks) {
            for (std::size_t t = 0; t < inputs; ++t) prefetch(t, at, kernel::Access::Read);
        }
        if (!several_passes) return;
        for (std::size_t i = 0; pass + 1 == phases_.last() && i < stored; ++i)
            prefetch(inputs + i, at, kernel::Access::Write);
    }

    /// Of a tensor whose rows are lines; once for the vectors that share a cache line.
    void prefetch(std::size_t t, const Columns& at, kernel::Access access) const {
        const std::optional<Value>& row = strides_[t][0];
        const std::size_t bytes = walk_.lanes * size_of(places_[t].dtype());
        if (!row || space_.strides[t].back() != 1 || at.copy * bytes % kCacheLine != 0) return;
        const Value here = line_bases_[t] + at.first;
        places_[t].prefetch(access == kernel::Access::Read ? here + *row : here, access);
    }

    /// What the elements of the row are divided by, as soon as it is known. While a short row is divided the processor already
    /// works on the next one, and has no use for more arithmetic.
    void prepare_divisors() {
        if (space_.columns() < kShortestMultiplied || walk_.vectors != 0 || vector_bytes_ < kBytesWithFma) return;
        for (const std::uint32_t op : group_.ops) {
            const SegmentOp& node = segment_.ops[op];
            if (!divides_by_row(node) || phases_.one_per_row[node.outputs[0]]) continue;
            divisors_.try_emplace(node.inputs[1], row_memo_.at(node.inputs[1]));
        }
    }

    bool divides_by_row(const SegmentOp& op) const {
        return op.op.code() == ops::OpCode::div && compute_dtype(dtype(op.inputs[1])) == DType::F32 &&
               row_memo_.contains(op.inputs[1]);
    }

    RowReduction begin_reduction(std::uint32_t op) {
        const SegmentOp& node = segment_.ops[op];
        const kernel::Type type{compute_dtype(dtype(node.inputs[0])), walk_.lanes};
        RowReduction result{op, reduce_rule(node.op.code()), {}, {}};
        const Reduction reduction = result.rule.reduction;
        if (!result.rule.place) result.lanes.emplace(k_, reduction, type, walk_.unroll);
        for (int u = 0; result.rule.place && u < walk_.unroll; ++u)
            result.places.push_back(ExtremumPlace::begin(k_, reduction, type, space_.columns()));
        return result;
    }

    Value finish(const RowReduction& reduction) {
        const ReduceRule& rule = reduction.rule;
        if (rule.place) return ExtremumPlace::finish(k_, rule.reduction, reduction.places);
        const Value total = reduction.lanes->finish();
        return rounding_.made(segment_.ops[reduction.op].outputs[0],
                              rule.mean ? total / cast(walk_.row_length(), total.dtype()) : total);
    }

    /// Calls `body` for every line of the row with where it begins in the row.
    template <class Body>
    void for_lines(Body body) {
        line_bases_ = bases_;
        if (grid_.lines_in_cubes || !walk_.lines) {
            body(k_.index(0));
            return;
        }
        k_.for_loop(k_.index(0), *walk_.lines, 1, [&](Value line) {
            line_bases_ = bases_;
            step_along(line_bases_, line, space_.outer, space_.last());
            body(line * *walk_.columns);
        });
    }

    // ---- values

    /// A value at these columns; numbers of the whole row stay single. `in_row`: where the columns are in the row.
    Value evaluate(ValueId value, Memo& memo, const Columns& at, std::uint32_t pass, const Value& in_row) {
        if (const auto row = row_memo_.find(value); row != row_memo_.end()) return row->second;
        if (const auto found = memo.find(value); found != memo.end()) return found->second;
        const std::uint32_t op = phases_.producer[value];
        const auto kept = kept_.find(value);
        Value result(0);
        if (kept != kept_.end() && !computes(pass, value)) {
            result = kept->second.load(in_row, at.lanes);
        } else if (op == Phases::kOutside) {
            result = load(value, at);
        } else {
            for (const ValueId input : segment_.ops[op].inputs) evaluate(input, memo, at, pass, in_row);
            result = randoms_.contains(op) ? random(op, at, in_row) : rounding_.made(value, compute(op, memo, &at));
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

    /// `at`: where, for operations that ask.
    Value compute(std::uint32_t index, const Memo& memo, const Columns* at = nullptr) {
        const SegmentOp& op = segment_.ops[index];
        const ops::OpCode code = op.op.code();
        if (code == ops::OpCode::Full) return attributes_.at(index * 2);
        std::vector<Value> operands;
        for (std::size_t i = 0; i < op.inputs.size(); ++i)
            operands.push_back(rounding_.operand(op, i, operand(op.inputs[i], memo)));
        if (code == ops::OpCode::Cast) return widen(cast(operands[0], op.op.as<ops::Cast>().dtype));
        if (code == ops::OpCode::Scatter) return place(index, operands[0], operands[2], *at);
        // Of the vectors that are walked together every other one is left to the divider, which works beside the multiplier.
        if (const auto divisor = divisors_.find(op.inputs.back()); divisor != divisors_.end()) {
            const bool multiplies = at != nullptr && at->copy % 2 == 0;
            if (multiplies && divides_by_row(op) && operands[0].lanes() > 1) return divisor->second.divide(operands[0]);
        }
        const auto attribute = [&](std::uint32_t which) {
            const auto found = attributes_.find(index * 2 + which);
            return found != attributes_.end() ? found->second : Value(0);
        };
        return kernel::emit_pointwise(code, operands, attribute(0), attribute(1));
    }

    Value load(ValueId input, const Columns& at) {
        const auto t =
            static_cast<std::size_t>(std::find(group_.names.begin(), group_.names.end(), input) - group_.names.begin());
        if (space_.strides[t].back() == 0) return widen(places_[t].load(line_bases_[t]));
        const std::optional<Value>& stride = strides_[t].back();
        if (!stride) return widen(at.load(places_[t], line_bases_[t] + at.first));  // neighbours
        const Value columns = splat(at.first, at.lanes) + k_.iota(kIndex, at.lanes);
        const Value index = splat(line_bases_[t], at.lanes) + columns * splat(*stride, at.lanes);
        return widen(at.load(places_[t], index));
    }

    Value narrow(std::size_t tensor, const Value& value) const { return cast(value, places_[tensor].dtype()); }
    static Value widen(const Value& value) { return cast(value, compute_dtype(value.dtype())); }

    const Segment& segment_;
    const Group& group_;
    Space space_;
    Grid grid_;
    Phases phases_;
    Rounding rounding_;
    Builder k_;
    std::size_t vector_bytes_;
    RowWalk walk_;
    LeavingSums sums_;
    Schedule schedule_;

    std::vector<Place> places_;  ///< inputs, then outputs
    std::optional<Value> block_, blocks_, rows_per_cube_, rows_;
    std::vector<std::optional<Value>> axis_sizes_;            ///< of those that are not the first of their kind
    std::vector<std::vector<std::optional<Value>>> strides_;  ///< none where known: 0, or 1 of the last axis
    std::unordered_map<std::uint32_t, Value> attributes_;     ///< by operation and which, two an operation
    std::map<std::uint32_t, Random> randoms_;                 ///< by operation
    std::optional<Place> faults_;                             ///< by cube: whether an index lay beyond its row
    std::optional<Variable> fault_;

    /// By tensor: first elements of the cube's line, of a row, of a line of it.
    std::vector<Value> starts_, bases_, line_bases_;
    Memo row_memo_;
    std::unordered_map<ValueId, SharedDivisor> divisors_;
    std::unordered_map<ValueId, Place> kept_;
};

}  // namespace

bool checks_indices(const Group& group, const Segment& segment) {
    return std::any_of(group.ops.begin(), group.ops.end(),
                       [&](std::uint32_t op) { return has_index(segment.ops[op].op); });
}

Schedule schedule(const Segment& segment, const Group& group, std::span<const Layout> input_layouts,
                  std::size_t vector_bytes) {
    return Writer(segment, group, input_layouts, vector_bytes).write();
}

}  // namespace burn::compiler
