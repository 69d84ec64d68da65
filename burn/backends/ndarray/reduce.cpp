#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/strided.h>

namespace burn::ndarray {

namespace {

template <class T>
using Accumulate = std::conditional_t<std::is_same_v<T, f16> || std::is_same_v<T, bf16>, float, T>;

}  // namespace

ops::Handle run(const ops::Sum& op, Args& args) {
    ops::Handle result = args.make_result();
    const NdTensor& input = args.input(0);
    const NdTensor& output = NdTensor::of(result);
    Layout kept = input.layout();
    Layout summed = input.layout();
    summed.offset = 0;
    for (std::size_t axis = 0; axis < kept.shape.rank(); ++axis) {
        bool reduces = false;
        for (std::int64_t reduced : op.axes) reduces = reduces || reduced == static_cast<std::int64_t>(axis);
        (reduces ? kept : summed).shape[axis] = 1;
    }
    visit_dtype(input.spec().dtype, [&]<class T>(T) {
        if constexpr (!std::is_same_v<T, bool>) {
            StridedLoop outer(kept.shape);
            outer.add(output.block()->data(), output.layout(), sizeof(T));
            outer.add(input.block()->data(), kept, sizeof(T));
            outer.run([&](const StridedRun& places) {
                for (std::int64_t i = 0; i < places.count; ++i) {
                    Accumulate<T> total{};
                    StridedLoop inner(summed.shape);
                    inner.add(places.data[1] + i * places.strides[1], summed, sizeof(T));
                    inner.run_in_order([&](const StridedRun& run) {
                        for (std::int64_t j = 0; j < run.count; ++j) {
                            total += static_cast<Accumulate<T>>(*reinterpret_cast<const T*>(run.data[0] + j * run.strides[0]));
                        }
                    });
                    *reinterpret_cast<T*>(places.data[0] + i * places.strides[0]) = T(total);
                }
            });
        }
    });
    return result;
}

}  // namespace burn::ndarray
