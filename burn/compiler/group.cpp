#include <burn/compiler/group.h>

#include <burn/compiler/fusable.h>
#include <burn/compiler/precedence.h>
#include <burn/compiler/readings.h>
#include <burn/compiler/reduction.h>

#include <algorithm>
#include <map>
#include <optional>

namespace burn::compiler {

namespace {

constexpr std::uint32_t kNoStep = ~0u;
/// Kernels beyond this take long to compile and run out of registers.
constexpr std::size_t kMaxOps = 48;
constexpr std::size_t kMaxInputs = 16;
constexpr std::size_t kMaxLeaving = 4;
/// A number that takes more operations is made once and read.
constexpr std::size_t kMaxConstant = 8;
/// How many of the other readers of an operand a reduction tries to join.
constexpr std::size_t kMaxNeighbours = 8;

Shape row_shape(Shape space, std::size_t split) {
    for (std::size_t axis = split; axis < space.rank(); ++axis) space[axis] = 1;
    return space;
}

std::int64_t elements(const Shape& space, std::size_t first, std::size_t last) {
    std::int64_t count = 1;
    for (std::size_t axis = first; axis < last; ++axis) count *= space[axis];
    return count;
}

std::int64_t row_length(const Shape& space, std::size_t split) { return elements(space, split, space.rank()); }

/// Steps under construction: each operation starts as one, and steps grow together.
class Grouping {
public:
    explicit Grouping(const Segment& segment)
        : segment_(segment), producer_(segment.values.size(), kNoStep), maker_(segment.values.size(), kNoStep),
          users_(segment.values.size()), leaves_(segment.ops.size(), false), steps_(segment.ops.size()),
          precedence_(segment.ops.size()) {
        Readings readings = find_readings(segment);
        readings_ = std::move(readings.by_op);
        first_ = std::move(readings.first);
        for (const SegmentValue& value : segment.values) shapes_.push_back(value.spec.shape);
        for (std::uint32_t op = 0; op < segment.ops.size(); ++op) {
            roles_.push_back(role_of(segment, segment.ops[op]));
            for (const ValueId output : segment.ops[op].outputs) maker_[output] = op;
            keep_whole_operand(op);
            constants_.push_back(count_constant(op));
        }
        find_needed();
    }

    GroupedSegment run() {
        for (std::uint32_t op = 0; op < segment_.ops.size(); ++op) {
            if (needed_[op]) place(op);
        }
        return finish();
    }

private:
    struct Step {
        std::vector<std::uint32_t> ops;
        Shape space;
        std::size_t split = 0;
        std::size_t kept = 0;  ///< of what leaves; see ReducedPart
        bool fusable = false;
        bool rows = false;
        bool columns = false;  ///< whether columns are reduced
        bool draws = false;    ///< whether there are random numbers, whose elements are counted over the space
        std::size_t leaving = 0;

        bool is_free() const { return !rows && !columns; }
    };

    // ---- what operations read

    bool draws(std::uint32_t op) const { return segment_.ops[op].op.code() == ops::OpCode::Random; }
    bool is_fusable(std::uint32_t op) const { return roles_[op] != Role::Opaque && roles_[op] != Role::View; }

    /// A reduction counts repeated elements, so it must see them; an index counts along whole rows.
    void keep_whole_operand(std::uint32_t op) {
        if (roles_[op] == Role::Pointwise || readings_[op].empty()) return;
        const ValueId operand = segment_.ops[op].inputs[0];
        const Shape& shape = segment_.values[operand].spec.shape;
        if (readings_[op][0].shape != shape) readings_[op][0] = {operand, shape};
    }

    /// Of how many operations an operation makes one number, the same for all elements; 0 where it does not.
    std::size_t count_constant(std::uint32_t op) const {
        if (segment_.ops[op].op.code() == ops::OpCode::Full) return 1;
        if (roles_[op] != Role::Pointwise || draws(op)) return 0;
        std::size_t operations = 1;
        for (const Reading& reading : readings_[op]) {
            if (!is_constant(reading.value)) return 0;
            operations += constants_[maker_[reading.value]];
        }
        return operations <= kMaxConstant ? operations : 0;
    }

