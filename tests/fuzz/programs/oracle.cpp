#include "tests/fuzz/programs/oracle.h"

#include <burn/backends/ndarray/ndarray.h>
#include <burn/core/convert.h>
#include <burn/ops/all_ops.h>
#include <burn/ops/pointwise.h>

#include "tests/fuzz/programs/random_source.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace burn::fuzz {

namespace {

double largest(DType dtype) {
    switch (dtype) {
        case DType::F64: return std::numeric_limits<double>::max();
        case DType::F16: return 65504;
        default: return std::numeric_limits<float>::max();
    }
}

/// Pointwise operations whose results are rounded once and correctly, or are made of such in a fixed order.
bool is_correctly_rounded(ops::OpCode code) {
    using ops::OpCode;
    switch (code) {
        case OpCode::add:
        case OpCode::sub:
        case OpCode::mul:
        case OpCode::div:
        case OpCode::add_scalar:
        case OpCode::sub_scalar:
        case OpCode::mul_scalar:
        case OpCode::div_scalar:
        case OpCode::sub_from_scalar:
        case OpCode::div_into_scalar:
        case OpCode::neg:
        case OpCode::abs:
        case OpCode::sign:
        case OpCode::square:
        case OpCode::recip:
        case OpCode::sqrt:
        case OpCode::max_pair:
        case OpCode::min_pair:
        case OpCode::clamp:
        case OpCode::clamp_min:
        case OpCode::clamp_max:
        case OpCode::where:
        case OpCode::mask_fill:
        case OpCode::floor:
        case OpCode::ceil:
        case OpCode::trunc:
        case OpCode::round:
        case OpCode::relu:
        case OpCode::leaky_relu:
        case OpCode::prelu:
        case OpCode::threshold:
        case OpCode::hard_sigmoid:
        case OpCode::hard_swish:
        case OpCode::softsign:
        case OpCode::shrink:
        case OpCode::deg2rad:
        case OpCode::rad2deg: return true;
        default: return false;
    }
}

bool is_half(DType dtype) { return dtype == DType::F16 || dtype == DType::BF16; }

bool same_values(const TensorData& a, const TensorData& b) {
    for (std::int64_t i = 0; i < a.numel(); ++i) {
        if (a.at(i) != b.at(i)) return false;
    }
    return true;
}

}  // namespace

Oracle::Oracle() : reference_(NdArray::engine(0)), shadows_(reference_) {}

void Oracle::put(ValueId value, Known known) {
    if (value >= known_.size()) known_.resize(value + 1);
    const TensorData data = reference_.read(known.exact).wait();
    known.least = std::numeric_limits<double>::infinity();
    bool first = true;
    for (std::int64_t i = 0; i < data.numel(); ++i) {
        const double number = data.at(i);
        known.finite = known.finite && std::isfinite(number);
        if (std::isnan(number)) continue;
        known.lowest = first ? number : std::min(known.lowest, number);
        known.highest = first ? number : std::max(known.highest, number);
        known.least = std::min(known.least, std::abs(number));
        first = false;
    }
    known_[value] = std::move(known);
}

void Oracle::step(const Line& line) {
    if (line.kind == Line::Kind::Input) {
        Known known;
        known.exact = reference_.upload(make_data(line.source));
        put(line.results[0], std::move(known));
    } else if (line.kind == Line::Kind::Apply) {
        apply(line);
    }
}

const ops::Handle& Oracle::shadow(ValueId value) {
    Known& known = known_[value];
    if (!known.shadow) known.shadow = shadows_.upload(reference_.read(known.exact).wait());
    return known.shadow;
}

bool Oracle::sums_exactly(const Line& line) const {
    // Multiples of 2^-6 (of 2^-3 where two are multiplied) and no partial sum beyond 2^18: f32 needs no rounding.
    const bool product = line.op->info().kind == ops::OpKind::Contract || line.op->code() == ops::OpCode::Linear;
    const double unit = product ? 8 : 64;
    double total = 1;
    for (const Operand& operand : line.operands) {
        const Known& known = known_[operand.value];
        if (!is_float(known.exact.dtype())) continue;
        if (known.certainty != Certainty::Bits || !known.finite) return false;
        const TensorData data = reference_.read(known.exact).wait();
        double sum = 0;
        for (std::int64_t i = 0; i < data.numel(); ++i) {
            if (data.at(i) * unit != std::nearbyint(data.at(i) * unit)) return false;
            sum += std::abs(data.at(i));
        }
        total = product ? total * std::max(1.0, sum) : total + sum;
    }
    return total < 0x1p17;
}

