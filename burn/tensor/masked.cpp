#include <burn/tensor/masked.h>

#include <burn/core/tensor_data.h>
#include <burn/ops/checks.h>
#include <burn/ops/engine.h>
#include <burn/ops/indexing.h>
#include <burn/ops/movement.h>
#include <burn/ops/slice.h>

namespace burn::detail {

namespace {

std::int64_t count_true(std::span<const bool> mask) {
    std::int64_t count = 0;
    for (bool value : mask) count += value ? 1 : 0;
    return count;
}

}  // namespace

ops::Handle mask_select(ops::Handle x, const ops::Handle& mask) {
    ops::require_bool(mask.spec(), "mask_select");
    if (!(x.shape() == mask.shape())) {
        raise(ErrorKind::Shape, Message() << "mask_select: the mask has shape " << mask.shape() << ", the tensor "
                                          << x.shape() << "; expected one shape");
    }
    const TensorData data = mask.engine().read(mask).wait();
    const std::span<const bool> picked = data.values<bool>();
    TensorData places({count_true(picked)}, DType::I64);
    std::int64_t* place = places.mutable_values<std::int64_t>().data();
    for (std::size_t i = 0; i < picked.size(); ++i) {
        if (picked[i]) *place++ = static_cast<std::int64_t>(i);
    }
    ops::Handle at = x.engine().upload(std::move(places));
    const std::int64_t count = x.shape().numel();
    return ops::select(ops::reshape(std::move(x), {count}), 0, std::move(at));
}

ops::Handle argwhere(const ops::Handle& mask) {
    ops::require_bool(mask.spec(), "argwhere");
    const TensorData data = mask.engine().read(mask).wait();
    const std::span<const bool> values = data.values<bool>();
    const Shape& shape = mask.shape();
    const auto rank = static_cast<std::int64_t>(shape.rank());
    TensorData rows({count_true(values), rank}, DType::I64);
    std::int64_t* row = rows.mutable_values<std::int64_t>().data();
    Dims index = Dims::filled(shape.rank(), 0);
    for (bool value : values) {
        if (value) {
            for (std::int64_t place : index) *row++ = place;
        }
        for (std::size_t axis = shape.rank(); axis-- > 0;) {
            if (++index[axis] < shape[axis]) break;
            index[axis] = 0;
        }
    }
    return mask.engine().upload(std::move(rows));
}

ops::HandleList nonzero(const ops::Handle& mask) {
    const ops::Handle rows = argwhere(mask);
    ops::HandleList columns;
    for (std::size_t axis = 0; axis < mask.rank(); ++axis) {
        columns.push_back(ops::select_dim(rows, 1, static_cast<std::int64_t>(axis)));
    }
    return columns;
}

}  // namespace burn::detail