    /// Whether this is one number that whoever needs it makes for itself.
    bool is_constant(ValueId value) const { return maker_[value] != kNoStep && constants_[maker_[value]] > 0; }

    /// Notes that a group makes a number for itself, after those that it is made of.
    void add_constant(ValueId value, Group& group, Segment& grouped) const {
        const std::uint32_t op = maker_[value];
        for (std::size_t i = 0; i < readings_[op].size(); ++i) {
            grouped.ops[op].inputs[i] = readings_[op][i].value;
            add_constant(readings_[op][i].value, group, grouped);
        }
        if (std::find(group.constants.begin(), group.constants.end(), op) == group.constants.end())
            group.constants.push_back(op);
    }

    /// Calls `body` with every value that must be there before the operation runs.
    template <class Body>
    void for_needs(std::uint32_t op, Body body) const {
        if (!is_fusable(op)) {
            for (const ValueId input : segment_.ops[op].inputs) body(input);
            return;
        }
        for (const Reading& reading : readings_[op]) {
            if (!is_constant(reading.value)) body(reading.value);
        }
    }

    void find_needed() {
        std::vector<bool> value_needed(segment_.values.size(), false);
        needed_.assign(segment_.ops.size(), false);
        for (std::uint32_t op = static_cast<std::uint32_t>(segment_.ops.size()); op-- > 0;) {
            for (const ValueId output : segment_.ops[op].outputs)
                needed_[op] = needed_[op] || segment_.values[output].live || value_needed[output];
            if (needed_[op]) for_needs(op, [&](ValueId value) { value_needed[value] = true; });
        }
    }

    // ---- growing

    /// Makes a step of the operation, then lets it grow together with those of its operands.
    void place(std::uint32_t op) {
        const SegmentOp& node = segment_.ops[op];
        for_needs(op, [&](ValueId value) {
            users_[value].push_back(op);
            if (producer_[value] != kNoStep) precedence_.require(op, producer_[value]);
        });
        for (const ValueId output : node.outputs) producer_[output] = op;
        Step& step = steps_[op];
        step.ops = {op};
        step.fusable = is_fusable(op);
        if (!step.fusable) return;
        if (roles_[op] == Role::Pointwise) {
            step.space = shapes_[node.outputs[0]];
            step.split = step.space.rank();
            step.draws = draws(op);
            grow(op);
            return;
        }
        step.space = readings_[op][0].shape;
        if (roles_[op] != Role::Reduce) {
            step.rows = true;
            step.split = indexed_split(segment_, node);
            grow(op);
            return;
        }
        const ReducedPart reduced = reduced_part(segment_, node);
        if (reduced.part == Part::Rows || (reduced.part == Part::Whole && is_small_whole(step.space))) {
            step.rows = true;
            step.split = reduced.split;
            if (grow(op) || reduced.part == Part::Rows || reduce_rule(node.op.code()).place) return;
        }
        // The result leaves the group; where nothing joins, a small whole stays one row, which takes no second kernel.
        const Step alone = step;
        step.rows = false;
        step.columns = reduced.part == Part::Columns;
        step.kept = reduced.kept;
        step.split = step.columns ? reduced.split : step.space.rank();
        step.leaving = 1;
        leaves_[op] = true;
        if (grow(op) || !alone.rows) return;
        step = alone;
        leaves_[op] = false;
    }

    /// Merges the step of a new operation with those of its operands and, where rows or columns are reduced, with those that
    /// read the same; gives whether any was found.
    bool grow(std::uint32_t op) {
        std::uint32_t mine = op;
        const auto try_step = [&](std::uint32_t other) {
            if (other == kNoStep || other == mine) return;
            const std::optional<Union> both = unite(other, mine);
            if (both) mine = merge(other, mine, *both);
        };
        for (std::size_t i = readings_[op].size(); i-- > 0;) try_step(producer_[readings_[op][i].value]);
        for (const Reading& reading : readings_[op]) {
            if (is_constant(reading.value) || reading.shape != steps_[mine].space) continue;
            const auto& users = users_[reading.value];
            const std::size_t first = users.size() > kMaxNeighbours ? users.size() - kMaxNeighbours : 0;
            for (std::size_t i = first; i < users.size(); ++i) {
                const std::uint32_t neighbour = step_of(users[i]);
                if (neighbour == kNoStep || (steps_[mine].is_free() && steps_[neighbour].is_free())) continue;
                const bool reads_the_same = std::find(readings_[users[i]].begin(), readings_[users[i]].end(),
                                                      reading) != readings_[users[i]].end();
                if (reads_the_same) try_step(neighbour);
            }
        }
        return mine != op || steps_[mine].ops.size() > 1;
    }

