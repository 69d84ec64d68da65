#pragma once

#include <burn/core/shape.h>
#include <burn/module/config.h>

#include <array>

namespace burn::nn {

/// One number for each of two spatial axes: height, width.
using Pair = std::array<std::int64_t, 2>;

enum class PaddingKind : std::uint8_t {
    Same,      ///< so much that the result has ceil(size / stride) elements; an odd one goes behind
    Valid,     ///< none
    Explicit,  ///< the numbers given
};
BURN_ENUM_NAMES(PaddingKind, Same, Valid, Explicit)

/// Zeros around one spatial axis.
struct PaddingConfig1d {
    PaddingKind kind = PaddingKind::Valid;
    std::int64_t before = 0;
    std::int64_t after = 0;
    BURN_CONFIG(PaddingConfig1d, kind, before, after)

    static constexpr PaddingConfig1d same() { return {.kind = PaddingKind::Same}; }
    static constexpr PaddingConfig1d valid() { return {.kind = PaddingKind::Valid}; }
    static constexpr PaddingConfig1d exactly(std::int64_t both) { return exactly(both, both); }
    static constexpr PaddingConfig1d exactly(std::int64_t before, std::int64_t after) {
        return {PaddingKind::Explicit, before, after};
    }
};

/// Zeros around two spatial axes.
struct PaddingConfig2d {
    PaddingKind kind = PaddingKind::Valid;
    Pair before = {0, 0};  ///< top, left
    Pair after = {0, 0};   ///< bottom, right
    BURN_CONFIG(PaddingConfig2d, kind, before, after)

    static constexpr PaddingConfig2d same() { return {.kind = PaddingKind::Same}; }
    static constexpr PaddingConfig2d valid() { return {.kind = PaddingKind::Valid}; }
    static constexpr PaddingConfig2d exactly(std::int64_t height, std::int64_t width) {
        return exactly(height, width, height, width);
    }
    static constexpr PaddingConfig2d exactly(std::int64_t top, std::int64_t left, std::int64_t bottom,
                                             std::int64_t right) {
        return {PaddingKind::Explicit, {top, left}, {bottom, right}};
    }
};

/// A window that moves over spatial axes, one number for each; what convolutions and pools have in common.
struct Window {
    Dims kernel;
    Dims stride;
    Dims dilation;
    PaddingKind kind = PaddingKind::Valid;
    Dims before;  ///< Explicit only
    Dims after;

    static Window of(std::int64_t kernel, std::int64_t stride, std::int64_t dilation, const PaddingConfig1d& padding);
    static Window of(const Pair& kernel, const Pair& stride, const Pair& dilation, const PaddingConfig2d& padding);
};

/// Errors    ArgumentError naming the layer for a kernel size, stride or dilation outside 1 to ops::kLargestWindowOption, or a
///           padding outside 0 to that
void check_window(const char* layer, const Window& window);

/// Zeros in front of each spatial axis and behind.
struct Padding {
    Dims before;
    Dims after;

    bool is_symmetric() const { return before == after; }
};

/// What the padding of a window amounts to for an input [batch, channels, size..].
///
/// Errors    ArgumentError for the kind Same and a window that check_window refuses
Padding padding_for(const Window& window, const Shape& input);

}  // namespace burn::nn
