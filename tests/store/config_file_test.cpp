#include <burn/store/config_file.h>

#include <burn/nn/linear.h>
#include <burn/optim/adam.h>

#include "tests/support/bytes.h"
#include "tests/support/sample_config.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

namespace burn::config_file_test {
namespace {

using sample::BlockConfig;
using sample::NetConfig;
using sample::Padding;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct PlainConfig {
    int epochs = 5;
    BURN_CONFIG(PlainConfig, epochs)
};

std::string fault_of(std::string_view text) {
    return message_of(ErrorKind::Parse, [&] { config_from_json<NetConfig>(text, "net.json"); });
}

/// A NetConfig whose field `key` is `value`, besides what is required.
std::string with(const std::string& key, const std::string& value) {
    return R"({"first": {"width": 8, "kernel": [3, 5]}, ")" + key + "\": " + value + "}";
}

TEST(ConfigFile, WritesEveryFieldByName) {
    EXPECT_EQ(to_json(BlockConfig{8, std::array{3, 5}}),
              "{\n"
              "  \"width\": 8,\n"
              "  \"kernel\": [3, 5],\n"
              "  \"hidden\": 32,\n"
              "  \"rate\": null,\n"
              "  \"padding\": \"Same\"\n"
              "}");
    EXPECT_THAT(to_json(sample::net_config()), HasSubstr("\"epsilon\": 0.1,"));
}

TEST(ConfigFile, WhatIsWrittenIsReadBack) {
    ScratchFolder folder;
    EXPECT_EQ(config_from_json<NetConfig>(to_json(sample::net_config())), sample::net_config());
    save_config(sample::net_config(), folder.path("net.json"));
    EXPECT_EQ(load_config<NetConfig>(folder.path("net.json")), sample::net_config());
    EXPECT_EQ(folder.count(), 1u);
}

TEST(ConfigFile, FieldsWithDefaultsMayBeLeftOut) {
    const auto config = config_from_json<NetConfig>(R"({"first": {"kernel": [3, 5], "width": 8}})");
    EXPECT_EQ(config, NetConfig(BlockConfig{8, std::array{3, 5}}));
    EXPECT_EQ(config.first->hidden, 32) << "a default may depend on other fields";
    EXPECT_EQ(config_from_json<PlainConfig>("{}"), PlainConfig());
    EXPECT_EQ(config_from_json<BlockConfig>(R"({"width": 8, "kernel": [3, 5], "rate": null})").rate, std::nullopt);
}

TEST(ConfigFile, UnknownAndMissingKeysAreListed) {
    EXPECT_EQ(fault_of(R"({"frist": 1, "bais": true, "whatever": 0})"),
              "config: \"net.json\": NetConfig: unknown key \"frist\" (did you mean \"first\"?); unknown key \"bais\" "
              "(did you "
              "mean \"bias\"?); unknown key \"whatever\"; missing key \"first\"");
    EXPECT_EQ(fault_of(R"({"first": {"width": 8, "kernal": [3, 3]}})"),
              "config: \"net.json\": key \"first\": BlockConfig: unknown key \"kernal\" (did you mean \"kernel\"?); "
              "missing key "
              "\"kernel\"");
}

TEST(ConfigFile, WrongValuesNameTheirKey) {
    EXPECT_EQ(fault_of("[1]"), "config: \"net.json\": expected an object (NetConfig), found a list of 1");
    EXPECT_EQ(fault_of(with("more", R"([{"width": 1, "kernel": [3, "x"]}])")),
              "config: \"net.json\": key \"more.0.kernel.1\": expected an integer from -2147483648 to 2147483647, "
              "found the text \"x\"");
    EXPECT_THAT(fault_of(with("more", R"([{"width": 1, "kernel": [3]}])")),
                HasSubstr("key \"more.0.kernel\": expected a list of 2, found a list of 1"));
    EXPECT_THAT(fault_of(with("more", "{}")), HasSubstr("key \"more\": expected a list, found an object"));
    EXPECT_THAT(fault_of(with("name", "3")), HasSubstr("key \"name\": expected a text, found the number 3"));
    EXPECT_THAT(fault_of(with("bias", "1")), HasSubstr("key \"bias\": expected true or false, found the number 1"));
    EXPECT_THAT(fault_of(with("seed", "-1")),
                HasSubstr("key \"seed\": expected an integer from 0 to 18446744073709551615, found the number -1"));
    EXPECT_THAT(fault_of(with("small", "256")),
                HasSubstr("key \"small\": expected an integer from 0 to 255, found the number 256"));
    EXPECT_THAT(fault_of(with("small", "1.0")), HasSubstr("found the number 1.0"));
    EXPECT_THAT(fault_of(with("epsilon", "1e39")), HasSubstr("key \"epsilon\": expected a smaller number"));
    EXPECT_THAT(fault_of(with("epsilon", "\"big\"")),
                HasSubstr("key \"epsilon\": expected a number, found the text \"big\""));
    EXPECT_THAT(fault_of(with("table", "[[1], 2]")), HasSubstr("key \"table.1\": expected a list, found the number 2"));
    EXPECT_THAT(fault_of(with("more", R"([{"width": 1, "kernel": [3, 3], "padding": "same"}])")),
                HasSubstr("key \"more.0.padding\": expected one of \"Valid\", \"Same\", \"Explicit\", found the text "
                          "\"same\" (did you mean \"Same\"?)"));
}

TEST(ConfigFile, NumbersOfOtherFormsFit) {
    EXPECT_EQ(config_from_json<NetConfig>(with("epsilon", "1")).epsilon, 1.0f);
    EXPECT_EQ(config_from_json<NetConfig>(with("epsilon", "18446744073709551615")).epsilon, 18446744073709551615.0f);
    EXPECT_TRUE(std::isnan(config_from_json<NetConfig>(with("epsilon", "\"nan\"")).epsilon));
    EXPECT_EQ(config_from_json<NetConfig>(with("epsilon", "\"inf\"")).epsilon, HUGE_VALF);
}

TEST(ConfigFile, LayersAndOptimisersHaveAForm) {
    const auto linear = nn::LinearConfig{784, 10}.with_bias(false).with_layout(nn::LinearLayout::Col);
    EXPECT_EQ(config_from_json<nn::LinearConfig>(to_json(linear)), linear);
    const auto adam =
        optim::AdamConfig().with_weight_decay(0.01).with_gradient_clipping(optim::GradientClipping::norm(1));
    EXPECT_EQ(config_from_json<optim::AdamConfig>(to_json(adam)), adam);
    EXPECT_THAT(to_json(adam), AllOf(HasSubstr("\"epsilon\": 1e-05"), HasSubstr("\"kind\": \"Norm\"")));
}

TEST(ConfigFile, FilesThatAreNoJsonOrNotThereAreNamed) {
    ScratchFolder folder;
    folder.write("net.json", "{\"first\": ");
    EXPECT_THAT(message_of(ErrorKind::Parse, [&] { load_config<NetConfig>(folder.path("net.json")); }),
                HasSubstr("json: \"" + folder.path("net.json") + "\": line 1"));
    EXPECT_THAT(message_of(ErrorKind::Io, [&] { load_config<NetConfig>(folder.path("none.json")); }),
                HasSubstr("No such file"));
}

}  // namespace
}  // namespace burn::config_file_test
