#include <burn/module/config.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace burn::config_test {
namespace {

enum class Mode { Fast, Exact };
BURN_ENUM_NAMES(Mode, Fast, Exact)
static_assert(NamedEnum<Mode> && !NamedEnum<int>);

struct BlockConfig {
    Required<std::int64_t> width;
    Required<std::array<int, 2>> kernel;
    std::array<int, 2> stride = kernel;
    std::int64_t hidden = 4 * width;
    std::optional<double> rate = {};
    Mode mode = Mode::Exact;
    BURN_CONFIG(BlockConfig, width, kernel, stride, hidden, rate, mode)
};

struct NetConfig {
    Required<BlockConfig> block;
    std::string name = "net";
    BURN_CONFIG(NetConfig, block, name)
};

struct EmptyConfig {
    int none = 0;
    BURN_CONFIG(EmptyConfig, none)
};

template <class C, class... Parts>
concept Braces = requires(Parts... parts) { C{parts...}; };
static_assert(!Braces<BlockConfig> && !Braces<BlockConfig, int>, "required fields cannot be left out");
static_assert(Braces<BlockConfig, int, std::array<int, 2>>);
static_assert(!Braces<NetConfig> && Braces<NetConfig, BlockConfig>);

TEST(Config, TakesDefaultsFromOtherFields) {
    const BlockConfig config{.width = 8, .kernel = {3, 5}};
    EXPECT_EQ(config.stride, (std::array{3, 5}));
    EXPECT_EQ(config.hidden, 32);
    EXPECT_FALSE(config.rate.has_value());
    EXPECT_EQ(config.width + 1, 9);
    EXPECT_EQ((*config.kernel)[1], 5);
    EXPECT_EQ(config.kernel->size(), 2u);
}

TEST(Config, HasABuilderForEachField) {
    const BlockConfig config{8, std::array{3, 3}};
    const BlockConfig other = config.with_rate(0.5).with_mode(Mode::Fast).with_width(9);
    EXPECT_EQ(other.width, 9);
    EXPECT_EQ(other.rate, 0.5);
    EXPECT_EQ(other.mode, Mode::Fast);
    EXPECT_EQ(other.hidden, 32) << "defaults are computed once";
    EXPECT_EQ(config.width, 8);
    EXPECT_NE(config, other);
    EXPECT_EQ(config, (BlockConfig{8, std::array{3, 3}}));
    EXPECT_EQ(NetConfig{config}.with_name("other").block->mode, Mode::Exact);
}

TEST(Config, ShowsItsFieldsByName) {
    BlockConfig config{8, std::array{3, 3}};
    std::vector<std::string> names;
    for_each_config_field(config, [&names]<class T>(const char* name, T& field) {
        names.push_back(std::string(name) + (is_required<T> ? "!" : ""));
        if constexpr (std::is_same_v<T, std::int64_t>) field = 7;
    });
    EXPECT_THAT(names, testing::ElementsAre("width!", "kernel!", "stride", "hidden", "rate", "mode"));
    EXPECT_EQ(config.hidden, 7);
    EXPECT_THAT(BlockConfig::kFieldNames,
                testing::ElementsAre(testing::StrEq("width"), testing::StrEq("kernel"), testing::StrEq("stride"),
                                     testing::StrEq("hidden"), testing::StrEq("rate"), testing::StrEq("mode")));
    EXPECT_STREQ(BlockConfig::kConfigName, "BlockConfig");
}

/// Gives every required number the value 6, and the rest accordingly.
struct Sixes {
    std::vector<std::size_t> asked;

    template <class T>
    T required(std::size_t index) {
        asked.push_back(index);
        if constexpr (std::is_same_v<T, std::int64_t>) {
            return 6;
        } else if constexpr (Config<T>) {
            return make_config<T>(*this);
        } else {
            return {6, 6};
        }
    }
};

TEST(MakeConfig, ReadsRequiredFieldsBeforeDefaultsUseThem) {
    Sixes reader;
    const auto config = make_config<BlockConfig>(reader);
    EXPECT_EQ(config.hidden, 24);
    EXPECT_EQ(config.stride, (std::array{6, 6}));
    EXPECT_THAT(reader.asked, testing::ElementsAre(0, 1));
    EXPECT_EQ(make_config<NetConfig>(reader).block->hidden, 24);
    EXPECT_EQ(make_config<EmptyConfig>(reader).none, 0);
}

TEST(NamedEnum, HasNames) {
    EXPECT_STREQ(name_of(Mode::Exact), "Exact");
    EXPECT_EQ(enum_names(Mode()).size(), 2u);
}

static_assert(!std::is_constructible_v<Required<std::int64_t>, double>, "a fraction is no integer");
static_assert(std::is_constructible_v<Required<double>, int>);

TEST(Config, NamesIntegersThatAFieldDoesNotHaveAsTheyWereGiven) {
    const auto fault = [](auto make) {
        try {
            make();
        } catch (const ArgumentError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(fault([&] { return BlockConfig{kMost, std::array{3, 3}}; }),
              "a required field is 18446744073709551615; expected -9223372036854775808 to 9223372036854775807");
    const BlockConfig config{8, std::array{3, 3}};
    EXPECT_EQ(fault([&] { return config.with_width(kMost); }),
              "width is 18446744073709551615; expected -9223372036854775808 to 9223372036854775807");
    EXPECT_EQ(fault([&] { return config.with_hidden(std::uint64_t{1} << 63); }),
              "hidden is 9223372036854775808; expected -9223372036854775808 to 9223372036854775807");
    EXPECT_EQ(config.with_hidden(7u).hidden, 7);
}

}  // namespace
}  // namespace burn::config_test
