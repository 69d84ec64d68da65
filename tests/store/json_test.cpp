#include <burn/store/json.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace burn::store::json_test {
namespace {

using ::testing::HasSubstr;

std::string fault_of(std::string_view text) {
    return message_of(ErrorKind::Parse, [&] { parse_json(text, "a.json"); });
}

TEST(ParseJson, GivesValuesWithAllTheirBits) {
    EXPECT_EQ(parse_json("null"), Json());
    EXPECT_EQ(parse_json(" true\n"), Json(true));
    EXPECT_EQ(parse_json("-9223372036854775808"), Json(std::numeric_limits<std::int64_t>::min()));
    EXPECT_EQ(parse_json("9223372036854775807"), Json(std::numeric_limits<std::int64_t>::max()));
    EXPECT_EQ(parse_json("18446744073709551615"), Json(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_EQ(parse_json("1.0"), Json(1.0));
    EXPECT_EQ(parse_json("1e-3"), Json(0.001));
    EXPECT_EQ(parse_json(R"("a\u00e9\n")"), Json("a\xc3\xa9\n"));
    EXPECT_EQ(parse_json("[1, [2.5, \"x\"], {}]"),
              Json(Json::List{std::int64_t{1}, Json::List{2.5, "x"}, Json::Object()}));
    const Json object = parse_json(R"({"b": 1, "a": {"c": null}})");
    EXPECT_EQ((*object.as<Json::Object>())[0].key, "b") << "in the order of the text";
    EXPECT_EQ(*object.find("a")->find("c"), Json());
    EXPECT_EQ(object.find("c"), nullptr);
    EXPECT_EQ(Json(1.0).find("c"), nullptr);
}

TEST(ParseJson, FaultsSayWhere) {
    EXPECT_THAT(fault_of("{\n  \"a\": 1,\n  \"b\": }"),
                HasSubstr("json: \"a.json\": line 3, column 8: not valid JSON"));
    EXPECT_THAT(fault_of(""), HasSubstr("line 1, column 1: not valid JSON"));
    EXPECT_THAT(fault_of("[1, 2"), HasSubstr("not valid JSON"));
    EXPECT_THAT(fault_of("{} x"), HasSubstr("line 1, column 4"));
    EXPECT_THAT(fault_of("[1,]"), HasSubstr("not valid JSON"));
    EXPECT_THAT(fault_of("\"\xff\""), HasSubstr("not valid JSON"));
    EXPECT_THAT(fault_of(std::string_view("{}\0{}", 5)), HasSubstr("column 3: not valid JSON: a zero byte"));
    EXPECT_THAT(fault_of(R"({"a": 1, "a": 2})"), HasSubstr("the key \"a\" occurs twice"));
    EXPECT_THAT(fault_of("1e999"), HasSubstr("not valid JSON"));
    EXPECT_THAT(fault_of(std::string(100'000, '[')), HasSubstr("nested too deeply"));
    EXPECT_THAT(fault_of(std::string((16 << 20) + 1, ' ')), HasSubstr("larger than 16 MiB"));
}

TEST(Json, WritesWhatItReads) {
    const std::string text =
        "{\n"
        "  \"name\": \"q\\\"\\\\\\n\\u0001\xc3\xa9\",\n"
        "  \"list\": [1, -2.5, true, null, 1e+300],\n"
        "  \"none\": {},\n"
        "  \"empty\": [],\n"
        "  \"objects\": [\n"
        "    {\n"
        "      \"a\": 18446744073709551615\n"
        "    },\n"
        "    3.0\n"
        "  ]\n"
        "}";
    EXPECT_EQ(parse_json(text).text(), text);
    EXPECT_EQ(parse_json(parse_json(text).text(4)), parse_json(text));
}

TEST(Json, WritesTheShortestNumbersThatComeBack) {
    EXPECT_EQ(Json(0.1).text(), "0.1");
    EXPECT_EQ(Json(1.0).text(), "1.0");
    EXPECT_EQ(Json(-0.0).text(), "-0.0");
    EXPECT_EQ(Json(1.0 / 3).text(), "0.3333333333333333");
    EXPECT_EQ(Json(HUGE_VAL).text(), "\"inf\"");
    EXPECT_EQ(Json(-HUGE_VAL).text(), "\"-inf\"");
    EXPECT_EQ(Json(std::nan("")).text(), "\"nan\"");
    EXPECT_THROW(Json("\xff").text(), ArgumentError);
}

TEST(Json, DescribesItselfForMessages) {
    EXPECT_EQ(Json().description(), "null");
    EXPECT_EQ(Json(false).description(), "false");
    EXPECT_EQ(Json(std::uint64_t{3}).description(), "the number 3");
    EXPECT_EQ(Json(2.5).description(), "the number 2.5");
    EXPECT_EQ(Json("x").description(), "the text \"x\"");
    EXPECT_EQ(Json(Json::List(2)).description(), "a list of 2");
    EXPECT_EQ(Json(Json::Object()).description(), "an object");
}

TEST(Json, FilesAreReadAndWrittenWhole) {
    ScratchFolder folder;
    write_json(folder.path("a.json"), Json(Json::List{std::int64_t{1}}));
    EXPECT_EQ(folder.read("a.json"), "[1]\n");
    EXPECT_EQ(read_json(folder.path("a.json")), Json(Json::List{std::int64_t{1}}));
    EXPECT_THROW(read_json(folder.path("none.json")), IoError);
    folder.write("bad.json", "{");
    EXPECT_THAT(message_of(ErrorKind::Parse, [&] { read_json(folder.path("bad.json")); }),
                HasSubstr(folder.path("bad.json")));
    std::filesystem::resize_file(folder.path("bad.json"), (16 << 20) + 1);
    EXPECT_THAT(message_of(ErrorKind::Parse, [&] { read_json(folder.path("bad.json")); }),
                HasSubstr("larger than 16 MiB"));
}

}  // namespace
}  // namespace burn::store::json_test
