#pragma once

#include <burn/core/shape.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace burn::data {

/// Turns images of bytes into the floats that models want: y = (x / 255 - mean) / deviation, per channel.
///
/// Shapes    images [channels, height, width], one plane after the other
/// Numerics  each of the three steps rounds to f32, as they do when written with tensors
/// Example   ImageNormalizer normalizer({1, 28, 28}, {{.mean = 0.2860F, .deviation = 0.3530F}});
class ImageNormalizer {
public:
    struct Channel {
        float mean = 0;
        float deviation = 1;
    };

    /// Errors    ShapeError when the shape is not [channels, height, width] with as many channels as are given;
    ///           ArgumentError when a deviation is not above 0
    ImageNormalizer(const Shape& image, std::initializer_list<Channel> channels);

    /// Values of one image.
    std::size_t size() const { return tables_.size() * plane_; }

    /// Errors    ShapeError when one of them does not have `size()` values
    void normalize(std::span<const std::uint8_t> image, std::span<float> result) const;

private:
    std::size_t plane_;
    std::vector<std::array<float, 256>> tables_;  // per channel, what becomes of each byte
};

}  // namespace burn::data
