#include "batch.h"

namespace guide {

using burn::Shape;
using burn::TensorData;
using burn::data::MnistItem;

namespace {

constexpr auto kSide = static_cast<std::int64_t>(MnistItem::kSide);

}  // namespace

TensorData normalized_images(const std::vector<MnistItem>& items) {
    static const burn::data::ImageNormalizer normalizer({1, kSide, kSide}, {{.mean = 0.2860F, .deviation = 0.3530F}});
    TensorData images(Shape{static_cast<std::int64_t>(items.size()), kSide, kSide}, burn::DType::F32);
    auto rest = images.mutable_values<float>();
    for (const MnistItem& item : items) {
        normalizer.normalize(item.image, rest.first(normalizer.size()));
        rest = rest.subspan(normalizer.size());
    }
    return images;
}

TensorData labels(const std::vector<MnistItem>& items) {
    TensorData labels(Shape{static_cast<std::int64_t>(items.size())}, burn::DType::I64);
    auto values = labels.mutable_values<std::int64_t>();
    for (std::size_t i = 0; i < items.size(); ++i) values[i] = items[i].label;
    return labels;
}

}  // namespace guide
