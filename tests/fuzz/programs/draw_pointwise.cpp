#include "tests/conformance/pointwise_table.h"
#include "tests/fuzz/programs/draw.h"

#include <burn/ops/all_ops.h>
#include <burn/ops/functions.h>

#include <algorithm>

namespace burn::fuzz {

namespace {

using ops::Domain;
using ops::Handle;
using ops::HandleList;
using ops::PointwiseInfo;
using ops::Types;

/// Whether the numbers of an operand lie where the operation is tame.
bool inside(const PointwiseInfo& info, const Draw& draw, const Handle& x) {
    const Known& it = draw.known(x);
    if (is_int(x.dtype())) return info.domain != Domain::Shift || (it.lowest >= 0 && it.highest <= 70);
    if (x.dtype() == DType::Bool) return true;
    if (info.op.kind == ops::OpKind::Pointwise && info.bool_result) return true;
    if (!it.finite || it.magnitude() > (info.types == Types::Float ? 12 : 200)) return false;
    switch (info.domain) {
        case Domain::Positive: return it.lowest > 0.1 || x.shape().numel() == 0;
        case Domain::Unit: return it.magnitude() < 0.9;
        case Domain::AboveOne: return it.lowest > 1.1 || x.shape().numel() == 0;
        case Domain::AboveMinusOne: return it.lowest > -0.9;
        case Domain::NonZero: return it.least > 0.05;
        default: return true;
    }
}

Fill fill_of(const PointwiseInfo& info, DType dtype, Draw& draw) {
    if (!is_float(dtype)) return draw.random.one_in(6) && info.domain != Domain::Shift ? Fill::Special : Fill::Eighths;
    switch (info.domain) {
        case Domain::Positive:
        case Domain::NonZero: return Fill::Positive;
        case Domain::Unit: return Fill::Unit;
        case Domain::AboveOne: return Fill::AboveOne;
        case Domain::AboveMinusOne: return draw.random.one_in(2) ? Fill::Unit : Fill::Positive;
        default: break;
    }
    if (draw.random.one_in(25)) return Fill::Special;
    return draw.random.one_in(2) ? Fill::Eighths : Fill::Reals;
}

DType type_for(Types types, Draw& draw) {
    switch (types) {
        case Types::Float: return draw.float_type();
        case Types::Int: return draw.int_type();
        case Types::Bool: return DType::Bool;
        case Types::Numeric: return draw.random.one_in(4) ? draw.int_type() : draw.float_type();
        case Types::Any:
        case Types::MaskAny: break;
    }
    return draw.any_type();
}

bool broadcasts(const Shape& a, const Shape& b) {
    if (a.rank() != b.rank()) return false;
    for (std::size_t i = 0; i < a.rank(); ++i) {
        if (a[i] != b[i] && a[i] != 1 && b[i] != 1) return false;
    }
    return true;
}

/// The result stays small when both are broadcast.
bool meets(const Handle& x, const Shape& shape) {
    return broadcasts(x.shape(), shape) && broadcast_shapes(x.shape(), shape, "draw").numel() <= 40000;
}

Shape thinned(Shape shape, Draw& draw) {
    for (std::int64_t& axis : shape) axis = draw.random.one_in(4) ? 1 : axis;
    return shape;
}

HandleList draw_line(Draw& draw, const conformance::PointwiseLine& line) {
    const PointwiseInfo& info = line.info;
    const bool masked = info.types == Types::MaskAny;
    const DType wanted = type_for(info.types, draw);
    const Handle first =
        draw.pick_or([&](const Handle& it) { return ops::accepts(info.types, it.dtype()) && inside(info, draw, it); },
                     {draw.any_shape(), wanted}, fill_of(info, wanted, draw));
    const DType dtype = first.dtype();
    HandleList operands;
    if (masked) {
        operands.push_back(
            draw.pick_or([&](const Handle& it) { return it.dtype() == DType::Bool && meets(it, first.shape()); },
                         {thinned(first.shape(), draw), DType::Bool}, Fill::Eighths));
    }
    operands.push_back(first);
    while (static_cast<int>(operands.size()) < info.operands) {
        if (!masked && draw.random.one_in(10)) {  // twice the same
            operands.push_back(first);
            continue;
        }
        const Shape shape = operands[0].shape();
        if (info.domain == Domain::Shift || info.domain == Domain::Exponent) {
            operands.push_back(
                draw.input({thinned(shape, draw), dtype}, Fill::Indices,
                           info.domain == Domain::Shift ? 8 * static_cast<std::int64_t>(size_of(dtype)) + 2 : 6));
            continue;
        }
        const auto fits = [&](const Handle& it) {
            return it.dtype() == dtype && meets(it, shape) &&
                   (operands.size() < 2 || meets(it, operands.back().shape())) && inside(info, draw, it);
        };
        operands.push_back(draw.pick_or(fits, {thinned(shape, draw), dtype}, fill_of(info, dtype, draw)));
    }
    ops::PointwiseAttributes scalars;
    if (info.scalars > 0) scalars.s = draw.scalar(dtype);
    if (info.scalars > 1) scalars.t = draw.scalar(dtype);
    const ops::OpCode code = info.code;
    if (code == ops::OpCode::bitwise_left_shift_scalar || code == ops::OpCode::bitwise_right_shift_scalar ||
        code == ops::OpCode::powi_scalar)
        scalars.s = draw.random.between(0, 5);
    if (code == ops::OpCode::clamp && scalars.s.to<double>() > scalars.t.to<double>()) std::swap(scalars.s, scalars.t);
    if (code == ops::OpCode::softplus || code == ops::OpCode::celu) scalars.s = 0.75;
    if (code == ops::OpCode::shrink) scalars.s = 0.5;
    return ops::list_of(line.apply(std::move(operands), scalars));
}

HandleList any_line(Draw& draw) { return draw_line(draw, draw.random.pick(conformance::pointwise_lines())); }

/// Those that programs are mostly made of.
HandleList usual_line(Draw& draw) {
    constexpr const char* kUsual[] = {
        "add", "sub",  "mul",  "div",     "add_scalar", "mul_scalar", "sub_from_scalar", "max_pair",     "neg",
        "exp", "tanh", "sqrt", "sigmoid", "relu",       "where",      "greater",         "equal_scalar", "abs"};
    return draw_line(draw, *conformance::find_pointwise(draw.random.pick(kUsual)));
}

/// The same done with several tensors, as an optimiser does with every parameter.
HandleList alike(Draw& draw) {
    HandleList results;
    const DType dtype = draw.random.one_in(3) ? draw.float_type() : DType::F32;
    const Scalar first = draw.scalar(dtype), second = draw.scalar(dtype);
    const std::int64_t length = draw.random.between(1, 3), sum = draw.random.below(3);
    for (std::int64_t i = draw.random.between(2, 4); i > 0; --i) {
        Handle x = draw.pick_or([&](const Handle& it) { return it.dtype() == dtype && draw.moderate(it, 12); },
                                {draw.any_shape(), dtype}, Fill::Reals);
        x = ops::mul_scalar(std::move(x), first);
        if (length > 1) x = ops::add_scalar(std::move(x), second);
        if (length > 2) x = ops::tanh(std::move(x));
        if (sum == 0) x = ops::sum(x, {static_cast<std::int64_t>(x.rank()) - 1});
        results.push_back(std::move(x));
    }
    return results;
}

HandleList cast(Draw& draw) {
    const Handle x = draw.pick_or([&](const Handle& it) { return draw.moderate(it, 1000); },
                                  {draw.any_shape(), draw.any_type()}, Fill::Eighths);
    return ops::list_of(ops::cast(x, draw.any_type()));
}

/// Through a narrower type and back: what is lost on the way must be lost everywhere.
HandleList there_and_back(Draw& draw) {
    const DType wide = draw.random.one_in(4) ? DType::F64 : DType::F32;
    const Handle x = draw.pick_or([&](const Handle& it) { return it.dtype() == wide && draw.moderate(it, 1000); },
                                  {draw.any_shape(), wide}, Fill::Reals);
    constexpr DType kNarrow[] = {DType::F16, DType::BF16, DType::I8, DType::I32};
    Handle y = ops::cast(x, draw.random.pick(kNarrow));
    if (draw.random.one_in(3)) y = ops::neg(std::move(y));
    return ops::list_of(ops::cast(std::move(y), wide));
}

HandleList full(Draw& draw) {
    const DType dtype = draw.any_type();
    return ops::list_of(ops::full(draw.engine, draw.any_shape(), dtype, draw.scalar(dtype)));
}

HandleList arange(Draw& draw) {
    const DType dtype = draw.random.one_in(2) ? DType::F32 : draw.int_type();
    const std::int64_t start = is_unsigned(dtype) ? 0 : draw.random.between(-5, 5);
    const std::int64_t count = std::min<std::int64_t>(draw.size(), 60);  // twice as far i8 ends
    return ops::list_of(ops::arange(draw.engine, start, start + 2 * count, draw.random.between(1, 2), dtype));
}

HandleList random_numbers(Draw& draw) {
    const DType dtype = draw.any_type();
    Distribution law;
    if (dtype != DType::Bool && draw.random.one_in(2)) law = Distribution::uniform(0, 3);
    if (is_float(dtype) && draw.random.one_in(2)) law = Distribution::normal(0.5, 2);
    if (draw.random.one_in(4)) law = Distribution::bernoulli(0.25);
    return ops::list_of(ops::random(draw.engine, draw.any_shape(), dtype, law));
}

constexpr Drawer kDrawers[] = {
    {"pointwise", 30, any_line},
    {"usual", 50, usual_line},
    {"alike", 5, alike},
    {"cast", 6, cast},
    {"there_and_back", 4, there_and_back},
    {"full", 2, full},
    {"arange", 2, arange},
    {"random", 2, random_numbers},
};

}  // namespace

std::span<const Drawer> pointwise_drawers() { return kDrawers; }

}  // namespace burn::fuzz
