#include <burn/ops/create.h>

#include <burn/ops/checks.h>
#include <burn/ops/engine.h>

namespace burn::ops {

BURN_DEFINE_OP(Full)
BURN_DEFINE_OP(Arange)

SpecList Full::infer(std::span<const TensorSpec>) {
    require_valid_shape(shape, info.name);
    require_scalar_fits(value, dtype, info.name);
    return {TensorSpec{shape, dtype}};
}

SpecList Arange::infer(std::span<const TensorSpec>) {
    const TensorSpec result{{count}, dtype};
    require_numeric(result, info.name);
    require_valid_shape(result.shape, info.name);
    if (count > 0) {
        // Where the last number fits 64 bits, its distance from the first need not.
        const std::uint64_t distance = static_cast<std::uint64_t>(count - 1) * static_cast<std::uint64_t>(step);
        const std::uint64_t last = static_cast<std::uint64_t>(start) + distance;
        for (const std::int64_t end : {start, static_cast<std::int64_t>(last)})
            require_scalar_fits(end, dtype, info.name);
    }
    return {result};
}

Handle full(Engine& engine, const Shape& shape, DType dtype, Scalar value) {
    return std::move(apply_on(engine, Full{shape, dtype, value}, {})[0]);
}

Handle full_like(const Handle& x, Scalar value) {
    require_scalar_fits(value, x.dtype(), "full_like");
    return full(x.engine(), x.shape(), x.dtype(), value);
}

Handle arange(Engine& engine, std::int64_t start, std::int64_t end, std::int64_t step, DType dtype) {
    if (step == 0)
        raise(ErrorKind::Argument, Message()
                                       << "arange: a step of 0 never reaches " << end << "; expected any other number");
    // Differences of 64-bit numbers need not fit 64 bits with a sign, but fit without.
    const auto apart = [](std::int64_t from, std::int64_t to) {
        return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    };
    std::uint64_t count = 0;
    if (step > 0 && end > start) count = (apart(start, end) - 1) / static_cast<std::uint64_t>(step) + 1;
    if (step < 0 && end < start) count = (apart(end, start) - 1) / apart(step, 0) + 1;
    return std::move(apply_on(engine, Arange{start, static_cast<std::int64_t>(count), step, dtype}, {})[0]);
}

Handle arange(Engine& engine, std::int64_t start, std::int64_t end, std::int64_t step) {
    return arange(engine, start, end, step, engine.default_int());
}

}  // namespace burn::ops
