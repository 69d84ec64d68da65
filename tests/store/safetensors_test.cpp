#include <burn/store/safetensors.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace burn::store::safetensors_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kFiles = "tests/data-files/safetensors/";

/// A file in memory: header length, header, values.
std::string file_of(const std::string& header, std::size_t values) {
    return bytes::join({bytes::little<std::uint64_t>(header.size()), header, std::string(values, '\0')});
}

TensorFile open_text(const std::string& text) {
    return open_safetensors(ByteSource::own(bytes::copy(bytes::of(text))));
}

std::string fault_of(const std::string& header, std::size_t values) {
    return message_of(ErrorKind::Parse, [&] { open_text(file_of(header, values)); });
}

// The dtype names of files against ours.
std::string upper(const char* name) {
    std::string text;
    for (; *name != '\0'; ++name) text += static_cast<char>(std::toupper(static_cast<unsigned char>(*name)));
    return text;
}

TEST(Safetensors, ReadsEveryWellFormedFile) {
    const auto expected = nlohmann::json::parse(std::ifstream(kFiles + "expected.json"));
    int files = 0, tensors = 0;
    for (const auto& [path, facts] : expected.items()) {
        if (!path.starts_with("valid/") || !path.ends_with(".safetensors") || !facts.contains("entries")) continue;
        SCOPED_TRACE(path);
        ++files;
        const TensorFile file = open_safetensors(kFiles + path);
        EXPECT_EQ(file.size(), facts["entries"].size());
        for (const auto& [name, entry] : facts["entries"].items()) {
            SCOPED_TRACE(name);
            ++tensors;
            const StoredTensor* tensor = file.find(name);
            ASSERT_NE(tensor, nullptr);
            EXPECT_EQ(tensor->stored_dtype, entry["dtype"].get<std::string>());
            EXPECT_EQ(tensor->shape,
                      Shape(std::span<const std::int64_t>(entry["shape"].get<std::vector<std::int64_t>>())));
            if (!tensor->dtype) {
                EXPECT_TRUE(tensor->stored_dtype.starts_with("F8_"));
                EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { file.read(name); }),
                            HasSubstr(tensor->stored_dtype));
                continue;
            }
            const TensorData data = file.read(name);
            EXPECT_EQ(upper(name_of(data.dtype())), entry["dtype"].get<std::string>());
            EXPECT_EQ(data.shape(), tensor->shape);
            EXPECT_EQ(bytes::copy(data.bytes()), bytes::from_hex(entry["hex"].get<std::string>()));
        }
        if (facts.contains("metadata")) {
            EXPECT_EQ(file.metadata(), (facts["metadata"].get<std::map<std::string, std::string>>()));
        }
    }
    EXPECT_EQ(files, 10);
    EXPECT_EQ(tensors, 31);
}

struct Refused {
    const char* file;
    const char* reason;
};

class SafetensorsRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(SafetensorsRefuses, TheMalformedFile) {
    const std::string path = kFiles + "reject/" + GetParam().file;
    const std::string message = message_of(ErrorKind::Parse, [&] {
        const TensorFile file = open_safetensors(path);
        for (const StoredTensor& tensor : file.tensors()) file.read(tensor);
    });
    EXPECT_THAT(message, AllOf(HasSubstr(path), HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, SafetensorsRefuses,
    ::testing::Values(
        Refused{"bad_dtype.safetensors", "tensor \"w\": unknown dtype \"F33\"; expected one of F64"},
        Refused{"bool_not_01.safetensors", "tensor \"w\": element 0 is 2; expected a bool, 0 or 1"},
        Refused{"dup_key.safetensors", "the name \"w\" occurs twice"},
        Refused{"header_len_max.safetensors", "no plausible length"},
        Refused{"header_over_100mb.safetensors", "the header claims 100000001 bytes; expected at most 100000000"},
        Refused{"hole.safetensors", "hole of 4 bytes before tensor \"b\"; expected it to begin at 4"},
        Refused{"leading_space.safetensors", "does not begin with a brace"},
        Refused{"metadata_not_string.safetensors", "key \"a\" of \"__metadata__\" is a number; expected a string"},
        Refused{"not_json.safetensors", "not valid JSON"},
        Refused{"offset_huge.safetensors", "tensor \"w\" has the number \"18446744073709551616\" in its data_offsets"},
        Refused{"offset_past_end.safetensors",
                "tensor \"w\": data_offsets [0, 8] go past the end of the file; it holds 4 bytes of values"},
        Refused{"overlap.safetensors", "tensors \"a\" and \"b\" overlap: the second begins at 2; expected 4"},
        Refused{"shape_negative.safetensors", "tensor \"w\" has the negative number -1 in its shape"},
        Refused{"size_mismatch.safetensors", "tensor \"w\": data_offsets [0, 4] span 4 bytes; expected 8 for F32 [2]"},
        Refused{"trailing_garbage_json.safetensors", "not valid JSON"},
        Refused{"index_missing_shard.safetensors.index.json", "look like a JSON text"}),
    [](const auto& info) {
        const std::string name = info.param.file;
        return name.substr(0, name.find('.'));
    });

// Offsets that do not fit the shape must not make a reader run past the end.
TEST(Safetensors, OffsetsThatDoNotFitTheShapeNameTheTensor) {
    EXPECT_EQ(fault_of(R"({"w":{"dtype":"F32","shape":[1000,1000],"data_offsets":[0,4]}})", 4),
              "safetensors: \"<memory>\": tensor \"w\": data_offsets [0, 4] span 4 bytes; expected 4000000 for F32 "
              "[1000, 1000]");
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4),
                HasSubstr("tensor \"w\": data_offsets [4, 0] are reversed"));
    EXPECT_THAT(
        fault_of(
            R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
            4),
        HasSubstr("overlap"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 5),
                HasSubstr("1 bytes after the last tensor"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[1,5]}})", 5), HasSubstr("hole of 1 bytes"));
    EXPECT_THAT(fault_of(R"({})", 1), HasSubstr("1 bytes after the last tensor"));
}

TEST(Safetensors, ProductsOfSizesDoNotOverflow) {
    // 2^32 * 2^32 elements are 0 in 64 bits, and then the empty range would fit.
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0),
                HasSubstr("U8 [4294967296, 4294967296] has no representable size"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}})", 0),
                HasSubstr("no representable size"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[0,18446744073709551615],"data_offsets":[0,0]}})", 0),
                HasSubstr("no representable size"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[0,1099511627776,1099511627776],"data_offsets":[0,0]}})", 0),
                HasSubstr("no representable size"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"F4","shape":[3],"data_offsets":[0,1]}})", 1),
                HasSubstr("no representable size"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})", 1),
                HasSubstr("tensor \"w\" has more than 8 axes"));
}

TEST(Safetensors, DescriptionsAreComplete) {
    EXPECT_THAT(fault_of(R"({"w":{"shape":[1],"data_offsets":[0,1]}})", 1), HasSubstr("tensor \"w\" has no dtype"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","data_offsets":[0,1]}})", 1), HasSubstr("tensor \"w\" has no shape"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[1]}})", 1), HasSubstr("has 0 data_offsets"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 1), HasSubstr("has 1 data_offsets"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1,2]}})", 1), HasSubstr("more than two"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1),
                HasSubstr("key \"dtype\" of tensor \"w\" occurs twice"));
    EXPECT_THAT(fault_of(R"({"__metadata__":{"a":"1","a":"2"}})", 0),
                HasSubstr("key \"a\" of \"__metadata__\" occurs twice"));
    EXPECT_THAT(fault_of(R"({"w":[1]})", 0), HasSubstr("tensor \"w\" has an array"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":["U8"],"shape":[1],"data_offsets":[0,1]}})", 1),
                HasSubstr("field \"dtype\" of tensor \"w\" cannot be an array"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})", 1),
                HasSubstr("an array where it cannot"));
    EXPECT_THAT(fault_of(R"({"w":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}})", 1),
                HasSubstr("\"1.5\" in its shape"));
}

