#include "tests/conformance/not_covered.h"

namespace burn::conformance {

namespace {

constexpr char kLinalg[] = "decompositions, norms and other linear algebra are not there yet";
constexpr char kSignal[] = "transforms and windows are not there yet";
constexpr char kRecurrent[] = "recurrent layers are not there yet";
constexpr char kAttention[] = "layers of attention and encodings of positions are not there yet";
constexpr char kNorms[] = "of the norms only batch_norm and layer_norm are there yet";
constexpr char kConvolution[] = "transposed, deformable and 3d convolution, unfold4d and fold4d are not there yet";
constexpr char kSampling[] = "interpolation, grid sampling, pixel shuffling and 3d pooling are not there yet";
constexpr char kLosses[] = "of the losses only cross entropy, binary cross entropy and MSE are there yet";
constexpr char kOptimisers[] = "of the optimisers only Sgd, Adam, AdamW, AdaGrad and RmsProp are there yet";
constexpr char kTraining[] = "optimisers and schedulers are no operations on an engine; tests/optim reads these cases";

const NotCovered kNotCovered[] = {
    // linalg
    {"cholesky", kLinalg},
    {"cosine_similarity", kLinalg},
    {"det", kLinalg},
    {"diag", kLinalg},
    {"einsum", kLinalg},
    {"inverse", kLinalg},
    {"l0_norm", kLinalg},
    {"l1_norm", kLinalg},
    {"l2_norm", kLinalg},
    {"lp_norm", kLinalg},
    {"lu", kLinalg},
    {"matvec", kLinalg},
    {"max_abs_norm", kLinalg},
    {"min_abs_norm", kLinalg},
    {"outer", kLinalg},
    {"outer_dim", kLinalg},
    {"pairwise_distance", kLinalg},
    {"qr", kLinalg},
    {"singular_values", kLinalg},
    {"solve", kLinalg},
    {"symmetric_eigenvalues", kLinalg},
    {"trace", kLinalg},
    {"vector_norm", kLinalg},
    {"vector_normalize", kLinalg},
    // signal
    {"blackman_window", kSignal},
    {"cfft", kSignal},
    {"hamming_window", kSignal},
    {"hann_window", kSignal},
    {"irfft", kSignal},
    {"istft", kSignal},
    {"rfft", kSignal},
    {"stft", kSignal},
    // rnn
    {"BiGru", kRecurrent},
    {"BiLstm", kRecurrent},
    {"BiRnn", kRecurrent},
    {"Gru", kRecurrent},
    {"Lstm", kRecurrent},
    {"Rnn", kRecurrent},
    // norm_attention
    {"generate_autoregressive_mask", kAttention},
    {"multi_head_attention", kAttention},
    {"positional_encoding", kAttention},
    {"rotary_encoding", kAttention},
    {"group_norm", kNorms},
    {"instance_norm", kNorms},
    {"local_response_norm", kNorms},
    {"rms_norm", kNorms},
    // conv
    {"conv3d", kConvolution},
    {"conv_transpose1d", kConvolution},
    {"conv_transpose2d", kConvolution},
    {"conv_transpose3d", kConvolution},
    {"deform_conv2d", kConvolution},
    {"fold4d", kConvolution},
    {"unfold4d", kConvolution},
    // pool_interpolate
    {"adaptive_avg_pool3d", kSampling},
    {"grid_sample_2d", kSampling},
    {"interpolate", kSampling},
    {"pixel_shuffle", kSampling},
    {"pixel_unshuffle", kSampling},
    {"affine_grid_2d", kSampling},
    // loss
    {"CTCLoss", kLosses},
    {"CosineEmbeddingLoss", kLosses},
    {"GaussianNLLLoss", kLosses},
    {"HingeEmbeddingLoss", kLosses},
    {"HuberLoss", kLosses},
    {"KLDivLoss", kLosses},
    {"LpLoss", kLosses},
    {"MarginRankingLoss", kLosses},
    {"MultiMarginLoss", kLosses},
    {"PoissonNllLoss", kLosses},
    {"RNNTLoss", kLosses},
    {"SmoothL1Loss", kLosses},
    {"SoftMarginLoss", kLosses},
    {"TripletMarginLoss", kLosses},
    // optim, schedulers
    {"Adan", kOptimisers},
    {"LBFGS", kOptimisers},
    {"Muon", kOptimisers},
    {"AdaGrad", kTraining},
    {"Adam", kTraining},
    {"AdamW", kTraining},
    {"RmsProp", kTraining},
    {"Sgd", kTraining},
    {"Composed", kTraining},
    {"Constant", kTraining},
    {"CosineAnnealing", kTraining},
    {"Exponential", kTraining},
    {"Linear", kTraining},
    {"Noam", kTraining},
    {"Sequential", kTraining},
    {"Step", kTraining},
};

}  // namespace

std::span<const NotCovered> not_covered() { return kNotCovered; }

const char* skip_reason(const Case& oracle_case) {
    for (const NotCovered& entry : kNotCovered) {
        if (oracle_case.op == entry.op) return entry.reason;
    }
    if (oracle_case.op == "batch_norm_train" && oracle_case.args.at("running_var_correction") == 1) {
        return "PyTorch's rule: the running variance is estimated with n - 1; ours is Burn's, with n";
    }
    if (oracle_case.op == "CrossEntropyLoss" && oracle_case.args.at("mean_over") == "kept") {
        return "PyTorch's rule: the mean over the targets that are kept; ours is Burn's, over all";
    }
    return nullptr;
}

}  // namespace burn::conformance
