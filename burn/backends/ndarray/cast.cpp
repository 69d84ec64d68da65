#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/strided.h>
#include <burn/core/convert.h>

namespace burn::ndarray {

namespace {

using CastLoop = void (*)(const StridedRun& run);

template <class To, class From>
void cast_loop(const StridedRun& run) {
    if (run.strides[0] == sizeof(To) && run.strides[1] == sizeof(From)) {
        auto* to = reinterpret_cast<To*>(run.data[0]);
        const auto* from = reinterpret_cast<const From*>(run.data[1]);
        for (std::int64_t i = 0; i < run.count; ++i) to[i] = convert_element<To>(from[i]);
        return;
    }
    for (std::int64_t i = 0; i < run.count; ++i) {
        const From value = *reinterpret_cast<const From*>(run.data[1] + i * run.strides[1]);
        *reinterpret_cast<To*>(run.data[0] + i * run.strides[0]) = convert_element<To>(value);
    }
}

CastLoop find_loop(DType to, DType from) {
    return visit_dtype(to, [from]<class To>(To) {
        return visit_dtype(from, []<class From>(From) -> CastLoop { return &cast_loop<To, From>; });
    });
}

}  // namespace

ops::Handle run(const ops::Cast& op, Args& args) {
    const NdTensor& input = args.input(0);
    const DType from = input.spec().dtype;
    if (from == op.dtype) return args.make_view(0, input.layout());
    ops::Handle result = args.make_result();
    const NdTensor& target = NdTensor::of(result);
    StridedLoop loop(input.layout().shape);
    loop.add(target.block()->data(), target.layout(), size_of(op.dtype));
    loop.add(input.block()->data(), input.layout(), size_of(from));
    loop.run(find_loop(op.dtype, from));
    return result;
}

}  // namespace burn::ndarray