    std::uint32_t step_of(std::uint32_t op) const { return producer_[segment_.ops[op].outputs[0]]; }

    /// How two steps become one: the space of both, and the spaces in which their values are computed.
    struct Union {
        Shape a_space, b_space;
        bool a_rows_of_b = false, b_rows_of_a = false;  ///< one element a row of the other
    };

    std::optional<Union> unite(std::uint32_t a, std::uint32_t b) const {
        const Step &x = steps_[a], &y = steps_[b];
        if (!x.fusable || !y.fusable || reads_what_leaves(x, b) || reads_what_leaves(y, a)) return std::nullopt;
        if (x.ops.size() + y.ops.size() > kMaxOps || x.leaving + y.leaving > kMaxLeaving) return std::nullopt;
        std::optional<Union> both = common_space(a, b);
        if (!both || count_inputs(x, y) > kMaxInputs || precedence_.between(a, b)) return std::nullopt;
        return both;
    }

    bool reads_what_leaves(const Step& reader, std::uint32_t other) const {
        for (const std::uint32_t op : reader.ops) {
            for (const Reading& reading : readings_[op]) {
                if (producer_[reading.value] == other && leaves_[maker_[reading.value]]) return true;
            }
        }
        return false;
    }

    std::optional<Union> common_space(std::uint32_t a, std::uint32_t b) const {
        const Step &x = steps_[a], &y = steps_[b];
        Union both{x.space, y.space};
        if (const auto difference = find_difference(x, b, both.a_space, both.b_space)) {
            const auto& [read, made] = *difference;
            recast_one(x, y, read, made, both);
        } else if (const auto difference = find_difference(y, a, both.b_space, both.a_space)) {
            const auto& [read, made] = *difference;
            recast_one(x, y, made, read, both);
        }
        if (find_difference(x, b, both.a_space, both.b_space) || find_difference(y, a, both.b_space, both.a_space))
            return std::nullopt;
        const std::size_t x_split = split_in(x, both.a_space), y_split = split_in(y, both.b_space);
        if (both.a_space == both.b_space) {
            if (!x.is_free() && !y.is_free() && x_split != y_split) return std::nullopt;
        } else if (x.rows && y.is_free() && both.b_space == row_shape(both.a_space, x_split)) {
            both.b_rows_of_a = true;
        } else if (y.rows && x.is_free() && both.a_space == row_shape(both.b_space, y_split)) {
            both.a_rows_of_b = true;
        } else {
            return std::nullopt;
        }
        if (x.leaving > 0 && y.leaving > 0 && kept_in(x, both.a_space) != kept_in(y, both.b_space)) return std::nullopt;
        if ((both.b_rows_of_a && y.draws) || (both.a_rows_of_b && x.draws)) return std::nullopt;
        if ((x.rows || y.rows) && (x.columns || y.columns || x.draws || y.draws)) {
            const std::size_t split = x.is_free() ? y_split : x_split;
            if (row_length(x.is_free() ? both.b_space : both.a_space, split) > kLongestSummedRow) return std::nullopt;
        }
        return both;
    }

    /// The first value of step `other` that `reader` sees under another shape than it is computed in, if they were computed in
    /// these spaces: the shape that is read, and the one that is made.
    std::optional<std::pair<Shape, Shape>> find_difference(const Step& reader, std::uint32_t other,
                                                           const Shape& reader_space, const Shape& other_space) const {
        for (const std::uint32_t op : reader.ops) {
            for (const Reading& reading : readings_[op]) {
                if (is_constant(reading.value) || producer_[reading.value] != other) continue;
                const auto read = recast(reading.shape, reader.space, reader_space);
                const auto made = recast(shapes_[reading.value], steps_[other].space, other_space);
                if (read && made && *read != *made) return std::pair(*read, *made);
            }
        }
        return std::nullopt;
    }

