#include "tests/fuzz/programs/draw.h"

#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

#include <algorithm>

namespace burn::fuzz {

Draw::Draw(Random& random, bool tracked)
    : random(random), engine(tracked ? autodiff::engine_over(Recorder::instance()) : Recorder::instance()),
      tracked_(tracked), meets_errors_(random.one_in(6)) {}

std::int64_t Draw::size() {
    constexpr std::int64_t kSmall[] = {1, 2, 3, 4, 5, 6};
    constexpr std::int64_t kVectors[] = {7, 8, 9, 15, 16, 17, 31, 32, 33};
    constexpr std::int64_t kOdd[] = {11, 13, 23, 37, 64, 65};
    if (random.one_in(60)) return 0;
    if (random.one_in(2)) return random.pick(kSmall);
    return random.one_in(4) ? random.pick(kOdd) : random.pick(kVectors);
}

Shape Draw::shape(std::size_t rank) {
    Shape shape;
    for (std::size_t i = 0; i < rank; ++i) shape.push_back(size());
    while (shape.numel() > 3000) {  // small tensors fail as well as large ones
        std::int64_t& largest = *std::max_element(shape.begin(), shape.end());
        largest = std::max<std::int64_t>(1, largest / 3);
    }
    if (random.one_in(30) && rank > 1) {  // rows that are cut into blocks
        for (std::int64_t& axis : shape) axis = 1;
        shape[rank - 2] = random.between(1, 3);
        shape.back() = random.between(8190, 9100);
    } else if (random.one_in(40) && shape.numel() > 0) {  // enough for several threads
        std::int64_t& axis = shape[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(rank)))];
        axis = std::max<std::int64_t>(1, random.between(9000, 36000) * axis / shape.numel());
    }
    return shape;
}

DType Draw::float_type() {
    constexpr DType kTypes[] = {DType::F32, DType::F32, DType::F32, DType::F32, DType::F64, DType::F16, DType::BF16};
    return random.pick(kTypes);
}

DType Draw::int_type() {
    constexpr DType kTypes[] = {DType::I64, DType::I64, DType::I32, DType::I32, DType::I16,
                                DType::I8,  DType::U64, DType::U32, DType::U16, DType::U8};
    return random.pick(kTypes);
}

DType Draw::any_type() {
    if (random.one_in(6)) return DType::Bool;
    return random.one_in(4) ? int_type() : float_type();
}

Scalar Draw::scalar(DType dtype) {
    const std::int64_t number = random.between(is_unsigned(dtype) ? 0 : -12, 12);
    if (is_float(dtype)) return static_cast<double>(number == 0 ? 5 : number) / 8;
    return number == 0 ? 1 : number;
}

const Known& Draw::known(const ops::Handle& tensor) const {
    const ops::Handle mine = tracked_ ? autodiff::inner(tensor) : tensor;
    return Recorder::instance().oracle().at(Recorder::value_of(mine));
}

bool Draw::moderate(const ops::Handle& tensor, double most) const {
    const Known& it = known(tensor);
    return it.finite && it.magnitude() <= most;
}

ops::Handle Draw::pick(FunctionRef<bool(const ops::Handle&)> fits) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        if (fits(pool[i])) found.push_back(i);
    }
    if (found.empty()) return {};
    // Recent tensors more often, so that chains come about.
    const std::size_t index = random.one_in(2) ? found[found.size() - 1 -
                                                       static_cast<std::size_t>(random.below(std::min<std::int64_t>(
                                                           3, static_cast<std::int64_t>(found.size()))))]
                                               : random.pick(found);
    if (!random.one_in(5)) return pool[index];
    ops::Handle taken = std::move(pool[index]);
    pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(index));
    return taken;
}

ops::Handle Draw::pick_or(FunctionRef<bool(const ops::Handle&)> fits, const TensorSpec& spec, Fill fill) {
    ops::Handle found = random.one_in(8) ? ops::Handle() : pick(fits);
    return found ? found : input(spec, fill);
}

