#include <burn/backends/cpu/convolution_candidates.h>

#include <burn/backends/cpu/libraries/onednn.h>
#include <burn/backends/cpu/libraries/onednn_convolution.h>
#include <burn/backends/cpu/processor.h>
#include <burn/backends/cpu/shipped_choices.h>
#include <burn/backends/ndarray/convolution/conv_kernels_any.h>
#include <burn/base/cpu_features.h>
#include <burn/base/error.h>
#include <burn/base/memory.h>
#include <burn/base/parallel.h>

namespace burn::cpu {

namespace {

using autotune::bucket;
using ndarray::Convolution;
using ndarray::ConvolutionKind;

constexpr std::size_t kOurs = 0, kOneDnn = 1;

constexpr autotune::Candidate kCandidates[] = {
    {"ours", true, our_kernels_version, [] { return std::string(); }},
    {"onednn", false, [] { return why_no_onednn_convolution().empty() ? onednn_version() : std::string(); },
     why_no_onednn_convolution},
};

const char* name_of(ConvolutionKind kind) {
    switch (kind) {
        case ConvolutionKind::Forward: return "forward";
        case ConvolutionKind::InputGrad: return "input_grad";
        case ConvolutionKind::WeightGrad: return "weight_grad";
    }
    return "?";
}

/// Kernels, strides and groups decide which algorithms there are: they are not bucketed.
autotune::Key key_of(const Convolution& convolution) {
    const ndarray::Conv2dShape& s = convolution.shape;
    return autotune::Key()
        .add("isa", isa_name(active_isa()))
        .add("kind", name_of(convolution.kind))
        .add("dtype", name_of(convolution.dtype))
        .add("batch", bucket(s.batch))
        .add("in", bucket(s.in_channels))
        .add("out", bucket(s.out_channels))
        .add("groups", bucket(s.groups))
        .add("h", bucket(s.h.in))
        .add("w", bucket(s.w.in))
        .add("kernel_h", s.h.kernel)
        .add("kernel_w", s.w.kernel)
        .add("stride_h", s.h.stride)
        .add("stride_w", s.w.stride)
        .add("dilated", s.h.dilation > 1 || s.w.dilation > 1)
        .add("padded", s.h.pad_before + s.h.pad_after + s.w.pad_before + s.w.pad_after > 0)
        .add("threads", num_threads());
}

std::int64_t result_size(const Convolution& convolution) {
    switch (convolution.kind) {
        case ConvolutionKind::Forward: return conv_y_size(convolution.shape);
        case ConvolutionKind::InputGrad: return conv_x_size(convolution.shape);
        case ConvolutionKind::WeightGrad: return conv_w_size(convolution.shape);
    }
    return 0;
}

autotune::Tuner& tuner() {
    static autotune::Tuner& instance =  // NOLINT: threads may outlive main
        *new autotune::Tuner("conv", processor_name(), kCandidates, autotune::host_timer(), &autotune::ranking_store());
    return instance;
}

}  // namespace

std::span<const autotune::Candidate> convolution_candidates() { return kCandidates; }

bool can_convolve(std::size_t candidate, const Convolution& convolution) {
    switch (candidate) {
        case kOurs: return true;
        case kOneDnn: return onednn_can_convolve(convolution);
        default: return false;
    }
}

void convolve_by(std::size_t candidate, const Convolution& convolution) {
    require_internal(can_convolve(candidate, convolution), "conv: the candidate cannot run this convolution");
    if (candidate != kOneDnn) return ndarray::convolve(convolution);
    onednn_convolve(convolution);
    const ndarray::Conv2dShape& s = convolution.shape;
    ndarray::finish_rows(convolution.finished, 0, s.batch * s.out_channels, s.h.out() * s.w.out());
}

void convolve_by_best(const Convolution& convolution) {
    if (result_size(convolution) < 1 || !is_float(convolution.dtype)) return convolve_by(kOurs, convolution);
    Ref<Block> room;
    const auto try_out = [&](std::size_t candidate) {
        if (!room) {
            room = Block::make(static_cast<std::size_t>(result_size(convolution)) * size_of(convolution.dtype));
        }
        Convolution trial = convolution;
        trial.result = room->data();
        trial.finished = nullptr;
        convolve_by(candidate, trial);
    };
    convolve_by(tuner().choose({key_of(convolution), shipped_choice(convolution),
                                [&](std::size_t candidate) { return can_convolve(candidate, convolution); }, try_out}),
                convolution);
}

}  // namespace burn::cpu
