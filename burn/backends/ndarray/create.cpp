#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/core/convert.h>

namespace burn::ndarray {

ops::Handle run(const ops::Full& op, Args& args) {
    ops::Handle result = args.make_result();
    visit_dtype(op.dtype, [&]<class T>(T) {
        T* out = NdTensor::of(result).data<T>();
        const T value = op.value.to<T>();
        const std::int64_t count = op.shape.numel();
        for (std::int64_t i = 0; i < count; ++i) out[i] = value;
    });
    return result;
}

ops::Handle run(const ops::Arange& op, Args& args) {
    ops::Handle result = args.make_result();
    visit_dtype(op.dtype, [&]<class T>(T) {
        T* out = NdTensor::of(result).data<T>();
        for (std::int64_t i = 0; i < op.count; ++i) {
            const auto value = static_cast<std::uint64_t>(op.start) +
                               static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(op.step);
            out[i] = convert_element<T>(static_cast<std::int64_t>(value));
        }
    });
    return result;
}

}  // namespace burn::ndarray
