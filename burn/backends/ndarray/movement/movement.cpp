#include <burn/backends/ndarray/ndarray_ops.h>

namespace burn::ndarray {

ops::Handle run(const ops::Reshape& op, Args& args) {
    Layout layout;
    if (args.input(0).layout().reshape(op.shape, layout)) return args.make_view(0, layout);
    const ops::Handle packed = args.contiguous(0);
    const NdTensor& tensor = NdTensor::of(packed);
    require_internal(tensor.layout().reshape(op.shape, layout), "reshape: a packed tensor has every shape");
    return ops::Handle(make_ref<NdTensor>(args.engine(), args.result_spec(), tensor.block(), layout));
}

ops::Handle run(const ops::Permute& op, Args& args) {
    return args.make_view(0, args.input(0).layout().permute(op.axes));
}

ops::Handle run(const ops::Expand& op, Args& args) {
    return args.make_view(0, args.input(0).layout().expand(op.shape));
}

}  // namespace burn::ndarray
