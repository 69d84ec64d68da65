#include "backends.h"
#include "picture.h"
#include "training.h"

#include <burn/data/mnist.h>
#include <burn/train/text_output.h>

#include <algorithm>
#include <cstdio>

namespace guide {

using burn::data::MnistDataset;
using burn::data::MnistItem;

namespace {

constexpr std::size_t kPictures = 4;
constexpr std::size_t kPictureWidth = MnistItem::kSide + 2;

/// The pictures of the first test images, side by side as far as they fit, with what the model says below each.
void show_predictions(const MnistDataset& images, const std::vector<std::int64_t>& predictions,
                      burn::training::TextOutput& output) {
    const std::size_t width = output.width();
    const std::size_t in_a_row = width == 0 ? kPictures : std::clamp<std::size_t>(width / kPictureWidth, 1, kPictures);
    const std::size_t count = std::min(kPictures, images.size());
    for (std::size_t first = 0; first < count; first += in_a_row) {
        const std::size_t last = std::min(first + in_a_row, count);
        std::vector<std::string> rows(MnistItem::kSide / 2);
        std::string captions;
        for (std::size_t i = first; i < last; ++i) {
            const MnistItem item = images.get(i);
            const std::vector<std::string> picture = picture_of(item, width > 0);
            for (std::size_t row = 0; row < rows.size(); ++row) rows[row] += picture[row] + "  ";
            const auto predicted = static_cast<std::size_t>(predictions[i]);
            std::string caption = MnistDataset::kFashionClasses.at(predicted);
            if (predicted != item.label)
                caption += std::string(" (is ") + MnistDataset::kFashionClasses.at(item.label) + ")";
            caption.resize(std::max(caption.size() + 1, kPictureWidth), ' ');
            captions += caption;
        }
        for (const std::string& row : rows) output.write(row + "\n");
        output.write(captions + "\n\n");
    }
}

}  // namespace

void infer(const Options& options) {
    const std::vector<std::int64_t> predictions =
        with_backend(options.backend, [&]<burn::Backend B>() { return predict_on<B>(options); });
    const MnistDataset images(options.data, MnistDataset::Part::Test);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < predictions.size(); ++i) hits += predictions[i] == images.get(i).label ? 1 : 0;

    burn::training::StandardOutput output;
    output.write("\n");
    show_predictions(images, predictions, output);
    char line[64];
    std::snprintf(
        line, sizeof line, "test accuracy: %.2f %%\n",
        100.0 * static_cast<double>(hits) / static_cast<double>(std::max<std::size_t>(predictions.size(), 1)));
    output.write(line);
}

}  // namespace guide