    /// Gives one of the steps another space, so that a value that `x` sees under shape `in_x` and `y` under `in_y` has one shape.
    void recast_one(const Step& x, const Step& y, const Shape& in_x, const Shape& in_y, Union& both) const {
        if (in_y == y.space && can_recast(y, in_x)) {
            both.b_space = in_x;
        } else if (in_x == x.space && can_recast(x, in_y)) {
            both.a_space = in_y;
        }
    }

    bool can_recast(const Step& step, const Shape& space) const {
        if (!step.is_free() && !same_but_ones(step.space, space)) return false;
        for (const std::uint32_t op : step.ops) {
            for (const Reading& reading : readings_[op]) {
                if (is_constant(reading.value)) continue;
                const std::optional<Shape> shape = recast(reading.shape, step.space, space);
                if (!shape || !can_be_read_as(segment_.values[reading.value], *shape)) return false;
            }
            if (!leaves_[op] && !recast(shapes_[segment_.ops[op].outputs[0]], step.space, space)) return false;
        }
        return true;
    }

    static std::size_t split_in(const Step& step, const Shape& space) {
        return step.is_free() ? space.rank() : recast_split(step.split, step.space, space);
    }

    static std::size_t kept_in(const Step& step, const Shape& space) {
        return recast_split(step.kept, step.space, space);
    }

    std::size_t count_inputs(const Step& a, const Step& b) const {
        std::vector<ValueId> read, made;
        for (const Step* step : {&a, &b}) {
            for (const std::uint32_t op : step->ops) {
                for (const Reading& reading : readings_[op]) {
                    if (!is_constant(reading.value)) read.push_back(reading.value);
                }
                for (const ValueId output : segment_.ops[op].outputs) made.push_back(output);
            }
        }
        std::sort(read.begin(), read.end());
        std::sort(made.begin(), made.end());
        read.erase(std::unique(read.begin(), read.end()), read.end());
        return static_cast<std::size_t>(std::count_if(read.begin(), read.end(), [&](ValueId value) {
            return !std::binary_search(made.begin(), made.end(), value);
        }));
    }

    /// Moves `from` into `to`.
    std::uint32_t merge(std::uint32_t to, std::uint32_t from, const Union& both) {
        Step &target = steps_[to], &source = steps_[from];
        compute_in(target, both.a_space);
        compute_in(source, both.b_space);
        if (both.a_rows_of_b || (target.is_free() && !source.is_free())) target.split = source.split;
        if (both.a_rows_of_b) target.space = source.space;
        target.rows = target.rows || source.rows;
        target.columns = target.columns || source.columns;
        target.draws = target.draws || source.draws;
        target.leaving += source.leaving;
        target.kept = std::max(target.kept, source.kept);
        for (const std::uint32_t op : source.ops) {
            target.ops.push_back(op);
            for (const ValueId output : segment_.ops[op].outputs) producer_[output] = to;
        }
        source.ops.clear();
        precedence_.merge(to, from);
        return to;
    }

    /// Gives the step another space; its values get the shapes that they have there.
    void compute_in(Step& step, const Shape& space) {
        if (space == step.space) return;
        for (const std::uint32_t op : step.ops) {
            for (Reading& reading : readings_[op])
                if (!is_constant(reading.value)) reading.shape = *recast(reading.shape, step.space, space);
            Shape& result = shapes_[segment_.ops[op].outputs[0]];
            if (!leaves_[op]) result = *recast(result, step.space, space);
        }
        step.split = split_in(step, space);
        step.kept = kept_in(step, space);
        step.space = space;
    }

    // ---- the result

    GroupedSegment finish() {
        std::vector<std::uint32_t> order;
        std::vector<std::size_t> before(steps_.size());
        for (std::uint32_t step = 0; step < steps_.size(); ++step) {
            if (steps_[step].ops.empty()) continue;
            std::sort(steps_[step].ops.begin(), steps_[step].ops.end());
            before[step] = precedence_.count_before(step);
            order.push_back(step);
        }
        // What a step needs, needs less than the step itself does; among equals, the order of the program.
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return before[a] != before[b] ? before[a] < before[b] : a < b;
        });
        GroupedSegment result;
        result.segment = segment_;
        result.first = std::move(first_);
        for (ValueId value = 0; value < shapes_.size(); ++value)
            result.segment.values[value].spec.shape = shapes_[value];
        for (const std::uint32_t step : order) result.steps.push_back(make_step(step, result.segment));
        return result;
    }

