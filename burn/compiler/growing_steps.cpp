#include <burn/compiler/growing_steps.h>

#include <algorithm>

namespace burn::compiler {

namespace {

using Step = GrowingSteps::Step;

Shape row_shape(Shape space, std::size_t split) {
    for (std::size_t axis = split; axis < space.rank(); ++axis) space[axis] = 1;
    return space;
}

std::int64_t row_length(const Shape& space, std::size_t split) {
    std::int64_t length = 1;
    for (std::size_t axis = split; axis < space.rank(); ++axis) length *= space[axis];
    return length;
}

std::size_t split_in(const Step& step, const Shape& space) {
    return step.is_free() ? space.rank() : recast_split(step.split, step.space, space);
}

std::size_t kept_in(const Step& step, const Shape& space) { return recast_split(step.kept, step.space, space); }

}  // namespace

GrowingSteps::GrowingSteps(const Segment& segment, GroupOperands& operands)
    : segment_(segment), operands_(operands), producer_(segment.values.size(), kNoStep),
      leaves_(segment.ops.size(), false), steps_(segment.ops.size()), precedence_(segment.ops.size()) {
    for (const SegmentValue& value : segment.values) shapes_.push_back(value.spec.shape);
}

GrowingSteps::Step& GrowingSteps::begin(std::uint32_t op) {
    operands_.for_needs(op, [&](ValueId value) {
        if (producer_[value] != kNoStep) precedence_.require(op, producer_[value]);
    });
    for (const ValueId output : segment_.ops[op].outputs) producer_[output] = op;
    Step& step = steps_[op];
    step.ops = {op};
    step.fusable = operands_.is_fusable(op);
    return step;
}

bool GrowingSteps::join(std::uint32_t to, std::uint32_t from) {
    const std::optional<Repeated> repeated = repeat_for(from, to);
    const Union both = unite(to, from);
    if (both.refused == Reason::None) {
        merge(to, from, both);
    } else if (repeated) {
        take_back(*repeated);
    }
    return both.refused == Reason::None;
}

std::vector<std::uint32_t> GrowingSteps::finish() {
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> before(steps_.size());
    for (std::uint32_t step = 0; step < steps_.size(); ++step) {
        if (steps_[step].ops.empty()) continue;
        std::sort(steps_[step].ops.begin(), steps_[step].ops.end());
        before[step] = precedence_.count_before(step);
        order.push_back(step);
    }
    // What a step needs, needs less than the step itself does; among equals, the order of the program.
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return before[a] != before[b] ? before[a] < before[b] : a < b; });
    return order;
}

GrowingSteps::Union GrowingSteps::unite(std::uint32_t a, std::uint32_t b) const {
    const Step &x = steps_[a], &y = steps_[b];
    const auto refuse = [](Reason reason) { return Union{{}, {}, false, false, reason}; };
    if (!x.fusable || !y.fusable) return refuse(Reason::NoKernel);
    if (reads_what_leaves(x, b) || reads_what_leaves(y, a)) return refuse(Reason::ReadsWhatLeaves);
    if (x.ops.size() + y.ops.size() > kMaxOps) return refuse(Reason::Operations);
    if (x.leaving + y.leaving > kMaxLeaving) return refuse(Reason::Leaving);
    Union both = common_space(a, b);
    if (both.refused != Reason::None) return both;
    if (count_inputs(x, y) > kMaxInputs) return refuse(Reason::Operands);
    if (precedence_.between(a, b)) return refuse(Reason::Between);
    return both;
}

bool GrowingSteps::reads_what_leaves(const Step& reader, std::uint32_t other) const {
    for (const std::uint32_t op : reader.ops) {
        for (const Reading& reading : operands_.of(op)) {
            if (producer_[reading.value] == other && leaves_[operands_.maker(reading.value)]) return true;
        }
    }
    return false;
}

