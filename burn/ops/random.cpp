#include <burn/ops/random.h>

#include <burn/ops/engine.h>

#include <limits>

namespace burn::ops {

BURN_DEFINE_OP(Random)

namespace {

[[noreturn]] void wrong_dtype(const char* law, DType dtype, const char* expected) {
    raise(ErrorKind::DType,
          Message() << "random: the law " << law << " gives no " << dtype << "; expected " << expected);
}

/// What the law Default stands for.
Distribution usual(DType dtype) {
    switch (kind_of(dtype)) {
        case Kind::Float: return Distribution::uniform(0, 1);
        case Kind::Int: return Distribution::uniform(0, dtype == DType::I8 ? 128 : 256);
        case Kind::Bool: break;
    }
    return Distribution::bernoulli(0.5);
}

void check_uniform(const Random& op) {
    if (op.dtype == DType::Bool) wrong_dtype("uniform", op.dtype, "Float or Int");
    if (!(op.a <= op.b)) {
        raise(ErrorKind::Argument,
              Message() << "random: no number lies in [" << op.a << ", " << op.b << "); expected low <= high");
    }
    bool fits = true;
    visit_dtype(op.dtype, [&]<class T>(T) {
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            const double beyond =
                static_cast<double>(std::numeric_limits<T>::max() / 2 + 1) * 2;  // one past the highest value
            fits = __builtin_trunc(op.a) == op.a && __builtin_trunc(op.b) == op.b &&
                   op.a >= static_cast<double>(std::numeric_limits<T>::min()) && op.b <= beyond;
        } else if constexpr (std::is_same_v<T, double>) {
            fits = op.b - op.a <= std::numeric_limits<double>::max();
        } else {
            const double most = std::is_same_v<T, f16> ? 65504 : static_cast<double>(std::numeric_limits<float>::max());
            fits =
                op.a >= -most && op.b <= most && op.b - op.a <= static_cast<double>(std::numeric_limits<float>::max());
        }
    });
    if (!fits) {
        raise(ErrorKind::Argument, Message()
                                       << "random: bounds " << op.a << " and " << op.b << " do not fit " << op.dtype
                                       << (is_int(op.dtype) ? "; expected whole numbers in its range" : ""));
    }
}

}  // namespace

SpecList Random::infer(std::span<const TensorSpec>) {
    require_valid_shape(shape, info.name);
    if (law == RandomLaw::Default) {
        const Distribution meant = usual(dtype);
        law = meant.law;
        a = meant.a;
        b = meant.b;
    }
    switch (law) {
        case RandomLaw::Default:
        case RandomLaw::Uniform: check_uniform(*this); break;
        case RandomLaw::Bernoulli:
            if (!(a >= 0 && a <= 1)) {
                raise(ErrorKind::Argument, Message() << "random: probability " << a << "; expected 0 to 1");
            }
            break;
        case RandomLaw::Normal:
            if (!is_float(dtype)) wrong_dtype("normal", dtype, "Float");
            if (!(b >= 0 && b <= std::numeric_limits<double>::max() && a - a == 0)) {
                raise(ErrorKind::Argument,
                      Message() << "random: mean " << a << ", std " << b << "; expected finite numbers, std >= 0");
            }
            break;
    }
    return {TensorSpec{shape, dtype}};
}

Handle random(Engine& engine, const Shape& shape, DType dtype, const Distribution& distribution) {
    Random op{.shape = shape, .dtype = dtype, .law = distribution.law, .a = distribution.a, .b = distribution.b};
    op.infer({});  // a wrong call must not move the stream
    const RandomState state = engine.take_random(static_cast<std::uint64_t>(op.blocks()));
    op.key = static_cast<std::int64_t>(state.key);
    op.counter = static_cast<std::int64_t>(state.counter);
    return std::move(apply_on(engine, op, {})[0]);
}

Handle random_like(const Handle& x, const Distribution& distribution) {
    return random(x.engine(), x.shape(), x.dtype(), distribution);
}

}  // namespace burn::ops
