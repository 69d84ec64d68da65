#include "tests/conformance/wrong_calls.h"

#include <burn/ops/all_ops.h>

#include <cmath>

namespace burn::conformance {

TensorSpec f32(const Shape& shape) { return {shape, DType::F32}; }
TensorSpec f64(const Shape& shape) { return {shape, DType::F64}; }
TensorSpec i64(const Shape& shape) { return {shape, DType::I64}; }
TensorSpec boolean(const Shape& shape) { return {shape, DType::Bool}; }

namespace {

constexpr auto kShape = ErrorKind::Shape;
constexpr auto kDType = ErrorKind::DType;
constexpr auto kIndex = ErrorKind::Index;
constexpr auto kArgument = ErrorKind::Argument;

template <class Op>
Op over(const Dims& axes) {
    Op op;
    op.axes = axes;
    return op;
}

/// Axes out of range and named twice, and Bool where only numbers will do.
template <class Op>
void add_wrong_axes(WrongCalls& calls) {
    calls.push_back({over<Op>({2}), {f32({2, 3})}, kIndex, "axis 2 is out of range for rank 2; expected -2 to 1"});
    calls.push_back({over<Op>({-3}), {f32({2, 3})}, kIndex, "axis -3 is out of range for rank 2"});
    calls.push_back({over<Op>({1, -1}), {f32({2, 3})}, kIndex, "axis -1 is named twice in \\[1, -1\\]"});
    calls.push_back({over<Op>({0}), {boolean({2, 3})}, kDType, "the operand is bool; expected a Float"});
}

template <class Op>
void add_wrong_axis(WrongCalls& calls, DType dtype) {
    Op op;
    op.axis = 2;
    calls.push_back({op, {{{2, 3}, dtype}}, kIndex, "axis 2 is out of range for rank 2; expected -2 to 1"});
    op.axis = -3;
    calls.push_back({op, {{{2, 3}, dtype}}, kIndex, "axis -3 is out of range"});
}

}  // namespace

void add_wrong_creations(WrongCalls& calls) {
    calls.push_back({ops::Full{{2, -1}, DType::F32, 0}, {}, kShape, "negative size in shape \\[2, -1\\]"});
    calls.push_back(
        {ops::Full{{INT64_C(1) << 40, INT64_C(1) << 40}, DType::F32, 0}, {}, kShape, "more than 2\\^56 elements"});
    calls.push_back({ops::Full{{2}, DType::I32, 1.5}, {}, kDType, "the scalar 1.5 does not fit i32"});
    calls.push_back({ops::Full{{2}, DType::I64, std::nan("")}, {}, kDType, "the scalar nan does not fit i64"});
    calls.push_back(
        {ops::Full{{2}, DType::U8, -1}, {}, kDType, "-1 does not fit u8; expected a whole number from 0 to 255"});
    calls.push_back(
        {ops::Arange{.start = 120, .count = 9, .dtype = DType::I8}, {}, kDType, "the scalar 128 does not fit i8"});
    calls.push_back(
        {ops::Arange{.count = 3, .step = -1, .dtype = DType::U8}, {}, kDType, "the scalar -2 does not fit u8"});
    calls.push_back({ops::Arange{.count = 3, .dtype = DType::Bool}, {}, kDType, "bool; expected a Float or Int type"});
    calls.push_back({ops::Arange{.count = -1}, {}, kShape, "negative size"});
    calls.push_back({ops::Random{.shape = {-2}}, {}, kShape, "negative size"});
    calls.push_back({ops::Random{.shape = {2}, .dtype = DType::I32, .law = RandomLaw::Normal},
                     {},
                     kDType,
                     "normal gives no i32; expected Float"});
    calls.push_back({ops::Random{.shape = {2}, .law = RandomLaw::Bernoulli, .a = -0.5},
                     {},
                     kArgument,
                     "probability -0.5; expected 0 to 1"});
}

void add_wrong_reductions(WrongCalls& calls) {
    add_wrong_axes<ops::Sum>(calls);
    add_wrong_axes<ops::Mean>(calls);
    add_wrong_axes<ops::Prod>(calls);
    add_wrong_axes<ops::Max>(calls);
    add_wrong_axes<ops::Min>(calls);
    add_wrong_axes<ops::Var>(calls);
    add_wrong_axes<ops::ProdOfOthers>(calls);
    calls.push_back({over<ops::Any>({1}), {boolean({2})}, kIndex, "axis 1 is out of range for rank 1"});
    calls.push_back({over<ops::Any>({0}), {f32({2})}, kDType, "the operand is f32; expected bool"});
    calls.push_back({over<ops::All>({1}), {boolean({2})}, kIndex, "axis 1 is out of range for rank 1"});
    calls.push_back({over<ops::All>({0}), {f32({2})}, kDType, "the operand is f32; expected bool"});
    calls.push_back({over<ops::Var>({0}), {i64({2})}, kDType, "the operand is i64; expected a Float type"});
    calls.push_back({over<ops::Max>({1}), {f32({2, 0})}, kShape, "axis 1 of \\[2, 0\\] is empty"});
    calls.push_back({over<ops::Min>({1}), {f32({2, 0})}, kShape, "axis 1 of \\[2, 0\\] is empty"});
    add_wrong_axis<ops::ArgMax>(calls, DType::F32);
    add_wrong_axis<ops::ArgMin>(calls, DType::I32);
    calls.push_back({ops::ArgMax{0}, {f32({0, 2})}, kShape, "axis 0 of \\[0, 2\\] is empty"});
    calls.push_back({ops::ArgMin{0}, {boolean({2})}, kDType, "bool"});
    add_wrong_axis<ops::CumSum>(calls, DType::F32);
    add_wrong_axis<ops::CumProd>(calls, DType::I8);
    add_wrong_axis<ops::CumMax>(calls, DType::F64);
    add_wrong_axis<ops::CumMin>(calls, DType::F16);
    calls.push_back({ops::CumSum{0}, {boolean({2})}, kDType, "bool"});
    add_wrong_axis<ops::Softmax>(calls, DType::F32);
    add_wrong_axis<ops::LogSoftmax>(calls, DType::F32);
    calls.push_back({ops::Softmax{0}, {i64({2})}, kDType, "the operand is i64; expected a Float type"});
    calls.push_back({ops::LogSoftmax{0}, {boolean({2})}, kDType, "the operand is bool; expected a Float type"});
    calls.push_back({ops::SoftmaxGrad{0}, {f32({2}), f64({2})}, kDType, "dtypes differ: f32 and f64"});
    calls.push_back({ops::LogSoftmaxGrad{0}, {f32({2}), f32({3})}, kShape, "\\[2\\].*\\[3\\]"});
}

void add_wrong_shapes(WrongCalls& calls) {
    calls.push_back(
        {ops::Reshape{{5, 2}}, {f32({2, 3})}, kShape, "\\[2, 3\\] has 6 elements; \\[5, 2\\] cannot hold them"});
    calls.push_back({ops::Reshape{{-1, -1}}, {f32({2, 3})}, kShape, "more than one -1"});
    calls.push_back({ops::Reshape{{4, -1}}, {f32({2, 3})}, kShape, "6 elements"});
    calls.push_back({ops::Permute{{0}}, {f32({2, 3})}, kIndex, "\\[0\\] names 1 axes; \\[2, 3\\] has 2"});
    calls.push_back({ops::Permute{{0, 0}}, {f32({2, 3})}, kIndex, "named twice"});
    calls.push_back({ops::Permute{{0, 2}}, {f32({2, 3})}, kIndex, "axis 2 is out of range"});
    calls.push_back({ops::Expand{{3}}, {f32({2, 3})}, kShape, "\\[3\\] has fewer axes than \\[2, 3\\]"});
    calls.push_back(
        {ops::Expand{{4, 3}}, {f32({2, 3})}, kShape, "\\[2, 3\\] cannot become \\[4, 3\\]: axis 0 is not 1"});
    calls.push_back({ops::StridedSlice{{Slice(), Slice(), Slice()}}, {f32({2, 3})}, kIndex, "3 ranges for \\[2, 3\\]"});
    calls.push_back({ops::StridedSlice{{Slice(0, 2, 0)}}, {f32({2, 3})}, kArgument, "step of 0"});
    calls.push_back({ops::SliceAssign{{Slice(0, 1)}}, {f32({2, 3}), f32({2, 3})}, kShape, "\\[2, 3\\].*\\[1, 3\\]"});
    calls.push_back(
        {ops::SliceAssign{{Slice(0, 1)}}, {f32({2, 3}), i64({1, 3})}, kDType, "dtypes differ: f32 and i64"});
    calls.push_back({ops::SliceAssign{{Slice(0, 1, 0)}}, {f32({2, 3}), f32({1, 3})}, kArgument, "step of 0"});
    calls.push_back({ops::Unfold{2, 1, 1}, {f32({2, 3})}, kIndex, "axis 2 is out of range"});
    calls.push_back({ops::Unfold{0, 0, 1}, {f32({2, 3})}, kArgument, "size 0 and step 1; expected positive numbers"});
    calls.push_back({ops::Cat{0}, {f32({2, 3}), f32({2, 4})}, kShape, "\\[2, 4\\].*\\[2, 3\\]"});
    calls.push_back({ops::Cat{0}, {f32({2, 3}), f32({2})}, kShape, "\\[2\\].*\\[2, 3\\]"});
    calls.push_back({ops::Cat{0}, {f32({2, 3}), f64({2, 3})}, kDType, "dtypes differ: f32 and f64"});
    calls.push_back({ops::Cat{2}, {f32({2, 3})}, kIndex, "axis 2 is out of range"});
}

void add_wrong_indexing(WrongCalls& calls) {
    constexpr auto kMul = ops::IndexingUpdate::Mul;
    calls.push_back({ops::Gather{0}, {f32({2, 3}), f32({2, 3})}, kDType, "the indices are f32; expected an Int type"});
    calls.push_back({ops::Gather{2}, {f32({2, 3}), i64({2, 3})}, kIndex, "axis 2 is out of range"});
    calls.push_back({ops::Gather{0}, {f32({2, 3}), i64({2, 4})}, kShape, "\\[2, 4\\].*\\[2, 3\\]"});
    calls.push_back({ops::Gather{0}, {f32({2, 3}), i64({2})}, kShape, "\\[2\\].*\\[2, 3\\]"});
    calls.push_back(
        {ops::Scatter{0}, {f32({2, 3}), i64({1, 3}), f32({2, 3})}, kShape, "\\[2, 3\\]; expected \\[1, 3\\]"});
    calls.push_back({ops::Scatter{0}, {f32({2, 3}), i64({1, 3}), i64({1, 3})}, kDType, "dtypes differ"});
    calls.push_back(
        {ops::Scatter{0, kMul}, {f32({2, 3}), i64({1, 3}), f32({1, 3})}, kArgument, "only the updates Assign and Add"});
    calls.push_back({ops::Select{1}, {f32({2, 3}), i64({2, 2})}, kShape, "rank 2; expected 1"});
    calls.push_back(
        {ops::Select{1}, {f32({2, 3}), boolean({2})}, kDType, "the indices are bool; expected an Int type"});
    calls.push_back({ops::Select{-3}, {f32({2, 3}), i64({2})}, kIndex, "axis -3 is out of range"});
    calls.push_back(
        {ops::SelectAssign{1}, {f32({2, 3}), i64({4}), f32({2, 3})}, kShape, "\\[2, 3\\]; expected \\[2, 4\\]"});
    calls.push_back({ops::SelectAssign{1, kMul},
                     {f32({2, 3}), i64({4}), f32({2, 4})},
                     kArgument,
                     "only the updates Assign and Add"});
    calls.push_back({ops::GatherNd{}, {f32({2, 3}), i64({4, 3})}, kShape, "name 3 axes"});
    calls.push_back({ops::GatherNd{}, {f32({2, 3}), f32({4, 2})}, kDType, "expected an Int type"});
    calls.push_back({ops::ScatterNd{}, {f32({2, 3}), i64({4, 1}), f32({4})}, kShape, "\\[4\\]; expected \\[4, 3\\]"});
    calls.push_back({ops::Sort{.axis = 1}, {f32({3})}, kIndex, "axis 1 is out of range"});
    calls.push_back({ops::Sort{.axis = 0}, {boolean({3})}, kDType, "the operand is bool"});
    calls.push_back(
        {ops::Sort{.axis = 0, .count = 4}, {f32({3})}, kArgument, "the first 4 elements on axis 0 of \\[3\\]"});
}

void add_wrong_products(WrongCalls& calls) {
    calls.push_back({ops::MatMul{},
                     {f32({2, 3}), f32({2, 3})},
                     kShape,
                     "inner sizes differ: lhs \\[2, 3\\], rhs \\[2, 3\\]; lhs columns must equal rhs rows"});
    calls.push_back({ops::MatMul{}, {f32({2, 3}), f32({1, 3, 2})}, kShape, "ranks do not fit"});
    calls.push_back({ops::MatMul{}, {f32({3}), f32({3})}, kShape, "at least 2"});
    calls.push_back({ops::MatMul{}, {f32({2, 2, 3}), f32({3, 3, 2})}, kShape, "do not broadcast"});
    calls.push_back({ops::MatMul{}, {f32({2, 3}), f64({3, 2})}, kDType, "dtypes differ: f32 and f64"});
    calls.push_back({ops::MatMul{}, {boolean({2, 3}), boolean({3, 2})}, kDType, "bool; expected a Float or Int type"});
    calls.push_back({ops::Linear{}, {f32({2, 3})}, kArgument, "1 operands; expected x, weight and perhaps bias"});
    calls.push_back(
        {ops::Linear{}, {f32({2, 3}), f32({4, 3})}, kShape, "sizes differ: x \\[2, 3\\], weight \\[4, 3\\]"});
    calls.push_back({ops::Linear{}, {f32({2, 3}), f32({3})}, kShape, "weight \\[3\\] has rank 1; expected 2"});
    calls.push_back(
        {ops::Linear{}, {f32({2, 3}), f32({3, 4}), f32({3})}, kShape, "bias has shape \\[3\\], weight \\[3, 4\\]"});
    calls.push_back({ops::Linear{}, {f32({2, 3}), f32({3, 4}), f64({4})}, kDType, "dtypes differ: f32 and f64"});
}

void add_wrong_steps(WrongCalls& calls) {
    calls.push_back({ops::AdamStep{}, {f32({2}), f32({3}), f32({2}), f32({2})}, kShape, "operand 1 is \\[3\\]"});
    calls.push_back({ops::AdamStep{}, {f32({2}), f32({2}), f64({2}), f32({2})}, kDType, "dtypes differ: f32 and f64"});
    calls.push_back({ops::AdamStep{}, {i64({2}), i64({2}), i64({2}), i64({2})}, kDType, "expected a Float type"});
}

void add_wrong_layers(WrongCalls& calls) {
    const TensorSpec image = f32({1, 4, 5, 5});
    calls.push_back(
        {ops::Conv{}, {image, f32({2, 4, 3})}, kShape, "ranks do not fit: x \\[1, 4, 5, 5\\], weight \\[2, 4, 3\\]"});
    calls.push_back({ops::Conv{}, {image, f32({2, 3, 3, 3})}, kShape, "channels do not fit"});
    calls.push_back({ops::Conv{}, {image, f32({2, 4, 6, 3})}, kShape, "the kernel does not fit"});
    calls.push_back({ops::Conv{{.groups = 2}},
                     {image, f32({3, 2, 3, 3})},
                     kShape,
                     "3 output channels cannot be divided into 2 groups"});
    calls.push_back(
        {ops::Conv{{.groups = 0}}, {image, f32({2, 4, 3, 3})}, kArgument, "groups is 0; expected at least 1"});
    calls.push_back({ops::Conv{{.stride = {0, 1}}}, {image, f32({2, 4, 3, 3})}, kArgument, "stride"});
    calls.push_back({ops::Conv{{.stride = {1}}}, {image, f32({2, 4, 3, 3})}, kArgument, "stride"});
    calls.push_back({ops::Conv{}, {image, f64({2, 4, 3, 3})}, kDType, "dtypes differ: f32 and f64"});
    calls.push_back(
        {ops::ConvInputGrad{{}, {5, 5}}, {f32({1, 2, 2, 3}), f32({2, 4, 3, 3})}, kShape, "expected \\[1, 2, 3, 3\\]"});
    calls.push_back(
        {ops::ConvInputGrad{{}, {5}}, {f32({1, 2, 3, 3}), f32({2, 4, 3, 3})}, kArgument, "size \\[5\\] does not fit"});
    calls.push_back({ops::ConvWeightGrad{{}, {3, 3}}, {image, f32({1, 2, 2, 3})}, kShape, "expected \\[1, 2, 3, 3\\]"});
    calls.push_back(
        {ops::ConvWeightGrad{{}, {3}}, {image, f32({1, 2, 3, 3})}, kArgument, "kernel \\[3\\] does not fit"});

    calls.push_back(
        {ops::AvgPool{{.kernel = {2, 2}}}, {f32({4, 5})}, kShape, "expected \\[batch, channels, size..\\]"});
    calls.push_back({ops::AvgPool{{.kernel = {6, 2}}}, {image}, kShape, "kernel \\[6, 2\\] does not fit"});
    calls.push_back(
        {ops::AvgPool{{.kernel = {2, 2}, .padding = {2, 0}}}, {image}, kArgument, "more than half of kernel"});
    calls.push_back({ops::AvgPool{{.kernel = {2, 2}, .dilation = {2, 2}}}, {image}, kArgument, "dilation"});
    calls.push_back({ops::AvgPool{{.kernel = {2, 2}}}, {i64({1, 4, 5, 5})}, kDType, "i64; expected a Float type"});
    calls.push_back(
        {ops::AvgPoolGrad{{.kernel = {2, 2}}, {5, 5}}, {f32({1, 4, 3, 2})}, kShape, "expected \\[1, 4, 2, 2\\]"});
    calls.push_back({ops::AdaptiveAvgPool{{2}}, {image}, kShape, "ranks do not fit"});
    calls.push_back({ops::AdaptiveAvgPool{{2, 0}}, {image}, kShape, "at least 1"});
    calls.push_back({ops::AdaptiveAvgPoolGrad{{5}}, {image}, kShape, "ranks do not fit"});

    calls.push_back({ops::MaxPool{}, {image}, kArgument, "kernel is \\[0, 0\\]; expected at least 1"});
    calls.push_back({ops::MaxPool{{.kernel = {2, 2}}}, {i64({1, 4, 5, 5})}, kDType, "i64; expected a Float type"});
    const ops::PoolOptions over_it{.kernel = {2}, .padding = {1}, .dilation = {2}};
    calls.push_back({ops::MaxPool{over_it}, {f32({1, 1, 1})}, kShape, "max_pool: .*meets no element"});
    calls.push_back(
        {ops::MaxPoolWithIndices{over_it}, {f32({1, 1, 1})}, kShape, "max_pool_with_indices: .*meets no element"});

    calls.push_back({ops::CrossEntropy{},
                     {f32({2, 3}), i64({3})},
                     kShape,
                     "targets \\[3\\] do not fit logits \\[2, 3\\]; expected \\[2\\]"});
    calls.push_back({ops::CrossEntropy{}, {f32({2, 3}), f32({2})}, kDType, "f32; expected an Int type"});
    calls.push_back({ops::CrossEntropy{}, {f32({2}), i64({2})}, kShape, "logits \\[2\\] has rank 1; expected 2"});
    calls.push_back({ops::CrossEntropy{}, {f32({2, 0}), i64({2})}, kShape, "have no classes"});
    calls.push_back({ops::CrossEntropyGrad{}, {f32({2, 3}), i64({2}), f32({3})}, kShape, "dy \\[3\\] do not fit"});

    calls.push_back({ops::LayerNorm{}, {f32({2, 3})}, kArgument, "1 operands; expected x, gamma and perhaps beta"});
    calls.push_back({ops::LayerNorm{},
                     {f32({2, 3}), f32({2})},
                     kShape,
                     "operand 1 has shape \\[2\\], x \\[2, 3\\]; expected \\[3\\]"});
    calls.push_back({ops::LayerNorm{}, {f32({2, 3}), f64({3})}, kDType, "dtypes differ: f32 and f64"});
    calls.push_back({ops::LayerNormGrad{}, {f32({2, 3}), f32({3}), f32({3, 2})}, kShape, "\\[2, 3\\]"});
    calls.push_back({ops::BatchNorm{}, {f32({2}), f32({2}), f32({2}), f32({2}), f32({2})}, kShape, "has no channels"});
    calls.push_back(
        {ops::BatchNorm{}, {image, f32({4}), f32({4}), f32({4}), f32({5})}, kShape, "operand 4 has shape \\[5\\]"});
    calls.push_back({ops::AdamStep{},
                     {f32({2}), f32({2}), f32({3}), f32({2})},
                     kShape,
                     "operand 2 is \\[3\\], the parameter \\[2\\]; expected one shape"});
}

void add_wrong_attention(WrongCalls& calls) {
    const TensorSpec q = f32({2, 3, 4, 5}), k = f32({2, 3, 6, 5}), v = f32({2, 3, 6, 7});
    const ops::Attention masked{{.has_mask = true}}, biased{{.has_bias = true}};
    const auto wrong = [&](const ops::AnyOp& op, std::vector<TensorSpec> operands, ErrorKind kind,
                           const char* message) { calls.push_back({op, std::move(operands), kind, message}); };
    wrong(masked, {q, k, v}, kArgument, "3 operands; its attributes ask for 4");
    wrong(ops::Attention{}, {q, f32({2, 1, 6, 5}), v}, kShape,
          "batches or heads differ: query \\[2, 3, 4, 5\\], key \\[2, 1, 6, 5\\], value \\[2, 3, 6, 7\\]");
    wrong(ops::Attention{}, {q, f32({2, 3, 6, 4}), v}, kShape, "widths differ.*expected one width for query and key");
    wrong(ops::Attention{}, {q, k, f32({2, 3, 5, 7})}, kShape, "lengths differ.*expected a value for each key");
    wrong(ops::Attention{}, {q, k, f32({6, 7})}, kShape, "value \\[6, 7\\] has rank 2; expected 4");
    wrong(ops::Attention{}, {q, k, f64({2, 3, 6, 7})}, kDType, "dtypes differ: f32 and f64");
    wrong(ops::Attention{}, {i64({2, 3, 4, 5}), k, v}, kDType, "i64; expected a Float type");
    wrong(ops::Attention{{.scale = HUGE_VAL}}, {q, k, v}, kArgument, "the scale is inf; expected a finite number");
    wrong(ops::Attention{{.softcap = -1}}, {q, k, v}, kArgument, "the softcap is -1; expected a positive number");
    wrong(masked, {q, k, v, f32({1, 1, 4, 6})}, kDType, "the mask is f32; expected bool");
    wrong(masked, {q, k, v, boolean({4, 6})}, kShape, "mask \\[4, 6\\] has rank 2; expected 4");
    wrong(masked, {q, k, v, boolean({2, 2, 4, 6})}, kShape,
          "the mask \\[2, 2, 4, 6\\] does not fit the scores \\[2, 3, 4, 6\\]; axis 1 must be 1 or 3");
    wrong(biased, {q, k, v, f32({1, 1, 6, 4})}, kShape, "the bias .* axis 2 must be 1 or 4");
    wrong(biased, {q, k, v, f64({1, 1, 4, 6})}, kDType, "dtypes differ: f32 and f64");

    const TensorSpec y = f32({2, 3, 4, 7}), lse = f32({2, 3, 4, 1});
    wrong(ops::AttentionGrad{}, {q, k, v, y, lse}, kArgument, "5 operands; its attributes ask for 6");
    wrong(ops::AttentionGrad{}, {q, k, v, y, lse, q}, kShape,
          "dy is f32 \\[2, 3, 4, 5\\]; expected f32 \\[2, 3, 4, 7\\]");
    wrong(ops::AttentionGrad{}, {q, k, v, y, f64({2, 3, 4, 1}), y}, kDType, "lse is f64 .*; expected f32");
    wrong(ops::AttentionBiasGrad{}, {q, k, v, y, lse, y}, kArgument, "there is no bias");
    wrong(ops::AttentionBiasGrad{{{.has_bias = true}, true}}, {q, k, v, y, lse, y, y, f32({1, 1, 4, 6})}, kShape,
          "dlse is f32 \\[2, 3, 4, 7\\]; expected f32 \\[2, 3, 4, 1\\]");
}

WrongCalls wrong_calls() {
    WrongCalls calls;
    add_wrong_creations(calls);
    add_wrong_reductions(calls);
    add_wrong_shapes(calls);
    add_wrong_indexing(calls);
    add_wrong_products(calls);
    add_wrong_layers(calls);
    add_wrong_attention(calls);
    add_wrong_steps(calls);
    return calls;
}

}  // namespace burn::conformance
