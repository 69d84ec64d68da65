#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/strided.h>

namespace burn::ndarray {

namespace {

/// The region that canonical slices choose.
Layout region_of(Layout layout, const ops::SliceList& slices, const char* op) {
    for (std::size_t axis = 0; axis < slices.size(); ++axis) {
        const SliceSpan span = resolve(slices[axis], layout.shape[axis], op);
        layout = layout.slice(axis, span.start, span.count, span.step);
    }
    return layout;
}

}  // namespace

ops::Handle run(const ops::StridedSlice& op, Args& args) {
    return args.make_view(0, region_of(args.input(0).layout(), op.slices, op.info.name));
}

ops::Handle run(const ops::SliceAssign& op, Args& args) {
    const NdTensor& values = args.input(1);
    ops::Handle result = args.take_writable(0);
    const NdTensor& target = NdTensor::of(result);
    copy_strided(size_of(target.spec().dtype), target.block()->data(),
                 region_of(target.layout(), op.slices, op.info.name), values.block()->data(), values.layout());
    return result;
}

ops::Handle run(const ops::Unfold& op, Args& args) {
    const auto axis = static_cast<std::size_t>(op.axis);
    Layout layout = args.input(0).layout();
    const std::int64_t stride = layout.strides[axis];
    layout.shape = args.result_spec().shape;
    layout.strides[axis] = layout.shape[axis] > 1 ? stride * op.step : 0;  // a step past the end may overflow
    layout.strides.push_back(stride);
    return args.make_view(0, layout);
}

}  // namespace burn::ndarray
