#include "toy_ops.h"

#include <burn/core/philox.h>

#include <cmath>

namespace toy {

namespace {

/// Calls visit(index) for every element of a shape, index being its position along each axis.
template <class Visit>
void for_each_index(const Shape& shape, Visit visit) {
    Dims index = Dims::filled(shape.rank(), 0);
    for (std::int64_t left = shape.numel(); left > 0; --left) {
        visit(index);
        for (std::size_t axis = shape.rank(); axis-- > 0 && ++index[axis] == shape[axis];) index[axis] = 0;
    }
}

/// Where the element at `index` lies in a row-major tensor; axes of size 1 are repeated.
std::size_t place_of(const Dims& index, const Shape& shape) {
    std::int64_t place = 0;
    const std::size_t added = index.size() - shape.rank();
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        place = place * shape[axis] + (shape[axis] == 1 ? 0 : index[added + axis]);
    }
    return static_cast<std::size_t>(place);
}

template <class Function>
Handle map(Args& args, Function function) {
    std::vector<double> result;
    for (double a : args.values(0)) result.push_back(function(a));
    return args.result(std::move(result));
}

template <class Function>
Handle zip(Args& args, Function function) {
    std::vector<double> result;
    for_each_index(args.result_shape(), [&](const Dims& index) {
        result.push_back(
            function(args.values(0)[place_of(index, args.shape(0))], args.values(1)[place_of(index, args.shape(1))]));
    });
    return args.result(std::move(result));
}

}  // namespace

Handle run(const PointwiseOp<OpCode::add>&, Args& args) {
    return zip(args, [](double a, double b) { return a + b; });
}
Handle run(const PointwiseOp<OpCode::sub>&, Args& args) {
    return zip(args, [](double a, double b) { return a - b; });
}
Handle run(const PointwiseOp<OpCode::mul>&, Args& args) {
    return zip(args, [](double a, double b) { return a * b; });
}
Handle run(const PointwiseOp<OpCode::div>&, Args& args) {
    return zip(args, [](double a, double b) { return a / b; });
}
Handle run(const PointwiseOp<OpCode::neg>&, Args& args) {
    return map(args, [](double a) { return -a; });
}
Handle run(const PointwiseOp<OpCode::exp>&, Args& args) {
    return map(args, [](double a) { return std::exp(a); });
}
Handle run(const PointwiseOp<OpCode::log>&, Args& args) {
    return map(args, [](double a) { return std::log(a); });
}
Handle run(const PointwiseOp<OpCode::sqrt>&, Args& args) {
    return map(args, [](double a) { return std::sqrt(a); });
}
Handle run(const PointwiseOp<OpCode::add_scalar>& op, Args& args) {
    return map(args, [s = op.s.to<double>()](double a) { return a + s; });
}
Handle run(const PointwiseOp<OpCode::mul_scalar>& op, Args& args) {
    return map(args, [s = op.s.to<double>()](double a) { return a * s; });
}
Handle run(const PointwiseOp<OpCode::div_scalar>& op, Args& args) {
    return map(args, [s = op.s.to<double>()](double a) { return a / s; });
}
Handle run(const PointwiseOp<OpCode::clamp_min>& op, Args& args) {
    return map(args, [s = op.s.to<double>()](double a) { return a < s ? s : a; });
}
Handle run(const PointwiseOp<OpCode::greater_scalar>& op, Args& args) {
    return map(args, [s = op.s.to<double>()](double a) { return a > s; });
}
Handle run(const PointwiseOp<OpCode::bool_not>&, Args& args) {
    return map(args, [](double a) { return a == 0; });
}
Handle run(const PointwiseOp<OpCode::mask_fill>& op, Args& args) {
    return zip(args, [s = op.s.to<double>()](double mask, double b) { return mask != 0 ? s : b; });
}

Handle run(const burn::ops::Full& op, Args& args) {
    return args.result(std::vector<double>(static_cast<std::size_t>(op.shape.numel()), op.value.to<double>()));
}

Handle run(const burn::ops::Reshape&, Args& args) { return args.result(args.values(0)); }

