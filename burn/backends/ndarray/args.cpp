#include <burn/backends/ndarray/args.h>

#include <burn/backends/ndarray/strided.h>

namespace burn::ndarray {

ops::Handle make_tensor(ops::Engine& engine, const TensorSpec& spec) {
    Ref<Block> block = Block::make(static_cast<std::size_t>(spec.shape.numel()) * size_of(spec.dtype));
    return ops::Handle(make_ref<NdTensor>(engine, spec, std::move(block), Layout::contiguous(spec.shape)));
}

ops::Handle Args::make_view(std::size_t i, const Layout& layout) const {
    return ops::Handle(
        make_ref<NdTensor>(engine_, TensorSpec{layout.shape, input(i).spec().dtype}, input(i).block(), layout));
}

ops::Handle Args::contiguous(std::size_t i) const {
    return input(i).is_contiguous() ? inputs_[i] : copy_contiguous(input(i));
}

bool Args::reusable(std::size_t i) const {
    const NdTensor& tensor = input(i);
    return inputs_[i].unique() && tensor.block()->unique() && tensor.is_contiguous();
}

ops::Handle copy_contiguous(const NdTensor& tensor) {
    const TensorSpec& spec = tensor.spec();
    Ref<Block> block = Block::make(static_cast<std::size_t>(spec.shape.numel()) * size_of(spec.dtype));
    const Layout target = Layout::contiguous(spec.shape);
    copy_strided(size_of(spec.dtype), block->data(), target, tensor.block()->data(), tensor.layout());
    return ops::Handle(make_ref<NdTensor>(tensor.engine(), spec, std::move(block), target));
}

}  // namespace burn::ndarray
