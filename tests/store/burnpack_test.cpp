#include <burn/store/burnpack.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace burn::store::burnpack_test {
namespace {

using ::testing::HasSubstr;

/// Header and metadata, padded, and then values.
std::string file_of(const std::string& cbor, const std::string& values = "") {
    std::string file =
        std::string("NRUB\1\0", 6) + bytes::little<std::uint32_t>(static_cast<std::uint32_t>(cbor.size())) + cbor;
    if (!values.empty()) file.resize((file.size() + 255) / 256 * 256, '\0');
    return file + values;
}

/// The CBOR of a JSON text.
std::string cbor_of(const char* json) {
    std::string cbor;
    nlohmann::json::to_cbor(nlohmann::json::parse(json), cbor);
    return cbor;
}

TensorFile open_text(const std::string& text) { return open_burnpack(ByteSource::own(bytes::copy(bytes::of(text)))); }

std::string fault_of(const std::string& cbor, const std::string& values = "") {
    return message_of(ErrorKind::Parse, [&] { open_text(file_of(cbor, values)); });
}

// Written by hand after RFC 8949 and the format's description.
const std::string kByHand =
    file_of(std::string("\xa3"                                    // a map of 3
                        "\x68metadata\xa1\x61k\x61v"              //   "metadata": {"k": "v"}
                        "\x67scalars\xa1\x64step\xa1\x63Int\x22"  //   "scalars": {"step": {"Int": -3}}
                        "\x67tensors\xa2"                         //   "tensors": {
                        "\x61"
                        "a\xa4"  //     "a": {
                        "\x6c"
                        "data_offsets\x82\x00\x08"  //       "data_offsets": [0, 8],
                        "\x65"
                        "dtype\x63"
                        "F32"                                               //       "dtype": "F32",
                        "\x68param_id\x1b\xff\xff\xff\xff\xff\xff\xff\xfe"  // "param_id": 2^64 - 2,
                        "\x65shape\x81\x02"                                 //       "shape": [2]},
                        "\x61"
                        "b\xa3"  //     "b": {
                        "\x6c"
                        "data_offsets\x82\x19\x01\x00\x19\x01\x03"  //  "data_offsets": [256, 259],
                        "\x65"
                        "dtype\xa1\x64"
                        "Bool\x66Native"  //       "dtype": {"Bool": "Native"},
                        "\x65shape\x81\x03",
                        149),  //       "shape": [3]}}
            std::string("\0\0\x80\x3f\0\0\0\xc0", 8) + std::string(248, '\0') + std::string("\1\0\1", 3));

TEST(Burnpack, ReadsAFileWrittenByHand) {
    const TensorFile file = open_text(kByHand);
    EXPECT_STREQ(file.format(), "burnpack");
    ASSERT_EQ(file.size(), 2u);
    EXPECT_EQ(file.read("a"), TensorData::from<float>({1.0f, -2.0f}));
    EXPECT_EQ(file.read("b"), TensorData::from<bool>({true, false, true}));
    EXPECT_EQ(file.find("a")->param_id, 0xfffffffffffffffeu);
    EXPECT_EQ(file.find("b")->param_id, std::nullopt);
    EXPECT_EQ(file.metadata(), (std::map<std::string, std::string>{{"k", "v"}}));
    EXPECT_EQ(file.scalars(), (std::map<std::string, StoredScalar>{{"step", std::int64_t{-3}}}));
}

TEST(Burnpack, WritesThatFileByteForByte) {
    TensorFileContents contents;
    contents.tensors.push_back({"b", TensorData::from<bool>({true, false, true})});
    contents.tensors.push_back({"a", TensorData::from<float>({1.0f, -2.0f}), 0xfffffffffffffffeu});
    contents.metadata = {{"k", "v"}};
    contents.scalars = {{"step", std::int64_t{-3}}};
    EXPECT_EQ(burnpack_bytes(contents), bytes::copy(bytes::of(kByHand)));
}

TEST(Burnpack, WhatIsWrittenIsReadBack) {
    ScratchFolder folder;
    TensorFileContents contents;
    const TensorData values = TensorData::from<float>({{0, 1, 1}, {1, 0, 1}});
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        contents.tensors.push_back({name_of(dtype), values.convert(dtype), static_cast<std::uint64_t>(i)});
    }
    contents.tensors.push_back({"", TensorData(Shape(), DType::F32)});
    contents.tensors.push_back({"none", TensorData(Shape{3, 0, 2}, DType::I64)});
    contents.tensors.push_back({"большой", TensorData(Shape{100, 7}, DType::F64)});
    contents.metadata = {{"producer", "test"}};
    contents.scalars = {{"a", std::numeric_limits<std::int64_t>::min()},
                        {"b", std::numeric_limits<std::uint64_t>::max()},
                        {"c", 0.1},
                        {"d", -std::numeric_limits<double>::infinity()},
                        {"e", 3.0},
                        {"f", std::int64_t{3}},
                        {"g", std::uint64_t{3}},
                        {"h", false}};
    write_burnpack(folder.path("a.bpk"), contents);
    const TensorFile file = open_burnpack(folder.path("a.bpk"));
    ASSERT_EQ(file.size(), contents.tensors.size());
    for (const NamedTensor& tensor : contents.tensors) {
        EXPECT_EQ(file.read(tensor.name), tensor.data) << tensor.name;
        EXPECT_EQ(file.find(tensor.name)->param_id, tensor.param_id);
        EXPECT_EQ(file.find(tensor.name)->offset % 256, 0u);
    }
    EXPECT_EQ(file.metadata(), contents.metadata);
    EXPECT_EQ(file.scalars(), contents.scalars);

