#include <burn/compiler/reduction.h>

#include <burn/kernel/builder.h>
#include <burn/ops/reduce.h>

#include <algorithm>
#include <limits>

namespace burn::compiler {

namespace {

using kernel::Builder;
using kernel::kIndex;
using kernel::Place;
using kernel::Reduction;
using kernel::splat;
using kernel::Value;
using kernel::Variable;

/// Columns that one cube of the combining kernel works on.
constexpr std::int64_t kCombinedColumns = 1024;
constexpr int kUnroll = 4;

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

}  // namespace

bool is_reduction(ops::OpCode code) {
    switch (code) {
        case ops::OpCode::Sum:
        case ops::OpCode::Mean:
        case ops::OpCode::Prod:
        case ops::OpCode::Max:
        case ops::OpCode::Min:
        case ops::OpCode::Any:
        case ops::OpCode::All:
        case ops::OpCode::ArgMax:
        case ops::OpCode::ArgMin: return true;
        default: return false;
    }
}

Dims reduced_axes(const ops::AnyOp& op) {
    if (op.code() == ops::OpCode::ArgMax) return {op.as<ops::ArgMax>().axis};
    if (op.code() == ops::OpCode::ArgMin) return {op.as<ops::ArgMin>().axis};
    return static_cast<const ops::ReducedAxes*>(op.attributes())->axes;  // all others have the same attributes
}

ReduceRule reduce_rule(ops::OpCode code) {
    switch (code) {
        case ops::OpCode::Mean: return {Reduction::Sum, true};
        case ops::OpCode::Prod: return {Reduction::Prod};
        case ops::OpCode::Max: return {Reduction::Max};
        case ops::OpCode::Min: return {Reduction::Min};
        case ops::OpCode::Any: return {Reduction::Or};
        case ops::OpCode::All: return {Reduction::And};
        case ops::OpCode::ArgMax: return {Reduction::Max, false, true};
        case ops::OpCode::ArgMin: return {Reduction::Min, false, true};
        default: return {Reduction::Sum};
    }
}

/// The lowest or highest integer does not fit a double.
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

void accumulate(const Variable& sum, Reduction reduction, const Value& value, const Columns& at) {
    const Value old = sum.get(), next = combine(reduction, old, value);
    sum.set(at.mask ? where(*at.mask, next, old) : next);
}

Value combine_all(Reduction reduction, std::vector<Value> values) {
    for (std::size_t half = values.size() / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) values[i] = combine(reduction, values[i], values[i + half]);
    }
    return reduce_lanes(values[0], reduction);
}

// ---- rows

namespace {

bool is_extremum(Reduction reduction) { return reduction == Reduction::Max || reduction == Reduction::Min; }

}  // namespace

LaneReduction::LaneReduction(Builder& k, Reduction reduction, kernel::Type type, int copies) : reduction_(reduction) {
    for (int copy = 0; copy < copies; ++copy) {
        sums_.push_back(k.variable(type, start_of(reduction, type.dtype)));
        if (is_extremum(reduction) && is_float(type.dtype) && copy % 2 == 0)
            nans_.push_back(k.variable(type.with_dtype(DType::Bool), 0));
    }
}

Value LaneReduction::next(const Value& old, const Value& value) const {
    if (nans_.empty()) return combine(reduction_, old, value);
    return where(reduction_ == Reduction::Max ? greater(old, value) : lower(old, value), old, value);
}

void LaneReduction::take(const Value& value, const Columns& at) const {
    const std::size_t u = at.copy;
    const Value old = sums_[u].get(), taken = next(old, value);
    sums_[u].set(at.mask ? where(*at.mask, taken, old) : taken);
    const bool is_second = u % 2 == 1;
    if (nans_.empty() || (!is_second && u + 1 < at.copies)) return;
    Value met = is_nan(sums_[u]);
    if (is_second) met = bool_or(is_nan(sums_[u - 1]), met);
    nans_[u / 2].set(bool_or(nans_[u / 2].get(), met));
}

Value LaneReduction::finish() const {
    std::vector<Value> sums(sums_.begin(), sums_.end()), nans(nans_.begin(), nans_.end());
    if (nans.empty()) return combine_all(reduction_, std::move(sums));
    for (std::size_t i = 1; i < sums.size(); ++i) sums[0] = next(sums[0], sums[i]);
    for (std::size_t i = 1; i < nans.size(); ++i) nans[0] = bool_or(nans[0], nans[i]);
    return reduce_lanes(where(nans[0], std::numeric_limits<double>::quiet_NaN(), sums[0]), reduction_);
}

namespace {

/// Higher than any column, of rows that are short enough to count their columns in this type.
constexpr std::int32_t kNoColumn = std::numeric_limits<std::int32_t>::max();

std::int64_t no_column(DType dtype) {
    return dtype == DType::I32 ? kNoColumn : std::numeric_limits<std::int64_t>::max() / 2;
}

}  // namespace

ExtremumPlace ExtremumPlace::begin(Builder& k, Reduction reduction, kernel::Type type, std::int64_t length) {
    const DType count = length < kNoColumn ? DType::I32 : kIndex;
    return {k.variable(type, start_of(reduction, type.dtype)), k.variable(type.with_dtype(count), no_column(count))};
}