    GroupedStep make_step(std::uint32_t index, Segment& grouped) {
        const Step& step = steps_[index];
        GroupedStep result;
        if (!step.fusable || (step.ops.size() == 1 && is_best_alone(step))) {
            result.op = step.ops[0];
            return result;
        }
        Group& group = result.group;
        group.space = step.space;
        group.split = step.is_free() ? step.space.rank() : step.split;
        group.rows = step.rows;
        group.kept = elements(step.space, 0, step.kept);
        group.ops = step.ops;
        for (const std::uint32_t op : step.ops) {
            for (std::size_t i = 0; i < readings_[op].size(); ++i)
                grouped.ops[op].inputs[i] = name_operand(readings_[op][i], index, group, grouped);
            if (leaves_[op]) {
                group.leaving.push_back(op);
                continue;
            }
            for (const ValueId output : segment_.ops[op].outputs) {
                const auto& users = users_[output];
                const bool used_outside =
                    std::any_of(users.begin(), users.end(), [&](std::uint32_t user) { return step_of(user) != index; });
                if (segment_.values[output].live || used_outside) group.outputs.push_back(output);
            }
        }
        for (const std::uint32_t op : group.leaving) group.outputs.push_back(segment_.ops[op].outputs[0]);
        return result;
    }

    /// What backends are good at when nothing is done with it: random numbers, and places of extrema in rows of floats, which
    /// they read once with little more than a maximum for each vector.
    bool is_best_alone(const Step& step) const {
        const SegmentOp& op = segment_.ops[step.ops[0]];
        if (draws(step.ops[0])) return true;
        if (!step.rows || !reduce_rule(op.op.code()).place) return false;
        if (readings_[step.ops[0]][0].value != op.inputs[0])
            return false;  // reads through a view, which is no tensor here
        const DType dtype = segment_.values[op.inputs[0]].spec.dtype;
        return dtype == DType::F32 || dtype == DType::F64;
    }

    /// What an operation of the group calls its operand; notes where it comes from.
    ValueId name_operand(const Reading& reading, std::uint32_t step, Group& group, Segment& grouped) {
        if (producer_[reading.value] == step) return reading.value;
        if (is_constant(reading.value)) {
            add_constant(reading.value, group, grouped);
            return reading.value;
        }
        ValueId name = reading.value;
        if (reading.shape != shapes_[reading.value]) {
            const auto [found, added] =
                aliases_.try_emplace({reading.value, {reading.shape.begin(), reading.shape.end()}},
                                     static_cast<ValueId>(grouped.values.size()));
            name = found->second;
            if (added)
                grouped.values.push_back({{reading.shape, segment_.values[reading.value].spec.dtype}, true, false, {}});
        }
        if (std::find(group.names.begin(), group.names.end(), name) == group.names.end()) {
            group.inputs.push_back(reading.value);
            group.names.push_back(name);
        }
        return name;
    }

    const Segment& segment_;
    std::vector<std::vector<Reading>> readings_;     ///< by operation
    std::vector<ValueId> first_;                     ///< by value: see Readings
    std::vector<Shape> shapes_;                      ///< by value, as it is computed
    std::vector<Role> roles_;                        ///< by operation
    std::vector<std::size_t> constants_;             ///< by operation: see count_constant
    std::vector<bool> needed_;                       ///< by operation
    std::vector<std::uint32_t> producer_;            ///< the step that makes a value
    std::vector<std::uint32_t> maker_;               ///< the operation that makes a value
    std::vector<std::vector<std::uint32_t>> users_;  ///< needed operations by operand
    std::vector<bool> leaves_;                       ///< by operation: whether its result leaves its group
    std::vector<Step> steps_;
    Precedence precedence_;
    std::map<std::pair<ValueId, std::vector<std::int64_t>>, ValueId> aliases_;
};

}  // namespace

GroupedSegment group_segment(const Segment& segment) { return Grouping(segment).run(); }

}  // namespace burn::compiler