    write_burnpack(folder.path("none.bpk"), {});
    EXPECT_EQ(open_burnpack(folder.path("none.bpk")).size(), 0u);
    EXPECT_EQ(folder.count(), 2u);
}

TEST(Burnpack, HeadersAreChecked) {
    const auto fault = [](ErrorKind kind, const std::string& text) {
        return message_of(kind, [&] { open_text(text); });
    };
    EXPECT_THAT(fault(ErrorKind::Parse, "BURN......"), HasSubstr("does not begin with \"NRUB\""));
    EXPECT_THAT(fault(ErrorKind::Parse, "NRUB"), HasSubstr("ends inside its header"));
    EXPECT_THAT(fault(ErrorKind::Unsupported, std::string("NRUB\2\0\0\0\0\0", 10)),
                HasSubstr("version 2 of the format; expected 1"));
    EXPECT_THAT(fault(ErrorKind::Parse, std::string("NRUB\1\0\xff\xff\xff\xff", 10)),
                HasSubstr("claims 4294967295 bytes; expected at most 100 MiB"));
    EXPECT_THAT(fault(ErrorKind::Parse, std::string("NRUB\1\0\x05\0\0\0\xa0", 11)),
                HasSubstr("claims 5 bytes, the file has 1 after the header"));
    EXPECT_THAT(fault(ErrorKind::Parse, std::string("\x08\0\0\0\0\0\0\0{}      ", 16)),
                HasSubstr("look like a safetensors file"));
}

