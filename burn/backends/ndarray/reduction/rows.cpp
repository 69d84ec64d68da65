#include <burn/backends/ndarray/reduction/rows.h>

#include <burn/base/parallel.h>

namespace burn::ndarray {

namespace {

constexpr std::int64_t kParallelElements = 8 * 1024;

}  // namespace

Rows::Rows(const NdTensor& tensor, const Dims& axes) : back_(tensor.layout().strides) {
    const Shape& shape = tensor.spec().shape;
    Dims order;
    for (const bool inner : {false, true}) {
        for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
            bool named = false;
            for (const std::int64_t each : axes) named = named || each == static_cast<std::int64_t>(axis);
            if (named != inner) continue;
            back_[axis] = static_cast<std::int64_t>(order.size());
            order.push_back(static_cast<std::int64_t>(axis));
            if (named) length_ *= shape[axis];
        }
    }
    count_ = length_ == 0 ? 0 : shape.numel() / length_;
    const Layout layout = tensor.layout().permute(order);
    packed_ = ops::Handle(
        make_ref<NdTensor>(tensor.engine(), TensorSpec{layout.shape, tensor.spec().dtype}, tensor.block(), layout));
    if (!layout.is_contiguous()) packed_ = copy_contiguous(NdTensor::of(packed_));
}

ops::Handle Rows::unpack(ops::Engine& engine, DType dtype, Ref<Block> block) const {
    const Layout layout = Layout::contiguous(packed_.shape()).permute(back_);
    return ops::Handle(make_ref<NdTensor>(engine, TensorSpec{layout.shape, dtype}, std::move(block), layout));
}

void for_rows(std::int64_t count, std::int64_t length, FunctionRef<void(std::int64_t begin, std::int64_t end)> body) {
    parallel_for(count, 1 + kParallelElements / (length + 1), body);
}

}  // namespace burn::ndarray
