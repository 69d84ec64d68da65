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

namespace {

/// Higher than any column.
constexpr std::int64_t kNoColumn = std::numeric_limits<std::int64_t>::max();

}  // namespace

ExtremumPlace ExtremumPlace::begin(Builder& k, Reduction reduction, kernel::Type type) {
    return {k.variable(type, start_of(reduction, type.dtype)), k.variable({kIndex, type.lanes}, kNoColumn)};
}

void ExtremumPlace::take(Builder& k, Reduction reduction, const Value& value, const Columns& at) const {
    const Value old = best.get(), next = splat(value, at.lanes);
    Value better = reduction == Reduction::Max ? greater(next, old) : lower(next, old);
    if (is_float(next.dtype())) better = bool_or(better, bool_and(is_nan(next), bool_not(is_nan(old))));
    if (at.mask) better = bool_and(better, *at.mask);
    best.set(where(better, next, old));
    column.set(where(better, splat(at.first, at.lanes) + k.iota(kIndex, at.lanes), column.get()));
}

Value ExtremumPlace::finish(Builder& k, Reduction reduction, std::span<const ExtremumPlace> places) {
    std::vector<Value> values, columns;
    for (const ExtremumPlace& place : places) values.push_back(place.best);
    const Value extremum = combine_all(reduction, values);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Value is_best = equal(values[i], splat(extremum, values[i].lanes()));
        if (is_float(extremum.dtype())) is_best = bool_or(is_best, is_nan(values[i]));
        columns.push_back(where(is_best, places[i].column, k.constant(kIndex, kNoColumn, values[i].lanes())));
    }
    // Where nothing is better than the neutral element, all elements are equal to it.
    const Value first = combine_all(Reduction::Min, columns);
    return where(equal(first, kNoColumn), 0, first);
}

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
                for_columns(k, k.index(0), count, lanes, kUnroll, [&](const Columns& at, int u) {
                    accumulate(sums[static_cast<std::size_t>(u)], reduction, at.load(parts[i], at.first), at);
                });
                results[i].store(k.index(0),
                                 finished(combine_all(reduction, std::vector<Value>(sums.begin(), sums.end()))));
            });
            continue;
        }
        result.cubes = std::max(result.cubes, (each.width + kCombinedColumns - 1) / kCombinedColumns);
        const Value first = min_pair(cube * kCombinedColumns, width), last = min_pair(first + kCombinedColumns, width);
        for_columns(k, first, last, lanes, kUnroll, [&](const Columns& at, int) {
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
