#pragma once

#include <burn/core/tensor_data.h>
#include <burn/data/dataset.h>

#include <array>
#include <cstdint>
#include <string>

namespace burn::data {

/// An image of 28 x 28 grey values, row by row, and the number of its class.
struct MnistItem {
    static constexpr std::size_t kSide = 28;

    std::array<std::uint8_t, kSide * kSide> image;
    std::uint8_t label;
};

/// The images of MNIST, or of a data set in the same form, such as Fashion-MNIST: 60,000 to train on and 10,000 to test with,
/// in ten classes.
///
/// Memory    the images stay in memory, 47 MB for the larger part; copies of the dataset share them
/// Source    Y. LeCun, C. Cortes, C. Burges, "The MNIST database"; H. Xiao, K. Rasul, R. Vollgraf, "Fashion-MNIST" (2017)
class MnistDataset {
public:
    enum class Part { Train, Test };

    static constexpr std::size_t kClasses = 10;
    /// Where the Debian package dataset-fashion-mnist puts Fashion-MNIST.
    static constexpr const char* kFashionFolder = "/usr/share/datasets/fashion-mnist";
    /// What Fashion-MNIST shows.
    static constexpr std::array<const char*, kClasses> kFashionClasses = {
        "T-shirt/top", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"};

    /// Reads "train-images-idx3-ubyte" and "train-labels-idx1-ubyte" ("t10k-.." for the test part), plain or with ".gz".
    ///
    /// Errors    IoError, ParseError; they name the file, and the package that has good ones
    MnistDataset(const std::string& folder, Part part);

    std::size_t size() const { return static_cast<std::size_t>(labels_.numel()); }
    /// Errors    IndexError
    MnistItem get(std::size_t index) const;

private:
    TensorData images_;
    TensorData labels_;
};

}  // namespace burn::data
