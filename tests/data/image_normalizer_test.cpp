#include <burn/base/error.h>
#include <burn/data/image_normalizer.h>

#include <gmock/gmock.h>

namespace burn::data::image_normalizer_test {
namespace {

using ::testing::FloatEq;
using ::testing::Pointwise;

TEST(ImageNormalizer, ScalesEachChannelByItsOwnNumbers) {
    const ImageNormalizer normalizer({2, 1, 2}, {{.mean = 0.5F, .deviation = 0.5F}, {.mean = 0, .deviation = 2}});
    const std::vector<std::uint8_t> image = {0, 255, 51, 255};
    std::vector<float> result(4);
    normalizer.normalize(image, result);
    EXPECT_THAT(result, Pointwise(FloatEq(), {-1.0F, 1.0F, 0.1F, 0.5F}));
}

TEST(ImageNormalizer, MistakesAreErrors) {
    using Channels = std::initializer_list<ImageNormalizer::Channel>;
    EXPECT_THROW(ImageNormalizer({28, 28}, Channels{{}}), ShapeError);
    EXPECT_THROW(ImageNormalizer({3, 28, 28}, Channels{{}}), ShapeError);
    EXPECT_THROW(ImageNormalizer({1, -1, 28}, Channels{{}}), ShapeError);
    EXPECT_THROW(ImageNormalizer({1, 2, 2}, Channels{{.mean = 0, .deviation = 0}}), ArgumentError);
    const ImageNormalizer normalizer({1, 2, 2}, {{}});
    std::vector<std::uint8_t> image(3);
    std::vector<float> result(4);
    EXPECT_THROW(normalizer.normalize(image, result), ShapeError);
    image.resize(4);
    result.resize(5);
    EXPECT_THROW(normalizer.normalize(image, result), ShapeError);
}

}  // namespace
}  // namespace burn::data::image_normalizer_test
