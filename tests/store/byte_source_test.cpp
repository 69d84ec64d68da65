#include <burn/store/byte_source.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace burn::store::byte_source_test {
namespace {

using ::testing::HasSubstr;

std::string read_text(const ByteSource& source, std::uint64_t offset, std::size_t size) {
    std::string out(size, '\0');
    source.read(offset, std::as_writable_bytes(std::span(out)));
    return out;
}

TEST(ByteSource, ReadsPiecesOfFilesAndMemory) {
    ScratchFolder folder;
    folder.write("a", "0123456789");
    const std::string memory = "0123456789";
    for (const ByteSource& source : {ByteSource::open(folder.path("a")), ByteSource::borrow(bytes::of(memory)),
                                     ByteSource::own(bytes::copy(bytes::of(memory)))}) {
        EXPECT_EQ(source.size(), 10u);
        EXPECT_EQ(read_text(source, 3, 4), "3456");
        EXPECT_EQ(read_text(source, 10, 0), "");
        EXPECT_THROW(read_text(source, 8, 3), InternalError);
        EXPECT_THROW(read_text(source, ~std::uint64_t{0}, 2), InternalError);
    }
    EXPECT_EQ(ByteSource::open(folder.path("a")).name(), folder.path("a"));
}

TEST(ByteSource, WhatCannotBeReadIsAnIoErrorWithPathAndReason) {
    ScratchFolder folder;
    const auto message = [&](const std::string& path) {
        return message_of(ErrorKind::Io, [&] { ByteSource::open(path); });
    };
    EXPECT_EQ(message(folder.path("none")), "cannot read \"" + folder.path("none") + "\": No such file or directory");
    EXPECT_THAT(message(folder.path("")), HasSubstr("it is a folder"));
    EXPECT_THAT(message("/dev/zero"), HasSubstr("not a regular file"));
    ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
    EXPECT_THAT(message(folder.path("pipe")), HasSubstr("not a regular file"));  // and does not wait for a writer
}

TEST(ByteSource, AFileCutShortMeanwhileIsAnIoError) {
    ScratchFolder folder;
    folder.write("a", std::string(10'000, 'x'));
    const ByteSource source = ByteSource::open(folder.path("a"));
    folder.write("a", "short");
    EXPECT_THAT(message_of(ErrorKind::Io, [&] { read_text(source, 0, 10'000); }),
                HasSubstr("shorter while it was read"));
}

TEST(ByteSource, MovedFromIsAnError) {
    ByteSource source = ByteSource::own(bytes::from_hex("6162"));
    const ByteSource taken = std::move(source);
    // NOLINTBEGIN(bugprone-use-after-move): that is the question
    EXPECT_THROW(source.name(), ArgumentError);
    EXPECT_THROW(source.size(), ArgumentError);
    EXPECT_THROW(read_text(source, 0, 1), ArgumentError);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_EQ(read_text(taken, 0, 2), "ab");
}

}  // namespace
}  // namespace burn::store::byte_source_test
