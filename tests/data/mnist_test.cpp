#include <burn/base/error.h>
#include <burn/data/mnist.h>

#include <gmock/gmock.h>
#include <tests/support/scratch_folder.h>

#include <numeric>

namespace burn::data::mnist_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

static_assert(Dataset<MnistDataset>);

/// An IDX file of bytes.
std::string idx(std::initializer_list<std::uint8_t> sizes, const std::string& values) {
    std::string file = {'\0', '\0', '\x08', static_cast<char>(sizes.size())};
    for (const std::uint8_t size : sizes) file += std::string(3, '\0') + static_cast<char>(size);
    return file + values;
}

class MnistDatasetTest : public ::testing::Test {
protected:
    MnistDatasetTest() {
        write_images(idx({2, 28, 28}, std::string(784, '\x01') + std::string(784, '\x02')));
        write_labels(idx({2}, {'\x09', '\x03'}));
    }
    void write_images(const std::string& bytes) { scratch.write("t10k-images-idx3-ubyte", bytes); }
    void write_labels(const std::string& bytes) { scratch.write("t10k-labels-idx1-ubyte", bytes); }
    std::string error() {
        try {
            const MnistDataset dataset(scratch.path(""), MnistDataset::Part::Test);
        } catch (const Error& e) {
            EXPECT_TRUE(e.kind() == ErrorKind::Io || e.kind() == ErrorKind::Parse);
            EXPECT_THAT(e.what(), HasSubstr("dataset-fashion-mnist"));
            return e.what();
        }
        return "no error";
    }

    ScratchFolder scratch;
};

TEST_F(MnistDatasetTest, GivesImagesAndLabels) {
    const MnistDataset dataset(scratch.path(""), MnistDataset::Part::Test);
    ASSERT_EQ(dataset.size(), 2u);
    EXPECT_EQ(dataset.get(0).label, 9);
    EXPECT_EQ(dataset.get(1).label, 3);
    EXPECT_THAT(dataset.get(1).image, testing::Each(2));
    EXPECT_THROW(dataset.get(2), IndexError);
}

TEST_F(MnistDatasetTest, MissingFilesAreNamed) {
    std::filesystem::remove(scratch.path("t10k-labels-idx1-ubyte"));
    EXPECT_THAT(error(), HasSubstr("/t10k-labels-idx1-ubyte.gz: there is no such file"));
    std::filesystem::remove(scratch.path("t10k-images-idx3-ubyte"));
    EXPECT_THAT(error(), HasSubstr("/t10k-images-idx3-ubyte.gz: there is no such file"));
}

TEST_F(MnistDatasetTest, DamagedFilesAreNamed) {
    write_images("not idx");
    EXPECT_THAT(error(), AllOf(HasSubstr("t10k-images-idx3-ubyte:"), HasSubstr("begins with bytes")));
    write_images(idx({2, 28, 28}, std::string(1567, '\x01')));
    EXPECT_THAT(error(), HasSubstr("t10k-images-idx3-ubyte:"));
    write_images(idx({2, 28, 14}, std::string(784, '\x01')));
    EXPECT_THAT(error(), HasSubstr("holds u8 [2, 28, 14]; expected u8 [images, 28, 28]"));
    write_images(idx({3, 28, 28}, std::string(3 * 784, '\x01')));
    EXPECT_THAT(error(), HasSubstr("t10k-images-idx3-ubyte has 3 images"));
}

TEST_F(MnistDatasetTest, LabelsBeyondTheClassesAreDamage) {
    write_labels(idx({2}, {'\x09', '\x0a'}));
    EXPECT_THAT(error(), HasSubstr("t10k-labels-idx1-ubyte: label 1 is 10; expected 0 to 9"));
}

TEST(MnistDataset, FashionMnist) {
    if (!std::filesystem::exists(MnistDataset::kFashionFolder))
        GTEST_SKIP() << "package dataset-fashion-mnist is not installed";
    const MnistDataset dataset(MnistDataset::kFashionFolder, MnistDataset::Part::Test);
    ASSERT_EQ(dataset.size(), 10'000u);
    std::array<int, MnistDataset::kClasses> counts{};
    double sum = 0;
    for (std::size_t i = 0; i < dataset.size(); ++i) {
        const MnistItem item = dataset.get(i);
        ++counts.at(item.label);
        sum = std::accumulate(item.image.begin(), item.image.end(), sum);
    }
    EXPECT_THAT(counts, testing::Each(1000));
    EXPECT_EQ(dataset.get(0).label, 9);  // an ankle boot
    EXPECT_NEAR(sum / (10'000 * 784 * 255.0), 0.2868, 1e-4);
}

}  // namespace
}  // namespace burn::data::mnist_test
