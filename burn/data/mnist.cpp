#include <burn/base/error.h>
#include <burn/data/idx.h>
#include <burn/data/mnist.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace burn::data {

namespace {

constexpr auto kSide = static_cast<std::int64_t>(MnistItem::kSide);

[[noreturn]] void refuse(ErrorKind kind, const std::string& fault) {
    raise(kind, Message() << fault.c_str()
                          << "; Fashion-MNIST is in the Debian package dataset-fashion-mnist, which puts it into "
                          << MnistDataset::kFashionFolder);
}

/// The file `name` of a folder, compressed or not.
std::string find(const std::string& folder, const std::string& name) {
    const std::string plain = folder + "/" + name;
    for (const std::string& path : {plain + ".gz", plain}) {
        std::error_code error;
        if (std::filesystem::exists(path, error)) return path;
    }
    refuse(ErrorKind::Io, "cannot read " + plain + ".gz: there is no such file");
}

TensorData read(const std::string& path, std::size_t rank) {
    try {
        TensorData data = read_idx(path);
        const Shape& shape = data.shape();
        if (data.dtype() != DType::U8 || shape.rank() != rank ||
            (rank == 3 && (shape[1] != kSide || shape[2] != kSide))) {
            raise(ErrorKind::Parse, Message() << "idx: " << path.c_str() << ": holds " << data.dtype() << ' ' << shape
                                              << "; expected u8 " << (rank == 3 ? "[images, 28, 28]" : "[labels]"));
        }
        return data;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Io && error.kind() != ErrorKind::Parse) throw;
        refuse(error.kind(), error.what());
    }
}

}  // namespace

MnistDataset::MnistDataset(const std::string& folder, Part part) {
    const std::string prefix = part == Part::Train ? "train" : "t10k";
    const std::string images = find(folder, prefix + "-images-idx3-ubyte");
    const std::string labels = find(folder, prefix + "-labels-idx1-ubyte");
    images_ = read(images, 3);
    labels_ = read(labels, 1);
    if (images_.shape()[0] != labels_.numel()) {
        refuse(ErrorKind::Parse, images + " has " + std::to_string(images_.shape()[0]) + " images, " + labels +
                                     " has " + std::to_string(labels_.numel()) + " labels");
    }
    const auto values = labels_.values<std::uint8_t>();
    const auto wrong = std::ranges::find_if(values, [](std::uint8_t label) { return label >= kClasses; });
    if (wrong != values.end()) {
        refuse(ErrorKind::Parse, labels + ": label " + std::to_string(wrong - values.begin()) + " is " +
                                     std::to_string(*wrong) + "; expected 0 to 9");
    }
}

MnistItem MnistDataset::get(std::size_t index) const {
    require_item(index, size(), "MnistDataset");
    MnistItem item;
    const auto pixels = images_.values<std::uint8_t>().subspan(index * item.image.size(), item.image.size());
    std::ranges::copy(pixels, item.image.begin());
    item.label = labels_.values<std::uint8_t>()[index];
    return item;
}

}  // namespace burn::data
