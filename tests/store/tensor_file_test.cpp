#include <burn/store/tensor_file.h>

#include "tests/support/bytes.h"

#include <gmock/gmock.h>

namespace burn::store::tensor_file_test {
namespace {

using ::testing::HasSubstr;

TensorFile sample() {
    std::vector<StoredTensor> tensors(3);
    tensors[0] = {
        .name = "fc.weight", .stored_dtype = "U8", .dtype = DType::U8, .shape = {2, 2}, .offset = 0, .bytes = 4};
    tensors[1] = {
        .name = "fc.bias", .stored_dtype = "BOOL", .dtype = DType::Bool, .shape = {2}, .offset = 4, .bytes = 2};
    tensors[2] = {.name = "odd", .stored_dtype = "F8_E4M3", .dtype = {}, .shape = {1}, .offset = 6, .bytes = 1};
    return TensorFile(ByteSource::own(bytes::from_hex("01020304010238")), "safetensors", tensors, {{"format", "pt"}});
}

TEST(TensorFile, FindsByNameAndKeepsTheOrderOfTheFile) {
    const TensorFile file = sample();
    EXPECT_EQ(file.size(), 3u);
    EXPECT_EQ(file.tensors()[0].name, "fc.weight");
    EXPECT_EQ(file.find("fc.bias"), &file.tensors()[1]);
    EXPECT_TRUE(file.contains("odd"));
    EXPECT_FALSE(file.contains("fc"));
    EXPECT_EQ(file.metadata().at("format"), "pt");
}

TEST(TensorFile, ReadsValues) {
    const TensorData data = sample().read("fc.weight");
    EXPECT_EQ(data, (TensorData::from<std::uint8_t>({{1, 2}, {3, 4}})));
}

TEST(TensorFile, AMissingNameIsAnsweredWithTheClosest) {
    EXPECT_EQ(message_of(ErrorKind::Record, [] { sample().read("fc.wieght"); }),
              "safetensors: \"<memory>\": no tensor \"fc.wieght\" among 3 (did you mean \"fc.weight\"?)");
}

TEST(TensorFile, BoolsAreZeroOrOne) {
    EXPECT_THAT(message_of(ErrorKind::Parse, [] { sample().read("fc.bias"); }),
                HasSubstr("tensor \"fc.bias\": element 1 is 2; expected a bool, 0 or 1"));
}

TEST(TensorFile, ForeignDTypesAreNamed) {
    EXPECT_THAT(message_of(ErrorKind::Unsupported, [] { sample().read("odd"); }), HasSubstr("has dtype \"F8_E4M3\""));
}

TEST(TensorFile, DoesNotReadTensorsOfOtherFilesNorWhenMovedFrom) {
    TensorFile file = sample();
    const StoredTensor tensor = *file.find("fc.weight");
    const TensorFile taken = std::move(file);
    // NOLINTNEXTLINE(bugprone-use-after-move): that is the question
    EXPECT_THAT(message_of(ErrorKind::Argument, [&] { file.read(tensor); }), HasSubstr("\"fc.weight\""));
    StoredTensor other = tensor;
    other.source = 1;
    EXPECT_THROW(taken.read(other), ArgumentError);
    EXPECT_EQ(taken.read(tensor).at(3), 4);
}

}  // namespace
}  // namespace burn::store::tensor_file_test
