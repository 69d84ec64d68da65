#include <burn/data/gzip.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace burn::data::gzip_test {
namespace {

using ::testing::HasSubstr;

// Made with Python's gzip module (mtime 0).
const char* const kHello = "1f8b08000000000002ffcb48cdc9c95728cf2fca49010085114a0d0b000000";  // "hello world"
const char* const kNamed = "1f8b08080000000002ff612e74787400cb4bcc4d4d010087cce07105000000";  // "named", with a name
const char* const kEmpty = "1f8b08000000000002ff03000000000000000000";                        // ""

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string unpacked(const std::string& hex, std::uint64_t limit = 1'000'000) {
    const std::vector<std::byte> bytes = bytes::from_hex(hex);
    return text_of(GzipReader::from_memory(bytes, "a.gz").read_all(limit));
}

std::string fault_of(const std::string& hex, std::uint64_t limit = 1'000'000) {
    return message_of(ErrorKind::Parse, [&] { unpacked(hex, limit); });
}

/// One million zeros in 1003 bytes.
std::string zeros() {
    return "1f8b08000000000002ffedc101010000008220ffaf6e484001" + std::string(1936, '0') + "af069ecb791240420f00";
}

TEST(GzipReader, DecompressesByContent) {
    EXPECT_EQ(unpacked(kHello), "hello world");
    EXPECT_EQ(unpacked(kNamed), "named");
    EXPECT_EQ(unpacked(kEmpty), "");
    EXPECT_EQ(unpacked("68656c6c6f"), "hello");  // not compressed: as it is
    EXPECT_EQ(unpacked(""), "");
    EXPECT_EQ(unpacked("1f"), "\x1f");
    EXPECT_EQ(unpacked(zeros(), 1'000'000), std::string(1'000'000, '\0'));
}

TEST(GzipReader, JoinsMembersAndPassesOverPadding) {
    EXPECT_EQ(unpacked(std::string(kHello) + kEmpty + kNamed), "hello worldnamed");
    EXPECT_EQ(unpacked(std::string(kHello) + std::string(2000, '0') + kNamed + "0000"), "hello worldnamed");
}

TEST(GzipReader, ReadsInPiecesOfAnySize) {
    const std::vector<std::byte> file = bytes::from_hex(std::string(kHello) + kNamed);
    for (std::size_t piece = 1; piece < 20; ++piece) {
        GzipReader reader = GzipReader::from_memory(file);
        std::vector<std::byte> buffer(piece);
        std::string text;
        while (const std::size_t count = reader.read(buffer)) text += text_of(std::span(buffer).first(count));
        EXPECT_EQ(text, "hello worldnamed");
        EXPECT_EQ(reader.read(buffer), 0u);
    }
}

TEST(GzipReader, ReadsFiles) {
    ScratchFolder folder;
    folder.write("a", text_of(bytes::from_hex(kHello)));
    folder.write("b", std::string(200'000, 'x'));
    GzipReader compressed = GzipReader::open(folder.path("a"));
    EXPECT_TRUE(compressed.is_compressed());
    EXPECT_EQ(compressed.name(), folder.path("a"));
    EXPECT_EQ(text_of(compressed.read_all(11)), "hello world");
    GzipReader plain = GzipReader::open(folder.path("b"));
    EXPECT_FALSE(plain.is_compressed());
    EXPECT_EQ(plain.most_left(), 200'000u);
    EXPECT_EQ(text_of(plain.read_all(200'000)), std::string(200'000, 'x'));
    EXPECT_EQ(plain.most_left(), 0u);
}

TEST(GzipReader, LimitsWhatItReturns) {
    EXPECT_EQ(fault_of(kHello, 10), "gzip: a.gz: the content is larger than 10 bytes");
    EXPECT_EQ(unpacked(kHello, 11), "hello world");
    EXPECT_THAT(fault_of(zeros(), 999'999), HasSubstr("larger than 999999 bytes"));
    const std::vector<std::byte> bomb = bytes::from_hex(zeros());
    EXPECT_GE(GzipReader::from_memory(bomb).most_left(), 1'000'000u);
    EXPECT_LE(GzipReader::from_memory(bomb).most_left(), 1'100'000u);
}

TEST(GzipReader, CutOffAnywhereIsAParseErrorNamingTheFile) {
    const std::string hex = kNamed;
    for (std::size_t size = 4; size < hex.size(); size += 2) {
        EXPECT_EQ(fault_of(hex.substr(0, size)), "gzip: a.gz: the file is cut off") << size / 2;
    }
}

TEST(GzipReader, DamageIsAParseErrorNamingTheFile) {
    const auto changed = [](std::size_t byte, const char* to) { return std::string(kHello).replace(2 * byte, 2, to); };
    EXPECT_EQ(fault_of(changed(23, "84")), "gzip: a.gz: the file is damaged (incorrect data check)");    // the checksum
    EXPECT_EQ(fault_of(changed(27, "0c")), "gzip: a.gz: the file is damaged (incorrect length check)");  // the length
    EXPECT_THAT(fault_of(changed(2, "07")), HasSubstr("unknown compression method"));
    EXPECT_THAT(fault_of(changed(10, "ff")), HasSubstr("the file is damaged"));  // a block type that does not exist
    EXPECT_EQ(fault_of(std::string(kHello) + "00ff"), "gzip: a.gz: other bytes follow the compressed ones");
    EXPECT_THAT(fault_of(std::string(kHello) + "1fff"), HasSubstr("the file is damaged"));
}

TEST(GzipReader, WhatCannotBeReadIsAnIoError) {
    ScratchFolder folder;
    const auto message = [](const std::string& path) {
        return message_of(ErrorKind::Io, [&] { GzipReader::open(path); });
    };
    EXPECT_EQ(message(folder.path("none")), "cannot read " + folder.path("none") + ": No such file or directory");
    EXPECT_THAT(message(folder.path("")), HasSubstr("it is a folder"));
    ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
    EXPECT_THAT(message(folder.path("pipe")), HasSubstr("not a regular file"));
}

TEST(GzipReader, MovedFromIsAnError) {
    const std::vector<std::byte> bytes = bytes::from_hex(kHello);
    GzipReader reader = GzipReader::from_memory(bytes, "a.gz");
    GzipReader taken = std::move(reader);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(reader.name(), ArgumentError);
    EXPECT_THROW(reader.is_compressed(), ArgumentError);
    EXPECT_THROW(reader.most_left(), ArgumentError);
    EXPECT_THROW(reader.read_all(100), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_EQ(text_of(taken.read_all(100)), "hello world");
}

}  // namespace
}  // namespace burn::data::gzip_test