ops::Handle Draw::pick_float(std::size_t least_rank) {
    const std::size_t rank = std::max<std::size_t>(least_rank, static_cast<std::size_t>(random.between(1, 3)));
    return pick_or(
        [&](const ops::Handle& it) { return is_float(it.dtype()) && it.rank() >= least_rank && moderate(it, 20); },
        {shape(rank), float_type()}, random.one_in(2) ? Fill::Eighths : Fill::Reals);
}

ops::Handle Draw::plain_input(const TensorSpec& spec, Fill fill, std::int64_t bound) {
    ops::Handle made =
        Recorder::instance().input({spec, fill, bound, static_cast<std::uint64_t>(random.below(1 << 20))});
    if (!tracked_) return made;
    ops::Handle wrapped = autodiff::engine_over(Recorder::instance()).inner() == nullptr
                              ? ops::Handle()
                              : autodiff::from_inner(std::move(made));
    if (is_float(spec.dtype) && fill != Fill::Special && random.one_in(2)) {
        wrapped = autodiff::require_grad(std::move(wrapped));
        leaves.push_back(wrapped);
    }
    return wrapped;
}

ops::Handle Draw::input(const TensorSpec& spec, Fill fill, std::int64_t bound) {
    const Shape& shape = spec.shape;
    if (shape.numel() > 20000 || shape.rank() == 0) return plain_input(spec, fill, bound);
    switch (random.below(9)) {
        case 0: {  // axes in another order
            Dims axes, back = Dims::filled(shape.rank(), 0);
            for (std::size_t i = 0; i < shape.rank(); ++i) axes.push_back(static_cast<std::int64_t>(i));
            for (std::size_t i = shape.rank(); i > 1; --i)
                std::swap(axes[i - 1], axes[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
            Shape stored;
            for (std::size_t i = 0; i < axes.size(); ++i) {
                stored.push_back(shape[static_cast<std::size_t>(axes[i])]);
                back[static_cast<std::size_t>(axes[i])] = static_cast<std::int64_t>(i);
            }
            return ops::permute(plain_input({stored, spec.dtype}, fill, bound), back);
        }
        case 1: {  // part of a larger one
            Shape larger = shape;
            ops::SliceList slices;
            for (std::int64_t& axis : larger) {
                const std::int64_t step = random.between(1, 2), before = random.below(3), count = axis;
                axis = before + count * step + random.below(2);
                slices.push_back({before, before + count * step, random.one_in(4) ? -step : step});
            }
            return ops::slice(plain_input({larger, spec.dtype}, fill, bound), slices);
        }
        case 2: {  // back to front
            Dims axes;
            for (std::size_t i = 0; i < shape.rank(); ++i) {
                if (random.one_in(2)) axes.push_back(static_cast<std::int64_t>(i));
            }
            return ops::flip(plain_input(spec, fill, bound), axes);
        }
        case 3: {  // repeated along some axes
            Shape smaller = shape;
            for (std::int64_t& axis : smaller) axis = axis > 0 && random.one_in(2) ? 1 : axis;
            return ops::expand(plain_input({smaller, spec.dtype}, fill, bound), shape);
        }
        default: return plain_input(spec, fill, bound);
    }
}

ops::Handle Draw::indices(const Shape& shape, std::int64_t bound, bool distinct) {
    const DType dtype = random.one_in(5) ? DType::I32 : DType::I64;
    // Laid out in order where no place may be named twice: an expanded input would repeat itself.
    if (distinct) return plain_input({shape, dtype}, Fill::Distinct, bound);
    // In some programs one may be out of range, and an error takes the place of what depends on it.
    return input({shape, dtype}, Fill::Indices, meets_errors_ && random.one_in(3) ? bound + 3 : bound);
}

}  // namespace burn::fuzz
