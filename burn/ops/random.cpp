#include <burn/ops/random.h>

#include <burn/core/convert.h>
#include <burn/ops/engine.h>

#include <bit>
#include <limits>
#include <type_traits>

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

/// The last number before `value`, as wide as T.
template <class T>
T before(T value) {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
    const auto bits = std::bit_cast<Bits>(value);
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    if (static_cast<Bits>(bits & ~kSign) == 0) return std::bit_cast<T>(static_cast<Bits>(kSign | 1));
    return std::bit_cast<T>(static_cast<Bits>((bits & kSign) != 0 ? bits + 1 : bits - 1));
}

}  // namespace

int Random::unit_bits() const {
    switch (dtype) {
        case DType::F64: return 53;
        case DType::F32: return 24;
        case DType::F16: return 11;
        default: return 8;
    }
}

Random::Bounds Random::bounds() const {
    Bounds bounds;
    visit_dtype(dtype, [&]<class T>(T) {
        if constexpr (kind_of(dtype_of<T>) == Kind::Float) {
            using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
            const auto low = static_cast<Wide>(a);
            const T last = a < b ? before(convert_element<T>(static_cast<Wide>(b))) : T(low);
            bounds = {low, static_cast<Wide>(b - a), static_cast<Wide>(last)};
        }
    });
    return bounds;
}

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
