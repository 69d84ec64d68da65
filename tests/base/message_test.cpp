#include <burn/base/message.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace burn::message_test {
namespace {

TEST(Message, WritesEveryKindOfPiece) {
    Message message;
    message << "x" << ' ' << 3 << ' ' << -4 << ' ' << true << ' ' << 0.5 << ' ' << std::uint8_t{200} << ' '
            << std::int8_t{-100};
    EXPECT_STREQ(message.text(), "x 3 -4 true 0.5 200 -100");
    EXPECT_EQ(message.size(), 24u);
}

TEST(Message, WritesTheExtremesOfIntegers) {
    EXPECT_STREQ((Message() << INT64_MIN).text(), "-9223372036854775808");
    EXPECT_STREQ((Message() << UINT64_MAX).text(), "18446744073709551615");
    EXPECT_STREQ((Message() << 0).text(), "0");
}

TEST(Message, WritesNumbersThatReadBackTheSame) {
    for (double value : {0.1, 1e300, -2.5e-300, 1.0 / 3, std::numeric_limits<double>::denorm_min()}) {
        EXPECT_EQ(std::strtod((Message() << value).text(), nullptr), value);
    }
    EXPECT_STREQ((Message() << std::numeric_limits<double>::infinity()).text(), "inf");
}

TEST(Message, CutsWhatDoesNotFitAndSaysSo) {
    Message message;
    for (int i = 0; i < 200; ++i) message << "0123456789";
    const std::string text = message.text();
    EXPECT_EQ(text.size(), Message::kCapacity - 1);
    EXPECT_EQ(text.substr(text.size() - 4), "9...");
    message << "more";
    EXPECT_EQ(message.text(), text);
}

TEST(Message, FillsItsCapacityToTheLastCharacter) {
    Message message;
    const std::string exact(Message::kCapacity - 1, 'a');
    message.append(exact.data(), exact.size());
    EXPECT_EQ(message.text(), exact);
}

TEST(Message, AppendsCharactersWithoutAnEnd) {
    Message message;
    message.append("abcdef", 3);
    EXPECT_STREQ(message.text(), "abc");
}

}  // namespace
}  // namespace burn::message_test