TEST(Burnpack, MetadataIsChecked) {
    EXPECT_THAT(fault_of("\xff"), HasSubstr("not valid CBOR"));
    EXPECT_THAT(fault_of(""), HasSubstr("not valid CBOR"));
    EXPECT_THAT(fault_of(std::string("\xa0\xa0", 2)), HasSubstr("not valid CBOR"));  // something behind
    EXPECT_THAT(fault_of("\x05"), HasSubstr("the metadata is a number; expected an object"));
    EXPECT_THAT(fault_of(cbor_of("[1]")), HasSubstr("the metadata is an array; expected an object"));
    EXPECT_THAT(fault_of(cbor_of(R"({"tensors":[]})")), HasSubstr("an array where it cannot"));
    EXPECT_THAT(fault_of(cbor_of(R"({"tensors":{"w":{"dtype":"F33","shape":[],"data_offsets":[0,0]}}})")),
                HasSubstr("tensor \"w\": unknown dtype \"F33\"; expected one of F64, F32"));
    EXPECT_THAT(fault_of(cbor_of(R"({"tensors":{"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,0]}}})")),
                HasSubstr("tensor \"w\" has the negative number -1 in its shape"));
    EXPECT_THAT(
        fault_of(cbor_of(R"({"tensors":{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"param_id":-1}}})")),
        HasSubstr("negative number -1 in its param_id"));
    EXPECT_THAT(fault_of(cbor_of(R"({"tensors":{"w":{"dtype":"F32","shape":[1]}}})")), HasSubstr("has 0 data_offsets"));
    EXPECT_THAT(fault_of(cbor_of(R"({"metadata":{"k":1}})")),
                HasSubstr("key \"k\" of \"metadata\" is a number; expected a string"));
    EXPECT_THAT(fault_of(cbor_of(R"({"scalars":{"k":1}})")),
                HasSubstr("scalar \"k\" is a number; expected an Int, UInt, Float or Bool"));
    EXPECT_THAT(fault_of(cbor_of(R"({"scalars":{"k":{"UInt":-1}}})")),
                HasSubstr("scalar \"k\" does not fit its type \"UInt\""));
    EXPECT_THAT(fault_of(cbor_of(R"({"scalars":{"k":{"Int":18446744073709551615}}})")),
                HasSubstr("does not fit its type \"Int\""));
    EXPECT_THAT(fault_of(cbor_of(R"({"scalars":{"k":{"Int":1.5}}})")), HasSubstr("of type \"Int\" is a fraction"));
    EXPECT_THAT(fault_of(cbor_of(R"({"scalars":{"k":{"Bool":1}}})")), HasSubstr("does not fit its type \"Bool\""));
    EXPECT_THAT(fault_of(cbor_of(R"({"scalars":{"k":{}}})")), HasSubstr("scalar \"k\" has no value"));
    EXPECT_THAT(fault_of(cbor_of(R"({"scalars":{"k":{"Int":1,"UInt":1}}})")), HasSubstr("scalar \"k\" has two values"));
    EXPECT_THAT(fault_of("\xa2\x67tensors\xa0\x67tensors\xa0"),
                HasSubstr("key \"tensors\" of the metadata occurs twice"));
    EXPECT_THAT(fault_of("\xa1\x68metadata\xa1\x61\xff\x61v"), HasSubstr("the metadata \"\\xff\" is not UTF-8"));
    EXPECT_THAT(fault_of("\xa1\x67scalars\xa1\x61\xff\xa1\x63Int\x01"), HasSubstr("the name \"\\xff\" is not UTF-8"));
}

TEST(Burnpack, PlacesAreChecked) {
    const auto two = [](const std::string& a, const std::string& b) {
        return cbor_of((R"({"tensors":{"a":{"dtype":"U8","shape":[4],"data_offsets":)" + a +
                        R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + b + "}}}")
                           .c_str());
    };
    EXPECT_EQ(open_text(file_of(two("[0,4]", "[256,260]"), std::string(260, '\0'))).size(), 2u);
    EXPECT_THAT(fault_of(two("[0,4]", "[256,260]"), std::string(259, '\0')),
                HasSubstr("tensor \"b\": data_offsets [256, 260] go past the end"));
    EXPECT_THAT(fault_of(two("[0,4]", "[3,7]"), std::string(7, '\0')), HasSubstr("tensors \"a\" and \"b\" overlap"));
    EXPECT_THAT(fault_of(two("[4,0]", "[3,7]"), std::string(7, '\0')),
                HasSubstr("tensor \"a\": data_offsets [4, 0] are reversed"));
    EXPECT_THAT(fault_of(two("[0,5]", "[256,260]"), std::string(260, '\0')),
                HasSubstr("span 5 bytes; expected 4 for U8 [4]"));
    EXPECT_THAT(fault_of(two("[0,4]", "[1024,1028]"), std::string(1028, '\0')),
                HasSubstr("a hole of 1020 bytes before tensor \"b\""));
    EXPECT_THAT(fault_of(two("[0,4]", "[256,260]"), std::string(600, '\0')),
                HasSubstr("340 bytes after the last tensor"));
    EXPECT_THAT(
        fault_of(cbor_of(R"({"tensors":{"w":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}})"),
                 "x"),
        HasSubstr("no representable size"));
    EXPECT_THAT(
        fault_of(
            cbor_of(R"({"tensors":{"w":{"dtype":{"QFloat":{}},"shape":[18446744073709551615],"data_offsets":[0,0]}}})"),
            "x"),
        HasSubstr("no representable size"));
}

