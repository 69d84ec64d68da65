#pragma once

#include <burn/data/mnist.h>

#include <string>
#include <vector>

namespace guide {

/// An image as lines of text, two rows of pixels in each: half blocks in shades of grey on a terminal, characters of
/// different weight where there are no colours. Every line is 28 columns wide.
std::vector<std::string> picture_of(const burn::data::MnistItem& item, bool colours);

}  // namespace guide
