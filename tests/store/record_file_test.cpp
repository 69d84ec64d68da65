#include <burn/store/record_file.h>

#include <burn/store/store.h>

#include "tests/module/sample_modules.h"
#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <limits>

namespace burn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using A = Autodiff<NdArray>;

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

TEST(SaveAndLoad, AModuleComesBack) {
    ScratchFolder folder;
    Device<A> device;
    for (const char* extension : kExtensions) {
        const std::string path = folder.path(std::string("model") + extension);
        const auto source = sample::make_everything<A>(device);
        save(source, path);
        auto target = sample::make_everything<A>(device);
        target.first.weight.set_value(Tensor<A, 2>::zeros({2, 3}, device));
        target.wrapped.inner = target.first;
        const LoadReport report = load(target, path);
        EXPECT_EQ(report.applied.size(), 8u);
        EXPECT_EQ(target.first.weight.value().to_data(), source.first.weight.value().to_data());
        EXPECT_EQ(target.layers[1].weight.id(), source.layers[1].weight.id());
        EXPECT_TRUE(target.first.weight.tied_to(target.wrapped.inner.weight));
    }
}

TEST(SaveAndLoad, WhatDoesNotFitNamesTheFile) {
    ScratchFolder folder;
    const std::string path = folder.path("model.bpk");
    save(sample::make_affine<A>(1, Device<A>()), path);
    auto module = sample::make_everything<A>(Device<A>());
    EXPECT_THAT(
        message_of(ErrorKind::Record, [&] { load(module, path); }),
        AllOf(HasSubstr("load: \"" + path + "\" does not fit the module: 0 applied, 8 missing, 2 unused, 0 mismatched"),
              HasSubstr("missing \"first.weight\" (did you mean \"weight\"?)")));
}

// Known fault D5: ids were lost on load, so that an optimiser's state lost its parameters and its file grew.
TEST(SaveAndLoad, IdsAndFileSizesStayThroughRestarts) {
    ScratchFolder folder;
    for (const char* extension : kExtensions) {
        const std::string path = folder.path(std::string("model") + extension);
        auto first = sample::make_everything<A>(Device<A>());
        save(first, path);
        const std::string bytes = folder.read(std::string("model") + extension);
        for (int restart = 0; restart < 5; ++restart) {
            auto next = sample::make_everything<A>(Device<A>());  // has new ids
            load(next, path);
            EXPECT_EQ(next.first.weight.id(), first.first.weight.id());
            save(next, path);
        }
        EXPECT_EQ(folder.read(std::string("model") + extension), bytes);
    }
}

/// Something with a state that is no module.
struct Counter {
    std::int64_t steps = 0;
    Record record() const {
        Record record;
        record.add("steps", steps);
        return record;
    }
    void load_record(const Record& record) { steps = record.number("steps").as<std::int64_t>(); }
};

TEST(SaveAndLoad, WhateverGivesARecord) {
    ScratchFolder folder;
    for (const char* extension : kExtensions) {
        const std::string path = folder.path(std::string("counter") + extension);
        save(Counter{42}, path);
        Counter counter;
        load(counter, path);
        EXPECT_EQ(counter.steps, 42);
        save(Record(), path);
        EXPECT_EQ(message_of(ErrorKind::Record, [&] { load(counter, path); }),
                  "load: \"" + path + "\": record: there is no number \"steps\"");
    }
}

}  // namespace
}  // namespace burn
