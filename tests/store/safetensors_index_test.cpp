#include <burn/store/safetensors_index.h>

#include <burn/store/record_file.h>
#include <burn/store/safetensors.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

namespace burn::store::safetensors_index_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kFiles = "tests/data-files/safetensors/";

TEST(SafetensorsIndex, JoinsTheFilesOfACheckpoint) {
    const TensorFile file = open_safetensors_index(kFiles + "valid/shard.safetensors.index.json");
    EXPECT_EQ(file.size(), 2u);
    EXPECT_EQ(file.read("a"), TensorData::from<float>({1.0f, -2.5f}));
    EXPECT_EQ(file.read("b"), TensorData::from<float>({-2.5f, 65504.0f}));
    EXPECT_EQ(file.metadata().at("format"), "pt");
    const Record record = read_record(kFiles + "valid/shard.safetensors.index.json");
    EXPECT_EQ(record.tensor("b").read(), file.read("b"));
}

TEST(SafetensorsIndex, AMissingFileIsNamed) {
    EXPECT_THAT(
        message_of(ErrorKind::Io,
                   [] { open_safetensors_index(kFiles + "reject/index_missing_shard.safetensors.index.json"); }),
        AllOf(HasSubstr("reject/nope.safetensors"), HasSubstr("No such file")));
}

TEST(SafetensorsIndex, IndexAndFilesMustAgree) {
    ScratchFolder folder;
    const TensorData data = TensorData::from<float>({1});
    write_safetensors(folder.path("1.safetensors"), {.tensors = {{"a", data}, {"b", data}}});
    write_safetensors(folder.path("2.safetensors"), {.tensors = {{"b", data}}});
    const auto fault = [&](const std::string& index) {
        folder.write("i.json", index);
        return message_of(ErrorKind::Parse, [&] { open_safetensors_index(folder.path("i.json")); });
    };
    EXPECT_THAT(fault("[]"), HasSubstr("i.json\": it has no object \"weight_map\""));
    EXPECT_THAT(fault(R"({"weight_map": []})"), HasSubstr("it has no object \"weight_map\""));
    EXPECT_THAT(fault(R"({"weight_map": {"a": 1}})"),
                HasSubstr("tensor \"a\" is in the number 1; expected a file beside the index"));
    EXPECT_THAT(fault(R"({"weight_map": {"a": "1.safetensors"}})"),
                HasSubstr("it has 1 tensors in \"1.safetensors\", the file 2"));
    EXPECT_THAT(fault(R"({"weight_map": {"a": "2.safetensors"}})"),
                HasSubstr("tensor \"a\" is not in \"2.safetensors\""));
    for (const char* path : {"../1.safetensors", "/etc/passwd", "..", ".", ""}) {
        EXPECT_THAT(fault(std::string(R"({"weight_map": {"a": ")") + path + "\"}}"),
                    HasSubstr("expected a file beside the index"));
    }
}

TEST(SafetensorsIndex, ANameInTwoFilesIsAFault) {
    const TensorData data = TensorData::from<float>({1});
    std::vector<TensorFile> parts;
    for (int i = 0; i < 2; ++i)
        parts.push_back(open_safetensors(ByteSource::own(safetensors_bytes({.tensors = {{"a", data}}}))));
    EXPECT_THAT(message_of(ErrorKind::Parse, [&] { TensorFile("both", parts); }),
                HasSubstr("\"both\": tensor \"a\" is in two files"));
}

}  // namespace
}  // namespace burn::store::safetensors_index_test