Handle run(const burn::ops::Permute& op, Args& args) {
    std::vector<double> result;
    for_each_index(args.result_shape(), [&](const Dims& index) {
        Dims from = index;
        for (std::size_t i = 0; i < op.axes.size(); ++i) from[static_cast<std::size_t>(op.axes[i])] = index[i];
        result.push_back(args.values(0)[place_of(from, args.shape(0))]);
    });
    return args.result(std::move(result));
}

Handle run(const burn::ops::Expand&, Args& args) {
    std::vector<double> result;
    for_each_index(args.result_shape(),
                   [&](const Dims& index) { result.push_back(args.values(0)[place_of(index, args.shape(0))]); });
    return args.result(std::move(result));
}

Handle run(const burn::ops::Sum&, Args& args) {
    std::vector<double> result(static_cast<std::size_t>(args.result_shape().numel()));
    for_each_index(args.shape(0), [&](const Dims& index) {
        result[place_of(index, args.result_shape())] += args.values(0)[place_of(index, args.shape(0))];
    });
    return args.result(std::move(result));
}

Handle run(const burn::ops::Max&, Args& args) {
    std::vector<double> result(static_cast<std::size_t>(args.result_shape().numel()), -INFINITY);
    for_each_index(args.shape(0), [&](const Dims& index) {
        double& largest = result[place_of(index, args.result_shape())];
        const double value = args.values(0)[place_of(index, args.shape(0))];
        if (value > largest || std::isnan(value)) largest = value;  // nothing is above a NaN: it stays
    });
    return args.result(std::move(result));
}

Handle run(const burn::ops::MatMul&, Args& args) {
    const std::size_t rank = args.result_shape().rank();
    std::vector<double> result;
    for_each_index(args.result_shape(), [&](const Dims& index) {
        Dims lhs = index;
        Dims rhs = index;
        double sum = 0;
        for (std::int64_t k = 0; k < args.shape(0)[rank - 1]; ++k) {
            lhs[rank - 1] = rhs[rank - 2] = k;
            sum += args.values(0)[place_of(lhs, args.shape(0))] * args.values(1)[place_of(rhs, args.shape(1))];
        }
        result.push_back(sum);
    });
    return args.result(std::move(result));
}

/// The index `at` with its position along an axis taken from the values of an operand.
static Dims redirected(const Args& args, std::size_t operand, const Dims& at, std::int64_t axis) {
    Dims index = at;
    index[static_cast<std::size_t>(axis)] =
        static_cast<std::int64_t>(args.values(operand)[place_of(at, args.shape(operand))]);
    return index;
}

Handle run(const burn::ops::Gather& op, Args& args) {
    std::vector<double> result;
    for_each_index(args.shape(1), [&](const Dims& at) {
        result.push_back(args.values(0)[place_of(redirected(args, 1, at, op.axis), args.shape(0))]);
    });
    return args.result(std::move(result));
}

Handle run(const burn::ops::Scatter& op, Args& args) {
    std::vector<double> result = args.values(0);
    for_each_index(args.shape(1), [&](const Dims& at) {
        double& place = result[place_of(redirected(args, 1, at, op.axis), args.shape(0))];
        const double value = args.values(2)[place_of(at, args.shape(2))];
        place = op.update == burn::ops::IndexingUpdate::Add ? place + value : value;
    });
    return args.result(std::move(result));
}

/// Uniform numbers only; what else an initialiser could ask for is refused.
Handle run(const burn::ops::Random& op, Args& args) {
    if (op.law != burn::RandomLaw::Uniform) {
        burn::raise(burn::ErrorKind::Unsupported, burn::Message() << "random: toy draws uniform numbers only");
    }
    std::vector<double> result;
    for (std::int64_t i = 0; i < op.shape.numel(); ++i) {
        const auto words =
            burn::philox4x32(static_cast<std::uint64_t>(op.key), static_cast<std::uint64_t>(op.counter + i / 4));
        result.push_back(op.a + (op.b - op.a) * (words[static_cast<std::size_t>(i % 4)] >> 8) * 0x1p-24);
    }
    return args.result(std::move(result));
}

}  // namespace toy