bool Oracle::names_no_place_twice(const Line& line) const {
    // Along the axis of the indices; other axes tell places apart.
    const TensorData at = reference_.read(known_[line.operands[1].value].exact).wait();
    std::set<double> seen;
    if (line.op->code() == ops::OpCode::SelectAssign) {
        for (std::int64_t i = 0; i < at.numel(); ++i) {
            if (!seen.insert(at.at(i)).second) return false;
        }
        return true;
    }
    if (line.op->code() != ops::OpCode::Scatter) return false;
    const auto axis = static_cast<std::size_t>(line.op->as<ops::Scatter>().axis);
    std::int64_t inner = 1;
    for (std::size_t i = axis + 1; i < at.shape().rank(); ++i) inner *= at.shape()[i];
    const std::int64_t size = at.shape()[axis];
    for (std::int64_t row = 0; row < at.numel() / std::max<std::int64_t>(1, size); ++row) {
        seen.clear();
        for (std::int64_t i = 0; i < size; ++i) {
            if (!seen.insert(at.at((row / inner * size + i) * inner + row % inner)).second) return false;
        }
    }
    return true;
}

bool Oracle::divides_by_nothing(const Line& line) {
    const ops::OpCode code = line.op->code();
    return (code == ops::OpCode::div || code == ops::OpCode::remainder) && may_vanish(line.operands[1].value);
}

bool Oracle::may_vanish(ValueId value) {
    if (known_[value].certainty != Certainty::Near) return false;
    const TensorData want = shadows_.read_run(known_[value].shadow, 0);
    for (std::size_t run = 1; run < ShadowEngine::kRuns; ++run) {
        const TensorData other = shadows_.read_run(known_[value].shadow, run);
        for (std::int64_t i = 0; i < want.numel(); ++i) {
            if (std::abs(other.at(i) - want.at(i)) >= std::abs(want.at(i))) return true;
        }
    }
    return false;
}

bool Oracle::tells_equality(const Line& line) const {
    switch (line.op->code()) {
        case ops::OpCode::equal:
        case ops::OpCode::not_equal:
        case ops::OpCode::equal_scalar:
        case ops::OpCode::not_equal_scalar: break;
        default: return false;
    }
    return std::ranges::any_of(line.operands, [this](const Operand& operand) {
        return known_.at(operand.value).certainty == Certainty::Near;
    });
}

bool Oracle::chooses_a_zero(const Line& line) const {
    switch (line.op->code()) {
        case ops::OpCode::Max:
        case ops::OpCode::Min:
        case ops::OpCode::max_pair:
        case ops::OpCode::min_pair:
        case ops::OpCode::CumMax:
        case ops::OpCode::CumMin:
        case ops::OpCode::MaxPool:
        case ops::OpCode::MaxPoolWithIndices: break;
        default: return false;
    }
    for (const Operand& operand : line.operands) {
        const TensorData data = reference_.read(known_.at(operand.value).exact).wait();
        for (std::int64_t i = 0; is_float(data.dtype()) && i < data.numel(); ++i) {
            if (data.at(i) == 0 && std::signbit(data.at(i))) return true;
        }
    }
    return false;
}

bool Oracle::keeps_bits(const Line& line, const ops::HandleList& results) const {
    const ops::AnyOp& op = *line.op;
    if (chooses_a_zero(line)) return false;
    for (const Operand& operand : line.operands) {
        if (known_[operand.value].certainty != Certainty::Bits) return false;
    }
    bool floating = false;
    for (const ops::Handle& result : results) floating = floating || is_float(result.dtype());
    if (!floating) return true;
    switch (op.code()) {
        case ops::OpCode::Random: {
            const ops::Random& random = op.as<ops::Random>();
            return random.law != RandomLaw::Normal;
        }
        case ops::OpCode::Cast: return true;
        case ops::OpCode::Sum:
        case ops::OpCode::CumSum:
        case ops::OpCode::MatMul:
        case ops::OpCode::Linear:
        case ops::OpCode::Conv:
        case ops::OpCode::ConvInputGrad:
        case ops::OpCode::ConvWeightGrad: return !is_half(results[0].dtype()) && sums_exactly(line);
        case ops::OpCode::Scatter:
        case ops::OpCode::SelectAssign:
        case ops::OpCode::ScatterNd: return moves_only(op) || sums_exactly(line);
        default: break;
    }
    if (!ops::is_pointwise(op.code())) return moves_only(op);
    return is_correctly_rounded(op.code());
}

