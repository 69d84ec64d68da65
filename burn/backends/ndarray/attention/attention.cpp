#include <burn/backends/ndarray/attention/attention.h>

#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/product/gemm_kernels.h>

namespace burn::ndarray {

namespace {

template <class T>
HeadsView<T> view_of(const NdTensor& tensor, const Layout& layout) {
    HeadsView<T> view{tensor.data<T>()};
    for (std::size_t axis = 0; axis < 4; ++axis) view.strides[axis] = layout.strides[axis];
    return view;
}
template <class T>
HeadsView<T> view_of(const NdTensor& tensor) {
    return view_of<T>(tensor, tensor.layout());
}
template <class T>
HeadsView<T> view_of(const ops::Handle& tensor) {
    return view_of<T>(NdTensor::of(tensor));
}

AttentionShape shape_of(const ops::AttentionAttributes& op, const Args& args) {
    const Shape &q = args.input(0).spec().shape, &v = args.input(2).spec().shape;
    return {.batch = q[0],
            .heads = q[1],
            .queries = q[2],
            .keys = v[2],
            .width = q[3],
            .value_width = v[3],
            .scale = op.scale,
            .softcap = op.softcap,
            .is_causal = op.is_causal};
}

Shape scores_shape(const Args& args) {
    const Shape &q = args.input(0).spec().shape, &k = args.input(1).spec().shape;
    return {q[0], q[1], q[2], k[2]};
}

/// The operands q, k, v, and from number `next` on mask and bias.
template <class E>
AttentionInputs<E> inputs_of(const ops::AttentionAttributes& op, const Args& args, std::size_t next) {
    AttentionInputs<E> inputs{.query = view_of<const E>(args.input(0)),
                              .key = view_of<const E>(args.input(1)),
                              .value = view_of<const E>(args.input(2)),
                              .mask = {},
                              .bias = {}};
    const auto repeated = [&]<class T>(HeadsView<T>& view) {
        const NdTensor& tensor = args.input(next++);
        view = view_of<T>(tensor, tensor.layout().expand(scores_shape(args)));
    };
    if (op.has_mask) repeated(inputs.mask);
    if (op.has_bias) repeated(inputs.bias);
    return inputs;
}

/// The operands of the gradients behind q, k, v.
template <class E>
AttentionResults<E> results_of(const ops::AttentionGradAttributes& op, const Args& args) {
    using A = AttentionType<E>;
    AttentionResults<E> results{.y = view_of<const E>(args.input(3)),
                                .lse = view_of<const A>(args.input(4)),
                                .dy = view_of<const E>(args.input(5)),
                                .dlse = {}};
    if (op.has_dlse) results.dlse = view_of<const A>(args.input(6));
    return results;
}

/// Fewer queries than half a vector: panels of queries would be mostly empty. The products of the parts know better what to do
/// with few rows, and there are few scores.
bool has_few_queries(const AttentionShape& shape, DType dtype) {
    const int lanes = dtype == DType::F64 ? gemm_kernels<double>().lanes : gemm_kernels<float>().lanes;
    return shape.queries < lanes / 2 && !shape.is_causal;
}

}  // namespace

ops::HandleList run(const ops::Attention& op, Args& args) {
    if (has_few_queries(shape_of(op, args), args.result_spec().dtype)) return op.decompose(args.take_all());
    ops::HandleList results = ops::list_of(args.make_result(0), args.make_result(1));
    visit_dtype(results[0].dtype(), [&]<class E>(E) {
        if constexpr (is_float(dtype_of<E>)) {
            attention_forward<E>(shape_of(op, args), inputs_of<E>(op, args, 3), view_of<E>(results[0]),
                                 view_of<AttentionType<E>>(results[1]));
        }
    });
    return results;
}

ops::HandleList run(const ops::AttentionGrad& op, Args& args) {
    ops::HandleList gradients = ops::list_of(args.make_result(0), args.make_result(1), args.make_result(2));
    visit_dtype(gradients[0].dtype(), [&]<class E>(E) {
        if constexpr (is_float(dtype_of<E>)) {
            attention_backward<E>(shape_of(op, args), inputs_of<E>(op, args, op.has_dlse ? 7 : 6),
                                  results_of<E>(op, args), view_of<E>(gradients[0]), view_of<E>(gradients[1]),
                                  view_of<E>(gradients[2]));
        }
    });
    return gradients;
}

ops::Handle run(const ops::AttentionBiasGrad& op, Args& args) {
    const TensorSpec& spec = args.result_spec();
    // Sums are made in the type that is computed in.
    const ops::Handle sums = make_tensor(args.engine(), {spec.shape, ops::accumulator_of(spec.dtype)});
    visit_dtype(spec.dtype, [&]<class E>(E) {
        if constexpr (is_float(dtype_of<E>)) {
            using A = AttentionType<E>;
            const NdTensor& tensor = NdTensor::of(sums);
            for (std::int64_t i = 0; i < spec.shape.numel(); ++i) tensor.data<A>()[i] = 0;
            attention_bias_backward<E>(shape_of(op, args), inputs_of<E>(op, args, op.has_dlse ? 7 : 6),
                                       results_of<E>(op, args),
                                       view_of<A>(tensor, tensor.layout().expand(scores_shape(args))));
        }
    });
    return ops::cast(sums, spec.dtype);
}

}  // namespace burn::ndarray
