#include <burn/compiler/leaving.h>

#include <burn/ops/cast.h>

namespace burn::compiler {

using kernel::Place;
using kernel::Value;
using kernel::Variable;

bool keeps_columns(const Segment& segment, std::uint32_t op) {
    return segment.values[segment.ops[op].outputs[0]].spec.shape.numel() > 1;
}

void LeavingSums::declare(FunctionRef<Value(std::int64_t)> size, const std::vector<bool>& one_per_row,
                          Schedule& schedule) {
    std::vector<PartedReduction> parted;
    for (const std::uint32_t op : group_.leaving) {
        const SegmentOp& node = segment_.ops[op];
        const TensorSpec& result = segment_.values[node.outputs[0]].spec;
        Sum sum;
        sum.op = op;
        sum.rule = reduce_rule(node.op.code());
        sum.dtype = ops::accumulator_of(result.dtype);
        sum.operand = node.inputs[0];
        sum.over_rows = one_per_row[sum.operand];
        sum.columns = keeps_columns(segment_, op);
        const std::int64_t width = result.shape.numel() / group_.kept;
        const std::int64_t count = segment_.values[sum.operand].spec.shape.numel() / result.shape.numel();
        const std::int64_t parts = sum.columns ? grid_.parts : grid_.cubes;
        if (!grid_.combines && sum.rule.mean) sum.divisor = size(count);
        if (sum.columns && (grid_.combines || group_.kept > 1)) sum.width = size(width);
        if (grid_.combines) schedule.parts.push_back({Shape{parts, width}, sum.dtype});
        parted.push_back({sum.rule, sum.dtype, result.dtype, !sum.columns, parts, width, count});
        sums_.push_back(std::move(sum));
    }
    if (!grid_.combines) return;
    CombineKernel combine = combine_parts(parted, walk_.lanes);
    schedule.combine = std::move(combine.kernel);
    schedule.combine_cubes = combine.cubes;
    schedule.combine_sizes = std::move(combine.sizes);
}

Value LeavingSums::covered() const { return group_.rows ? walk_.row_length() : *last_ - *first_; }

void LeavingSums::begin(const Value& first, const Value& last, std::int64_t count) {
    first_ = first;
    last_ = last;
    kernel::Builder& k = walk_.k;
    for (Sum& sum : sums_) {
        const Scalar start = start_of(sum.rule.reduction, sum.dtype);
        if (sum.columns && walk_.vectors == 0) {
            sum.array = k.local_array(sum.dtype, array_size(count, walk_.lanes));
            k.for_loop(k.index(0), covered(), walk_.lanes,
                       [&](Value index) { sum.array->store(index, k.constant(sum.dtype, start, walk_.lanes)); });
            continue;
        }
        const std::uint16_t lanes = sum.over_rows ? 1 : walk_.lanes;
        const int copies = sum.over_rows ? 1 : sum.columns ? walk_.vectors : walk_.unroll;
        for (int i = 0; i < copies; ++i) sum.registers.push_back(k.variable({sum.dtype, lanes}, start));
    }
}

void LeavingSums::feed(const Sum& sum, const Value& value, const Columns& at, const Value& in_row) const {
    if (!sum.array) return accumulate(sum.registers[sum.columns ? at.vector : at.copy], sum.rule.reduction, value, at);
    const Value index = group_.rows ? in_row : in_row - *first_;
    const Value old = sum.array->load(index, walk_.lanes), next = combine(sum.rule.reduction, old, value);
    sum.array->store(index, at.mask ? where(*at.mask, next, old) : next);
}

void LeavingSums::feed_row(const Sum& sum, const Value& value) const {
    const Variable& total = sum.registers[0];
    total.set(combine(sum.rule.reduction, total.get(), value));
}

void LeavingSums::end(std::span<const Place> places, const Value& cube, const Value& part, const Value& line) const {
    kernel::Builder& k = walk_.k;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        const Sum& sum = sums_[i];
        const auto finished = [&](const Value& value) {
            return cast(sum.divisor ? value / cast(*sum.divisor, sum.dtype) : value, places[i].dtype());
        };
        if (!sum.columns) {
            const Value total =
                combine_all(sum.rule.reduction, std::vector<Value>(sum.registers.begin(), sum.registers.end()));
            places[i].store(grid_.combines ? cube : k.index(0), finished(total));
            continue;
        }
        Value base = group_.rows ? k.index(0) : line * *walk_.columns + *first_;
        if (sum.width) base = base + part * *sum.width;
        const auto write = [&](const Columns& at, const Value& value) {
            at.store(places[i], base + at.first, finished(value));
        };
        if (!sum.array) {
            for (int u = 0; u < walk_.vectors; ++u)
                write(walk_.few_columns(k.index(0), u), sum.registers[static_cast<std::size_t>(u)]);
        } else {
            for_columns(k, k.index(0), covered(), walk_.lanes, 1,
                        [&](const Columns& at) { write(at, sum.array->load(at.first, walk_.lanes)); });
        }
    }
}

}  // namespace burn::compiler
