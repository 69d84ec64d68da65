#pragma once

#include <burn/backends/ndarray/args.h>
#include <burn/base/config.h>
#include <burn/ops/all_ops.h>

/// Everything the NdArray backend runs: one overload an operation, each in the source file of its family. An operation that
/// has none here is decomposed; a primitive that has none is an UnsupportedError.

namespace burn::ndarray {

// ---- pointwise.cpp
ops::Handle run_pointwise(ops::OpCode code, const ops::PointwiseAttributes& attributes, Args& args);
template <ops::OpCode Code>
ops::Handle run(const ops::PointwiseOp<Code>& op, Args& args) {
    return run_pointwise(Code, op, args);
}

// ---- create.cpp
ops::Handle run(const ops::Full& op, Args& args);
ops::Handle run(const ops::Arange& op, Args& args);

// ---- random.cpp
ops::Handle run(const ops::Random& op, Args& args);

// ---- cast.cpp
ops::Handle run(const ops::Cast& op, Args& args);

// ---- movement.cpp
ops::Handle run(const ops::Reshape& op, Args& args);
ops::Handle run(const ops::Permute& op, Args& args);
ops::Handle run(const ops::Expand& op, Args& args);

// ---- slice.cpp
ops::Handle run(const ops::StridedSlice& op, Args& args);
ops::Handle run(const ops::SliceAssign& op, Args& args);
ops::Handle run(const ops::Unfold& op, Args& args);

// ---- join.cpp
ops::Handle run(const ops::Cat& op, Args& args);

// ---- indexing.cpp
ops::Handle run(const ops::Gather& op, Args& args);
ops::Handle run(const ops::Scatter& op, Args& args);
ops::Handle run(const ops::Select& op, Args& args);
ops::Handle run(const ops::SelectAssign& op, Args& args);
ops::Handle run(const ops::GatherNd& op, Args& args);
ops::Handle run(const ops::ScatterNd& op, Args& args);

// ---- sort.cpp
ops::HandleList run(const ops::Sort& op, Args& args);

// ---- scan.cpp
ops::Handle run(const ops::CumSum& op, Args& args);
ops::Handle run(const ops::CumProd& op, Args& args);
ops::HandleList run(const ops::CumMax& op, Args& args);
ops::HandleList run(const ops::CumMin& op, Args& args);

// ---- reduce.cpp
ops::Handle run(const ops::Sum& op, Args& args);
ops::HandleList run(const ops::Mean& op, Args& args);
ops::Handle run(const ops::Prod& op, Args& args);
ops::Handle run(const ops::Any& op, Args& args);
ops::Handle run(const ops::All& op, Args& args);
ops::Handle run(const ops::Var& op, Args& args);

// ---- prod_of_others.cpp
ops::Handle run(const ops::ProdOfOthers& op, Args& args);

// ---- extremum.cpp
ops::Handle run(const ops::Max& op, Args& args);
ops::Handle run(const ops::Min& op, Args& args);
ops::Handle run(const ops::ArgMax& op, Args& args);
ops::Handle run(const ops::ArgMin& op, Args& args);

// ---- matmul.cpp
ops::Handle run(const ops::MatMul& op, Args& args);

// ---- linear.cpp
ops::Handle run(const ops::Linear& op, Args& args);

// ---- conv.cpp
ops::Handle run(const ops::Conv& op, Args& args);
ops::Handle run(const ops::ConvInputGrad& op, Args& args);
ops::Handle run(const ops::ConvWeightGrad& op, Args& args);

// ---- max_pool.cpp
ops::Handle run(const ops::MaxPool& op, Args& args);
ops::HandleList run(const ops::MaxPoolWithIndices& op, Args& args);

// ---- pool.cpp
ops::Handle run(const ops::AvgPool& op, Args& args);
ops::Handle run(const ops::AvgPoolGrad& op, Args& args);
ops::Handle run(const ops::AdaptiveAvgPool& op, Args& args);
ops::Handle run(const ops::AdaptiveAvgPoolGrad& op, Args& args);

// ---- softmax.cpp
ops::Handle run(const ops::Softmax& op, Args& args);
ops::Handle run(const ops::SoftmaxGrad& op, Args& args);
ops::Handle run(const ops::LogSoftmax& op, Args& args);
ops::Handle run(const ops::LogSoftmaxGrad& op, Args& args);

#if BURN_HOSTED
// ---- attention.cpp
ops::HandleList run(const ops::Attention& op, Args& args);
ops::HandleList run(const ops::AttentionGrad& op, Args& args);
ops::Handle run(const ops::AttentionBiasGrad& op, Args& args);
#endif

// ---- loss.cpp
ops::Handle run(const ops::CrossEntropy& op, Args& args);
ops::Handle run(const ops::CrossEntropyGrad& op, Args& args);

// ---- norm.cpp
ops::Handle run(const ops::LayerNorm& op, Args& args);
ops::HandleList run(const ops::LayerNormGrad& op, Args& args);
ops::Handle run(const ops::BatchNorm& op, Args& args);

// ---- optim.cpp
ops::HandleList run(const ops::AdamStep& op, Args& args);

}  // namespace burn::ndarray
