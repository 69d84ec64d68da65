#include <burn/base/error.h>
#include <burn/data/image_normalizer.h>

namespace burn::data {

ImageNormalizer::ImageNormalizer(const Shape& image, std::initializer_list<Channel> channels) : plane_(0) {
    if (image.rank() != 3 || image[0] != static_cast<std::int64_t>(channels.size()) || image[1] < 0 || image[2] < 0) {
        raise(ErrorKind::Shape, Message() << "ImageNormalizer: images " << image << " and " << channels.size()
                                          << " channels; expected [channels, height, width]");
    }
    plane_ = static_cast<std::size_t>(image[1] * image[2]);
    for (const Channel& channel : channels) {
        if (!(channel.deviation > 0)) {
            raise(ErrorKind::Argument, Message() << "ImageNormalizer: a deviation is " << channel.deviation
                                                 << "; expected a number above 0");
        }
        auto& table = tables_.emplace_back();
        for (int byte = 0; byte < 256; ++byte) {
            const float scaled = static_cast<float>(byte) / 255.0F;
            table[static_cast<std::size_t>(byte)] = (scaled - channel.mean) / channel.deviation;
        }
    }
}

void ImageNormalizer::normalize(std::span<const std::uint8_t> image, std::span<float> result) const {
    if (image.size() != size() || result.size() != size()) {
        raise(ErrorKind::Shape, Message() << "ImageNormalizer: an image of " << image.size() << " bytes into "
                                          << result.size() << " values; expected " << size());
    }
    std::size_t i = 0;
    for (const auto& table : tables_) {
        for (const std::size_t end = i + plane_; i < end; ++i) result[i] = table[image[i]];
    }
}

}  // namespace burn::data
