#include <burn/backends/cpu/shipped_choices.h>

#include <burn/base/cpu_features.h>

namespace burn::cpu {

namespace {

using ndarray::ConvolutionKind;

constexpr std::size_t kOurs = 0;
constexpr std::size_t kOneDnnConvolution = 1;

/// Convolutions that oneDNN runs faster: of f32, undilated, square kernels, many images, all sizes between two bounds.
///
/// Measured with gemm_bench, one thread, AMD EPYC (Zen 5) with AVX-512 against oneDNN 2.6.3: its time over ours. Where it
/// takes 0.95 or more, ours are chosen.
struct Row {
    ConvolutionKind kind;
    std::int64_t kernel, stride;
    std::int64_t least_channels, most_channels;  ///< of a group, both of x and y
    std::int64_t least_pixels, most_pixels;      ///< along both axes
};

constexpr Row kRows[] = {
    {ConvolutionKind::InputGrad, 3, 1, 128, 1024, 7, 20},  // conv256x14: 0.97, conv512x7: 0.94
};

/// oneDNN is given whole images, so that few would leave threads idle. How many threads there are does not count: the bits of
/// results must not depend on it, and oneDNN gives the same ones for any division of the images (tested).
constexpr std::int64_t kLeastImages = 64;

bool is_between(std::int64_t least, std::int64_t value, std::int64_t most) { return least <= value && value <= most; }

bool fits(const Row& row, const ndarray::Convolution& convolution) {
    const ndarray::Conv2dShape& s = convolution.shape;
    if (row.kind != convolution.kind) return false;
    for (const ndarray::ConvAxis& axis : {s.h, s.w}) {
        if (axis.kernel != row.kernel || axis.stride != row.stride || axis.dilation != 1) return false;
        if (!is_between(row.least_pixels, axis.in, row.most_pixels)) return false;
    }
    return is_between(row.least_channels, s.group_in(), row.most_channels) &&
           is_between(row.least_channels, s.group_out(), row.most_channels);
}

}  // namespace

std::size_t shipped_choice(const ndarray::Product&) { return kOurs; }

std::size_t shipped_choice(const ndarray::Convolution& convolution) {
    const bool is_measured =
        active_isa() == Isa::Avx512 && convolution.dtype == DType::F32 && convolution.shape.batch >= kLeastImages;
    if (!is_measured) return kOurs;
    for (const Row& row : kRows) {
        if (fits(row, convolution)) return kOneDnnConvolution;
    }
    return kOurs;
}

std::string our_kernels_version() { return "5"; }

}  // namespace burn::cpu