Certainty Oracle::judge(const TensorSpec& spec, const ops::Handle& exact, const ops::Handle& shadow) {
    const TensorData want = shadows_.read_run(shadow, 0);
    if (!is_float(spec.dtype)) {
        const TensorData here = reference_.read(exact).wait();
        if (!(here == want)) return Certainty::Unknown;
        for (std::size_t run = 1; run < ShadowEngine::kRuns; ++run) {
            if (!(shadows_.read_run(shadow, run) == want)) return Certainty::Unknown;
        }
        return Certainty::Bits;
    }
    double spread = 0, magnitude = 0;
    const double limit = largest(spec.dtype) / 16;
    for (std::int64_t i = 0; i < want.numel(); ++i) {
        const double number = want.at(i);
        if (std::isfinite(number) && std::abs(number) > limit) return Certainty::Unknown;
        magnitude = std::max(magnitude, std::isfinite(number) ? std::abs(number) : 0);
    }
    for (std::size_t run = 1; run < ShadowEngine::kRuns; ++run) {
        const TensorData other = shadows_.read_run(shadow, run);
        for (std::int64_t i = 0; i < want.numel(); ++i) {
            const double a = want.at(i), b = other.at(i);
            if (std::isfinite(a) && std::isfinite(b)) {
                spread = std::max(spread, std::abs(a - b));
            } else if (!(a == b || (std::isnan(a) && std::isnan(b)))) {
                return Certainty::Unknown;
            }
        }
    }
    return spread > 0.3 * magnitude && magnitude > 0 ? Certainty::Unknown : Certainty::Near;
}

bool Oracle::overflows_inside(const Line& line, const TensorSpec& result) const {
    const ops::OpCode code = line.op->code();
    if (code != ops::OpCode::Prod && code != ops::OpCode::CumProd && code != ops::OpCode::ProdOfOthers) return false;
    const Known& x = known_[line.operands[0].value];
    if (!is_float(result.dtype)) return false;
    const Shape& shape = x.exact.shape();
    double factors = 1;
    if (code == ops::OpCode::CumProd) {
        factors = static_cast<double>(shape[static_cast<std::size_t>(line.op->as<ops::CumProd>().axis)]);
    } else {
        for (const std::int64_t axis : static_cast<const ops::ReducedAxes*>(line.op->attributes())->axes)
            factors *= static_cast<double>(shape[static_cast<std::size_t>(axis)]);
    }
    const double growth = std::max(std::abs(std::log2(std::max(x.magnitude(), 0x1p-30))),
                                   std::abs(std::log2(std::clamp(x.least, 0x1p-30, 1.0))));
    return factors * growth > 100;
}

bool Oracle::fails(const Line& line, const SpecList& results, ops::HandleList& made) {
    bool failed = false, spared = true;
    ops::HandleList inputs;
    for (const Operand& operand : line.operands) {
        const Known& known = known_[operand.value];
        inputs.push_back(known.exact);
        failed = failed || known.certainty == Certainty::Failed;
        spared = spared && (known.certainty != Certainty::Failed || known.spared);
    }
    if (!failed) {
        try {
            made = ops::apply_on(reference_, *line.op, std::move(inputs));
            return false;
        } catch (const IndexError&) {
            failed = true;
            spared = false;
        }
    } else if (results.size() > 1 && line.op->op_class().decompose != nullptr) {
        spared = true;  // as the operations it is made of, some results do without the operand that failed
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        Known known{reference_.upload(TensorData(results[i].shape, results[i].dtype)), {}, Certainty::Failed};
        known.spared = spared;
        put(line.results[i], std::move(known));
    }
    return true;
}

