#include <burn/store/record_file.h>

#include <burn/store/store.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <limits>

namespace burn::record_file_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
const char* const kExtensions[] = {".bpk", ".safetensors"};

TEST(RecordFile, KeepsTensorsIdsAndNumbersBitForBit) {
    ScratchFolder folder;
    Record record;
    record.add("a.weight", TensorData::from<float>({0.1f, -0.0f, std::numeric_limits<float>::denorm_min()}), 7);
    record.add("a.none", TensorData(Shape{0, 3}, DType::I64));
    record.add("step", std::int64_t{-1});
    record.add("seed", std::numeric_limits<std::uint64_t>::max());
    record.add("lr", 0.1);
    record.add("on", true);
    for (const char* extension : kExtensions) {
        const std::string path = folder.path(std::string("r") + extension);
        store::write_record(path, record, {{"producer", "test"}});
        const Record read = store::read_record(path);
        ASSERT_EQ(read.tensors().size(), 2u);
        ASSERT_EQ(read.numbers().size(), 4u);
        for (const Record::Tensor& tensor : record.tensors()) {
            EXPECT_EQ(read.tensor(tensor.path.text()).spec, tensor.spec);
            EXPECT_EQ(read.tensor(tensor.path.text()).read(), tensor.read());
            EXPECT_EQ(read.tensor(tensor.path.text()).id, tensor.id);
        }
        for (const Record::Number& number : record.numbers()) EXPECT_EQ(read.number(number.path.text()), number.value);
        EXPECT_EQ(store::open_tensor_file(path).metadata().at("producer"), "test");
    }
}

TEST(RecordFile, TheContentTellsTheFormat) {
    ScratchFolder folder;
    Record record;
    record.add("w", TensorData::from<float>({1}));
    store::write_record(folder.path("a.bpk"), record);
    std::filesystem::rename(folder.path("a.bpk"), folder.path("a.safetensors"));
    EXPECT_STREQ(store::open_tensor_file(folder.path("a.safetensors")).format(), "burnpack");
    folder.write("a.pt",
                 std::string("PK\x03\x04", 4) + std::string(22, '\0') + std::string("\x0c\0\0\0", 4) + "arc/data.pkl");
    EXPECT_THAT(
        message_of(ErrorKind::Parse, [&] { store::read_record(folder.path("a.pt")); }),
        AllOf(HasSubstr("a.pt"), HasSubstr("look like a PyTorch file"), HasSubstr("safetensors.torch.save_file")));
    folder.write("a.txt", "hello");
    EXPECT_THAT(message_of(ErrorKind::Parse, [&] { store::read_record(folder.path("a.txt")); }),
                HasSubstr("neither format begins so"));
}

TEST(RecordFile, UnknownExtensionsAreNamed) {
    ScratchFolder folder;
    for (const char* name : {"model.pt", "model", ".bpk/model"}) {
        EXPECT_THAT(message_of(ErrorKind::Argument, [&] { save(Record(), folder.path(name)); }),
                    HasSubstr("expected .bpk or .safetensors"));
    }
    EXPECT_EQ(folder.count(), 0u);
}

TEST(RecordFile, TensorsThatNoRecordCanHoldAreNamed) {
    EXPECT_THAT(message_of(ErrorKind::Unsupported,
                           [] { store::read_record("tests/data-files/safetensors/valid/fp8.safetensors"); }),
                HasSubstr("tensor \"e4m3\" has dtype \"F8_E4M3\""));
}

}  // namespace
}  // namespace burn::record_file_test