TEST(Burnpack, DTypesWithoutATensorHereOpenAndCannotBeRead) {
    const TensorFile file = open_text(file_of(
        cbor_of(
            R"({"tensors":{"q":{"dtype":{"QFloat":{"value":"Q8S","level":{"Block":[32]}}},"shape":[5],"data_offsets":[0,9]},
                               "f":{"dtype":"Flex32","shape":[1],"data_offsets":[256,260]},
                               "u":{"dtype":{"Bool":"U32"},"shape":[1],"data_offsets":[512,516]}}})"),
        std::string(516, '\0')));
    EXPECT_EQ(file.read("f"), TensorData::from<float>({0.0f}));
    EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { file.read("q"); }),
                HasSubstr("tensor \"q\" has dtype \"QFloat\""));
    EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { file.read("u"); }), HasSubstr("\"Bool(U32)\""));
}

TEST(Burnpack, UnknownSectionsAndFieldsArePassedOver) {
    const TensorFile file = open_text(file_of(
        cbor_of(
            R"({"later":{"a":[1,{"b":null}]},"n":1,"tensors":{"w":{"dtype":"U8","new":[[1]],"shape":[1],"data_offsets":[0,1],"param_id":null}}})"),
        "\1"));
    EXPECT_EQ(file.read("w"), TensorData::from<std::uint8_t>({1}));
}

// The parser behind is recursive; the walk must stop it before the stack ends.
TEST(Burnpack, DeepNestingIsRefused) {
    EXPECT_THAT(fault_of("\xa1\x61x" + std::string(10'000'000, '\x81')), HasSubstr("nested too deeply"));
    EXPECT_THAT(fault_of(std::string(10'000'000, '\x81')), HasSubstr("expected an object"));
}

TEST(Burnpack, ClaimedCountsAllocateNothing) {
    EXPECT_THAT(fault_of("\xbb\xff\xff\xff\xff\xff\xff\xff\xff"), HasSubstr("not valid CBOR"));
    EXPECT_THAT(fault_of("\xa1\x7b\xff\xff\xff\xff\xff\xff\xff\xff"), HasSubstr("not valid CBOR"));
    EXPECT_THAT(fault_of("\xa1\x61x\x5b\x7f\xff\xff\xff\xff\xff\xff\xff"), HasSubstr("not valid CBOR"));
}

TEST(Burnpack, TruncatedAnywhereIsATypedError) {
    for (std::size_t size = 0; size < kByHand.size(); ++size) {
        EXPECT_THROW(open_text(kByHand.substr(0, size)), ParseError) << size;
    }
}

TEST(Burnpack, WhatCannotBeWrittenIsAnArgumentError) {
    const auto fault = [](const TensorFileContents& contents) {
        return message_of(ErrorKind::Argument, [&] { burnpack_bytes(contents); });
    };
    EXPECT_EQ(fault({.tensors = {{"a", TensorData()}, {"a", TensorData()}}}),
              "burnpack: two tensors have the name \"a\"");
    EXPECT_THAT(fault({.tensors = {}, .metadata = {{"a", std::string(101 << 20, 'x')}}}),
                HasSubstr("names and metadata take 105906177 bytes; expected at most 104857600"));
    TensorFileContents many;
    for (int i = 0; i <= 100'000; ++i) many.tensors.push_back({std::to_string(i), TensorData()});
    EXPECT_THAT(fault(many), HasSubstr("more than 100,000 tensors"));
}

}  // namespace
}  // namespace burn::store::burnpack_test