void Oracle::apply(const Line& line) {
    SmallVector<TensorSpec, 4> specs;
    bool lost = false;
    for (const Operand& operand : line.operands) {
        specs.push_back(known_.at(operand.value).exact.spec());
        lost = lost || known_[operand.value].certainty == Certainty::Unknown;
    }
    ops::AnyOp op = *line.op;
    const SpecList results = op.infer({specs.data(), specs.size()});
    ops::HandleList exact;
    if (fails(line, results, exact)) return;
    // Which of two values stays where a place is named twice is not specified.
    const bool assigns = line.op->code() == ops::OpCode::Scatter || line.op->code() == ops::OpCode::SelectAssign ||
                         line.op->code() == ops::OpCode::ScatterNd;
    if (assigns && moves_only(*line.op) && !names_no_place_twice(line)) lost = true;
    if (overflows_inside(line, exact[0].spec())) lost = true;
    if (tells_equality(line)) lost = true;
    const bool tells_zero = line.op->code() == ops::OpCode::Cast && exact[0].dtype() == DType::Bool;
    if (tells_zero && may_vanish(line.operands[0].value)) lost = true;
    if (divides_by_nothing(line)) lost = true;
    if (!lost && keeps_bits(line, exact)) {
        const bool check = ops::is_pointwise(line.op->code()) && is_half(exact[0].dtype());
        bool same = true;
        if (check) {  // no rounding may have taken place: half types round where they are stored, wherever that is
            ops::HandleList operands;
            for (const Operand& operand : line.operands) operands.push_back(shadow(operand.value));
            const ops::HandleList shadows = ops::apply_on(shadows_, *line.op, std::move(operands));
            same = same_values(shadows_.read_run(shadows[0], 0), reference_.read(exact[0]).wait());
        }
        if (same) {
            for (std::size_t i = 0; i < exact.size(); ++i) put(line.results[i], {exact[i], {}, Certainty::Bits});
            return;
        }
    }
    if (lost) {
        for (std::size_t i = 0; i < exact.size(); ++i) put(line.results[i], {exact[i], {}, Certainty::Unknown});
        return;
    }
    ops::HandleList operands;
    for (const Operand& operand : line.operands) operands.push_back(shadow(operand.value));
    const ops::HandleList shadows = ops::apply_on(shadows_, *line.op, std::move(operands));
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const Certainty certainty = judge(exact[i].spec(), exact[i], shadows[i]);
        put(line.results[i], {exact[i], certainty == Certainty::Near ? shadows[i] : ops::Handle(), certainty});
    }
}

std::string Oracle::difference(ValueId value, const TensorData& got) {
    const Known& known = known_[value];
    const TensorData here = reference_.read(known.exact).wait();
    Message message;
    if (got.shape() != here.shape() || got.dtype() != here.dtype()) {
        message << "is " << got.dtype() << ' ' << got.shape() << ", must be " << here.dtype() << ' ' << here.shape();
        return message.text();
    }
    const auto wrong = [&](std::int64_t i, double want, double tolerance) -> std::string {
        message << "element " << i << " of " << here.dtype() << ' ' << here.shape() << " is " << got.at(i)
                << ", must be " << want;
        if (tolerance > 0) message << " within " << tolerance;
        return message.text();
    };
    if (known.certainty == Certainty::Failed) return known.spared ? "" : "is there, must be an error";
    if (known.certainty == Certainty::Unknown) return "";
    if (known.certainty == Certainty::Bits) {
        const std::size_t size = size_of(here.dtype());
        for (std::int64_t i = 0; i < here.numel(); ++i) {
            const auto at = static_cast<std::size_t>(i) * size;
            if (std::memcmp(got.bytes().data() + at, here.bytes().data() + at, size) == 0) continue;
            if (std::isnan(got.at(i)) && std::isnan(here.at(i))) continue;
            return wrong(i, here.at(i), 0);
        }
        return "";
    }
    const TensorData want = shadows_.read_run(known.shadow, 0);
    std::vector<double> spread(static_cast<std::size_t>(want.numel()));
    double widest = 0;
    for (std::size_t run = 1; run < ShadowEngine::kRuns; ++run) {
        const TensorData other = shadows_.read_run(known.shadow, run);
        for (std::size_t i = 0; i < spread.size(); ++i) {
            const double distance =
                std::abs(other.at(static_cast<std::int64_t>(i)) - want.at(static_cast<std::int64_t>(i)));
            if (!std::isfinite(distance)) continue;
            spread[i] = std::max(spread[i], distance);
            widest = std::max(widest, distance);
        }
    }
    const double scale = disturbance(here.dtype()), roundoff = unit_roundoff(here.dtype());
    for (std::size_t i = 0; i < spread.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const double a = got.at(index), b = want.at(index);
        if (a == b || (std::isnan(a) && std::isnan(b))) continue;
        double tolerance = 16 / scale * spread[i] + 8 / scale * widest + 4 * roundoff * std::abs(b);
        // Where a step function jumps, a disturbed run shows the whole jump.
        if (spread[i] > 1e-3 * std::abs(b)) tolerance += 2 * spread[i];
        if (!(std::abs(a - b) <= tolerance)) return wrong(index, b, tolerance);
    }
    return "";
}

}  // namespace burn::fuzz