void ExtremumPlace::take(Reduction reduction, const Value& value, const Columns& at) const {
    const Value old = best.get(), next = splat(value, at.lanes), first = column.get();
    // Of numbers: also the first NaN.
    Value better =
        !is_float(next.dtype())
            ? (reduction == Reduction::Max ? greater(next, old) : lower(next, old))
            : bool_and(bool_not(reduction == Reduction::Max ? lower_equal(next, old) : greater_equal(next, old)),
                       equal(old, old));
    if (at.mask) better = bool_and(better, *at.mask);
    best.set(where(better, next, old));
    column.set(where(better, splat(cast(at.first, first.dtype()), at.lanes), first));
}

Value ExtremumPlace::finish(Builder& k, Reduction reduction, std::span<const ExtremumPlace> places) {
    std::vector<Value> values, columns;
    for (const ExtremumPlace& place : places) values.push_back(place.best);
    const Value extremum = combine_all(reduction, values);
    const Value lanes = k.iota(kIndex, values[0].lanes());
    std::int64_t none = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        Value is_best = equal(values[i], splat(extremum, values[i].lanes()));
        if (is_float(extremum.dtype())) is_best = bool_or(is_best, is_nan(values[i]));
        const Value first = places[i].column.get();
        none = no_column(first.dtype());
        columns.push_back(where(is_best, cast(first, kIndex) + lanes, none));
    }
    // Where nothing is better than the neutral element, all elements are equal to it.
    const Value first = combine_all(Reduction::Min, columns);
    return where(lower(first, none), first, 0);
}

RowReduction::RowReduction(const RowWalk& walk, const ReduceRule& rule, DType dtype, std::int64_t length)
    : walk_(walk), rule_(rule) {
    const kernel::Type type{dtype, walk.lanes};
    if (!rule.place) lanes_.emplace(walk.k, rule.reduction, type, walk.unroll);
    for (int u = 0; rule.place && u < walk.unroll; ++u)
        places_.push_back(ExtremumPlace::begin(walk.k, rule.reduction, type, length));
}

void RowReduction::take(const Value& value, const Columns& at) const {
    if (rule_.place) {
        places_[at.copy].take(rule_.reduction, value, at);
    } else {
        lanes_->take(value, at);
    }
}

Value RowReduction::finish() const {
    if (rule_.place) return ExtremumPlace::finish(walk_.k, rule_.reduction, places_);
    const Value total = lanes_->finish();
    return rule_.mean ? total / cast(walk_.row_length(), total.dtype()) : total;
}

// ---- parts

CombineKernel combine_parts(std::span<const PartedReduction> reductions, std::uint16_t lanes) {
    CombineKernel result;
    Builder k("combine");
    std::vector<Place> parts, results;
    for (const PartedReduction& each : reductions) parts.push_back(k.buffer(each.compute, kernel::Access::Read));
    for (const PartedReduction& each : reductions) results.push_back(k.buffer(each.result, kernel::Access::Write));
    const auto size = [&](std::int64_t number) {
        result.sizes.push_back(static_cast<std::uint64_t>(number));
        return k.scalar(kIndex);
    };
    const Value cube = k.cube_index();
    for (std::size_t i = 0; i < reductions.size(); ++i) {
        const PartedReduction& each = reductions[i];
        const Reduction reduction = each.rule.reduction;
        const Value count = size(each.parts), width = each.whole ? Value(1) : size(each.width);
        const std::optional<Value> divisor = each.rule.mean ? std::optional(size(each.count)) : std::nullopt;
        const auto finished = [&](const Value& value) {
            return cast(divisor ? value / cast(*divisor, each.compute) : value, each.result);
        };
        const Scalar start = start_of(reduction, each.compute);
        if (each.whole) {
            result.cubes = std::max<std::int64_t>(result.cubes, 1);
            k.if_then(equal(cube, 0), [&] {
                std::vector<Variable> sums;
                for (int u = 0; u < kUnroll; ++u) sums.push_back(k.variable({each.compute, lanes}, start));
                for_columns(k, k.index(0), count, lanes, kUnroll, [&](const Columns& at) {
                    accumulate(sums[at.copy], reduction, at.load(parts[i], at.first), at);
                });
                results[i].store(k.index(0),
                                 finished(combine_all(reduction, std::vector<Value>(sums.begin(), sums.end()))));
            });
            continue;
        }
        result.cubes = std::max(result.cubes, (each.width + kCombinedColumns - 1) / kCombinedColumns);
        const Value first = min_pair(cube * kCombinedColumns, width), last = min_pair(first + kCombinedColumns, width);
        for_columns(k, first, last, lanes, kUnroll, [&](const Columns& at) {
            const Variable sum = k.variable({each.compute, lanes}, start);
            k.for_loop(k.index(0), count, 1, [&](Value part) {
                sum.set(combine(reduction, sum.get(), at.load(parts[i], part * width + at.first)));
            });
            at.store(results[i], at.first, finished(sum));
        });
    }
    result.kernel = k.finish();
    return result;
}

}  // namespace burn::compiler
