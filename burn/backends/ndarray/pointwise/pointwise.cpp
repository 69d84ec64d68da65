#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/table.h>

namespace burn::ndarray {

namespace {

/// An operand whose buffer may hold the result: of the result's size and type, and ours alone.
std::size_t find_reusable(const Args& args) {
    const TensorSpec& result = args.result_spec();
    for (std::size_t i = 0; i < args.count(); ++i) {
        if (args.input(i).spec() == result && args.reusable(i)) return i;
    }
    return args.count();
}

/// Elements up to which a run is not worth another thread.
constexpr std::int64_t kShortRun = 16 * 1024;

/// Describes everything as one short run of neighbours, if it is that: then nobody needs to look at axes.
bool is_short_run(const NdTensor& target, const Args& args, StridedRun& run) {
    run.count = target.spec().shape.numel();
    if (run.count > kShortRun) return false;
    const auto add = [&run](std::size_t i, const NdTensor& tensor) {
        run.data[i] = tensor.bytes();
        run.strides[i] = static_cast<std::int64_t>(size_of(tensor.spec().dtype));
        return tensor.is_contiguous();
    };
    if (!add(0, target)) return false;
    for (std::size_t i = 0; i < args.count(); ++i) {
        if (!(args.input(i).spec().shape == target.spec().shape) || !add(i + 1, args.input(i))) return false;
    }
    return true;
}

}  // namespace

ops::Handle run_pointwise(ops::OpCode code, const ops::PointwiseAttributes& attributes, Args& args) {
    const NdTensor& typed = args.input(args.count() - 1);  // a mask comes first
    const DType dtype = typed.spec().dtype;
    const PointwiseLoops* loops = kTable.loops[static_cast<std::size_t>(dtype)];
    const PointwiseLoop body = loops == nullptr ? nullptr : (*loops)[static_cast<std::size_t>(code)];
    if (body == nullptr) {
        raise(ErrorKind::Unsupported,
              Message() << ops::pointwise_info(code).op.name << ": this build of NdArray lacks " << dtype);
    }
    const TensorSpec& spec = args.result_spec();
    const std::size_t reused = find_reusable(args);
    ops::Handle result = reused < args.count() ? ops::Handle() : args.make_result();
    const NdTensor& target = reused < args.count() ? args.input(reused) : NdTensor::of(result);
    StridedRun short_run;
    if (is_short_run(target, args, short_run)) {
        body(short_run, attributes);
        return result ? std::move(result) : args.take(reused);
    }
    StridedLoop loop(spec.shape);
    loop.add(target.block()->data(), target.layout(), size_of(spec.dtype));
    for (std::size_t i = 0; i < args.count(); ++i) {
        const NdTensor& input = args.input(i);
        loop.add_broadcast(input.block()->data(), input.layout(), size_of(input.spec().dtype));
    }
    loop.run([&](const StridedRun& run) { body(run, attributes); });
    return result ? std::move(result) : args.take(reused);
}

}  // namespace burn::ndarray
