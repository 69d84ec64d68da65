#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/strided.h>

namespace burn::ndarray {

ops::Handle run(const ops::Cat& op, Args& args) {
    const auto axis = static_cast<std::size_t>(op.axis);
    ops::Handle result = args.make_result();
    const NdTensor& target = NdTensor::of(result);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < args.count(); ++i) {
        const NdTensor& piece = args.input(i);
        const std::int64_t length = piece.spec().shape[axis];
        copy_strided(size_of(target.spec().dtype), target.block()->data(),
                     target.layout().slice(axis, start, length, 1), piece.block()->data(), piece.layout());
        start += length;
    }
    return result;
}

}  // namespace burn::ndarray