std::size_t GrowingSteps::count_inputs(const Step& a, const Step& b) const {
    std::vector<ValueId> read, made;
    for (const Step* step : {&a, &b}) {
        for (const std::uint32_t op : step->ops) {
            for (const Reading& reading : operands_.of(op)) {
                if (!operands_.is_constant(reading.value)) read.push_back(reading.value);
            }
            for (const ValueId output : segment_.ops[op].outputs) made.push_back(output);
        }
    }
    std::sort(read.begin(), read.end());
    std::sort(made.begin(), made.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    return static_cast<std::size_t>(std::count_if(
        read.begin(), read.end(), [&](ValueId value) { return !std::binary_search(made.begin(), made.end(), value); }));
}

// ---- the space of two steps

GrowingSteps::Union GrowingSteps::common_space(std::uint32_t a, std::uint32_t b) const {
    const Step &x = steps_[a], &y = steps_[b];
    Union both{x.space, y.space};
    const auto refuse = [&both](Reason reason) {
        both.refused = reason;
        return both;
    };
    if (const auto difference = find_difference(x, b, both.a_space, both.b_space)) {
        const auto& [read, made] = *difference;
        recast_one(x, y, read, made, both);
    } else if (const auto difference = find_difference(y, a, both.b_space, both.a_space)) {
        const auto& [read, made] = *difference;
        recast_one(x, y, made, read, both);
    }
    if (find_difference(x, b, both.a_space, both.b_space) || find_difference(y, a, both.b_space, both.a_space))
        return refuse(Reason::Shapes);
    const std::size_t x_split = split_in(x, both.a_space), y_split = split_in(y, both.b_space);
    if (both.a_space == both.b_space) {
        if (!x.is_free() && !y.is_free() && x_split != y_split) return refuse(Reason::OtherAxes);
    } else if (x.rows && y.is_free() && both.b_space == row_shape(both.a_space, x_split)) {
        both.b_rows_of_a = true;
    } else if (y.rows && x.is_free() && both.a_space == row_shape(both.b_space, y_split)) {
        both.a_rows_of_b = true;
    } else {
        return refuse(Reason::Shapes);
    }
    if (x.leaving > 0 && y.leaving > 0 && kept_in(x, both.a_space) != kept_in(y, both.b_space))
        return refuse(Reason::OtherAxes);
    if ((both.b_rows_of_a && y.draws) || (both.a_rows_of_b && x.draws)) return refuse(Reason::DrawnOfRows);
    if ((x.rows || y.rows) && (x.columns || y.columns || x.draws || y.draws)) {
        const std::size_t split = x.is_free() ? y_split : x_split;
        if (row_length(x.is_free() ? both.b_space : both.a_space, split) > kLongestSummedRow)
            return refuse(Reason::LongRows);
    }
    return both;
}

/// The first value of step `other` that `reader` sees under another shape than it is computed in, if they were computed in
/// these spaces: the shape that is read, and the one that is made.
std::optional<std::pair<Shape, Shape>> GrowingSteps::find_difference(const Step& reader, std::uint32_t other,
                                                                     const Shape& reader_space,
                                                                     const Shape& other_space) const {
    for (const std::uint32_t op : reader.ops) {
        for (const Reading& reading : operands_.of(op)) {
            if (operands_.is_constant(reading.value) || producer_[reading.value] != other) continue;
            const auto read = recast(reading.shape, reader.space, reader_space);
            const auto made = recast(shapes_[reading.value], steps_[other].space, other_space);
            if (read && made && *read != *made) return std::pair(*read, *made);
        }
    }
    return std::nullopt;
}

/// Gives one of the steps another space, so that a value that `x` sees under shape `in_x` and `y` under `in_y` has one shape.
void GrowingSteps::recast_one(const Step& x, const Step& y, const Shape& in_x, const Shape& in_y, Union& both) const {
    if (in_y == y.space && can_recast(y, in_x)) {
        both.b_space = in_x;
    } else if (in_x == x.space && can_recast(x, in_y)) {
        both.a_space = in_y;
    }
}

bool GrowingSteps::can_recast(const Step& step, const Shape& space) const {
    if (!step.is_free() && !same_but_ones(step.space, space)) return false;
    for (const std::uint32_t op : step.ops) {
        for (const Reading& reading : operands_.of(op)) {
            if (operands_.is_constant(reading.value)) continue;
            const std::optional<Shape> shape = recast(reading.shape, step.space, space);
            if (!shape || !can_be_read_as(segment_.values[reading.value], *shape)) return false;
        }
        if (!leaves_[op] && !recast(shapes_[segment_.ops[op].outputs[0]], step.space, space)) return false;
    }
    return true;
}

// ---- growing

/// Where step `maker` is no more than a cast to a wider type, and `reader` repeats its elements, as a layer of halves does with
/// its scale: lets it be computed in the reader's space.
std::optional<GrowingSteps::Repeated> GrowingSteps::repeat_for(std::uint32_t reader, std::uint32_t maker) {
    const Step& step = steps_[reader];
    if (steps_[maker].ops.size() != 1 || !operands_.widens_for_one(steps_[maker].ops[0])) return std::nullopt;
    const std::uint32_t cast = steps_[maker].ops[0];
    const ValueId value = segment_.ops[cast].outputs[0];
    for (const std::uint32_t op : step.ops) {
        const std::vector<Reading>& operands = operands_.of(op);
        const auto found = std::find_if(operands.begin(), operands.end(),
                                        [&](const Reading& reading) { return reading.value == value; });
        if (found == operands.end()) continue;
        const bool repeats = operands_.role(op) == Role::Pointwise && found->shape != step.space &&
                             shapes_[segment_.ops[op].outputs[0]] == step.space;
        const Reading& operand = operands_.of(cast)[0];
        if (!repeats || operand.shape != shapes_[value] ||
            !can_be_read_as(segment_.values[operand.value], found->shape))
            return std::nullopt;
        const Repeated was{
            cast, op, static_cast<std::size_t>(found - operands.begin()), found->shape, operand.shape, shapes_[value]};
        operands_.set_shape(cast, 0, was.read);
        operands_.set_shape(op, was.operand, step.space);
        shapes_[value] = steps_[maker].space = step.space;
        steps_[maker].split = step.space.rank();
        return was;
    }
    return std::nullopt;
}

void GrowingSteps::take_back(const Repeated& repeated) {
    Step& maker = steps_[producer_[segment_.ops[repeated.maker].outputs[0]]];
    operands_.set_shape(repeated.maker, 0, repeated.read_by_maker);
    operands_.set_shape(repeated.reader, repeated.operand, repeated.read);
    shapes_[segment_.ops[repeated.maker].outputs[0]] = maker.space = repeated.space;
    maker.split = repeated.space.rank();
}

/// Moves `from` into `to`.
void GrowingSteps::merge(std::uint32_t to, std::uint32_t from, const Union& both) {
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
}

/// Gives the step another space; its values get the shapes that they have there.
void GrowingSteps::compute_in(Step& step, const Shape& space) {
    if (space == step.space) return;
    for (const std::uint32_t op : step.ops) {
        operands_.recast_operands(op, step.space, space);
        Shape& result = shapes_[segment_.ops[op].outputs[0]];
        if (!leaves_[op]) result = *recast(result, step.space, space);
    }
    step.split = split_in(step, space);
    step.kept = kept_in(step, space);
    step.space = space;
}

}  // namespace burn::compiler