TEST(Safetensors, UnknownFieldsAreSkippedUpToADepth) {
    const TensorFile file = open_text(file_of(
        R"({"w":{"note":{"a":[1,{"b":null}],"c":-1.5},"dtype":"U8","n":1,"shape":[1],"data_offsets":[0,1]}})", 1));
    EXPECT_EQ(file.read("w").shape(), Shape({1}));
    EXPECT_THAT(fault_of(R"({"w":{"note":)" + std::string(10'000, '['), 0), HasSubstr("nested too deeply"));
}

TEST(Safetensors, ZeroByteDoesNotEndTheHeader) {
    EXPECT_THAT(fault_of(std::string("{}\0garbage", 10), 0), HasSubstr("zero byte"));
}

TEST(Safetensors, MessagesShowHostileNamesHarmless) {
    const std::string message = fault_of(
        "{\"\\u001b[31m" + std::string(5000, 'n') + "\":{\"dtype\":\"F33\",\"shape\":[],\"data_offsets\":[0,0]}}", 0);
    EXPECT_THAT(message, AllOf(HasSubstr("\\x1b[31mnnn"), HasSubstr("unknown dtype \"F33\"; expected")));
}

TEST(Safetensors, TruncatedAnywhereIsATypedError) {
    std::ifstream stream(kFiles + "valid/header_order.safetensors", std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(stream)), {});
    ASSERT_EQ(whole.size(), 271u);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_THROW(open_text(whole.substr(0, size)), ParseError) << size;
    }
}

TensorFileContents every_dtype() {
    TensorFileContents contents;
    const TensorData values = TensorData::from<float>({{0, 1, 1}, {1, 0, 1}});
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        contents.tensors.push_back({name_of(dtype), values.convert(dtype)});
    }
    contents.tensors.push_back({"scalar", TensorData(Shape(), DType::F32)});
    contents.tensors.push_back({"none", TensorData(Shape{3, 0, 2}, DType::I64)});
    contents.tensors.push_back({"q\"\\\nклюс", TensorData::from<std::uint8_t>({7})});
    contents.metadata = {{"format", "pt"}, {"note", "\xc3\xbcn"}};
    return contents;
}

// Byte for byte what the reference implementation (safetensors 0.6, Python) would have to accept: the layout of its
// documentation, written out by hand.
TEST(Safetensors, WritesTheDocumentedLayout) {
    TensorFileContents contents;
    contents.tensors.push_back({"b", TensorData::from<std::uint8_t>({1, 2, 3})});
    contents.tensors.push_back({"a", TensorData::from<float>({1.0f})});
    contents.metadata = {{"k", "v"}};
    std::string header = R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                         R"("b":{"dtype":"U8","shape":[3],"data_offsets":[4,7]}})";
    header.resize(136, ' ');
    const std::string values("\0\0\x80\x3f\1\2\3", 7);
    EXPECT_EQ(safetensors_bytes(contents),
              bytes::copy(bytes::of(bytes::join({bytes::little<std::uint64_t>(136), header, values}))));
}

TEST(Safetensors, WhatIsWrittenIsReadBack) {
    ScratchFolder folder;
    const TensorFileContents contents = every_dtype();
    write_safetensors(folder.path("a.safetensors"), contents);
    const TensorFile file = open_safetensors(folder.path("a.safetensors"));
    ASSERT_EQ(file.size(), contents.tensors.size());
    for (const NamedTensor& tensor : contents.tensors) EXPECT_EQ(file.read(tensor.name), tensor.data) << tensor.name;
    EXPECT_EQ(file.metadata(), contents.metadata);
    EXPECT_EQ(file.tensors()[0].offset % 8, 0u);
    EXPECT_EQ(folder.count(), 1u);

    write_safetensors(folder.path("none.safetensors"), {});
    EXPECT_EQ(open_safetensors(folder.path("none.safetensors")).size(), 0u);
}

TEST(Safetensors, WhatCannotBeWrittenIsAnArgumentError) {
    const auto fault = [](const TensorFileContents& contents) {
        return message_of(ErrorKind::Argument, [&] { safetensors_bytes(contents); });
    };
    const TensorData data;
    EXPECT_EQ(fault({.tensors = {{"a", data}, {"b", data}, {"a", data}}}),
              "safetensors: two tensors have the name \"a\"");
    EXPECT_EQ(fault({.tensors = {{"__metadata__", data}}}),
              "safetensors: no tensor can have the name \"__metadata__\"");
    EXPECT_EQ(fault({.tensors = {{"\xff", data}}}), "safetensors: the name \"\\xff\" is not UTF-8");
    EXPECT_THAT(fault({.tensors = {}, .metadata = {{"a", "\xff"}}}), HasSubstr("not UTF-8"));
    EXPECT_THAT(fault({.tensors = {}, .metadata = {{"a", std::string(100'000'001, 'x')}}}),
                HasSubstr("expected at most 100000000"));
}

}  // namespace
}  // namespace burn::store::safetensors_test
