#include <burn/data/idx.h>

#include "tests/support/bytes.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

namespace burn::data::idx_test {
namespace {

using ::testing::HasSubstr;

// U8 [2, 2, 3] of 0 to 11, and the same through Python's gzip module.
const char* const kPlain = "00000803000000020000000200000003000102030405060708090a0b";
const char* const kGzip = "1f8b08000000000002ff6360e0606660606082626606462666165636760e4e2e6e00781e23841c000000";

TensorData from_hex(const std::string& hex) { return read_idx(bytes::from_hex(hex), "a-idx"); }

std::string fault_of(const std::string& hex) {
    return message_of(ErrorKind::Parse, [&] { from_hex(hex); });
}

TEST(ReadIdx, ReadsImagesPlainAndCompressed) {
    ScratchFolder folder;
    std::vector<std::byte> expected;
    for (int i = 0; i < 12; ++i) expected.push_back(static_cast<std::byte>(i));
    for (const char* hex : {kPlain, kGzip}) {
        const std::vector<std::byte> bytes = bytes::from_hex(hex);
        folder.write("images", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        for (const TensorData& data : {from_hex(hex), read_idx(folder.path("images"))}) {
            EXPECT_EQ(data.shape(), Shape({2, 2, 3}));
            EXPECT_EQ(data.dtype(), DType::U8);
            EXPECT_EQ(bytes::copy(data.bytes()), expected);
        }
    }
}

TEST(ReadIdx, ReadsEveryTypeBigEndian) {
    EXPECT_EQ(from_hex("0000090100000002"
                       "ff7f"),
              TensorData::from<std::int8_t>({-1, 127}));
    EXPECT_EQ(from_hex("00000b0100000002"
                       "fffe0102"),
              TensorData::from<std::int16_t>({-2, 258}));
    EXPECT_EQ(from_hex("00000c0100000001"
                       "01020304"),
              TensorData::from<std::int32_t>({16909060}));
    EXPECT_EQ(from_hex("00000d0100000002"
                       "3f800000c0200000"),
              TensorData::from<float>({1.0f, -2.5f}));
    EXPECT_EQ(from_hex("00000e0100000001"
                       "3ff8000000000000"),
              TensorData::from<double>({1.5}));
}

TEST(ReadIdx, SizesOfZeroHoldNothing) {
    EXPECT_EQ(from_hex("0000080200000000ffffffff").shape(), Shape({0, 4294967295}));
}

TEST(ReadIdx, MalformedFilesAreNamed) {
    EXPECT_EQ(fault_of(""), "idx: a-idx: the file is too short for IDX");
    EXPECT_THAT(fault_of("3c68746d6c3e"), HasSubstr("begins with bytes 60 104 116 109; expected 0 0"));
    EXPECT_THAT(fault_of("00000a0100000000"), HasSubstr("unknown type 10; expected 8, 9"));
    EXPECT_THAT(fault_of("00000800"), HasSubstr("0 axes; expected 1 to 8"));
    EXPECT_THAT(fault_of("00000809" + std::string(72, '0')), HasSubstr("9 axes; expected 1 to 8"));
    EXPECT_THAT(fault_of("00000802"
                         "00000001"
                         "0000"),
                HasSubstr("ends inside the sizes"));
    EXPECT_THAT(fault_of("0000080100000002"
                         "010203"),
                HasSubstr("more bytes follow the values; expected 2 for u8 [2]"));
    EXPECT_THAT(fault_of("0000080100000004"
                         "010203"),
                HasSubstr("4 bytes of u8 [4] are more than a file of this size can hold"));
    // Nothing to hold, but sizes that no tensor can have.
    EXPECT_THAT(fault_of("000008030000000004036790e0634ef9"), HasSubstr("are too large"));
}

TEST(ReadIdx, CompressedOnesToo) {
    // The same header for [2, 2, 4], compressed by Python's gzip module: four values are missing.
    const std::string hex = "1f8b08000000000002ff6360e0606660606082621606462666165636760e4e2e6e00201850f91c000000";
    EXPECT_THAT(fault_of(hex), HasSubstr("the values end after 12 bytes; expected 16 for u8 [2, 2, 4]"));
    EXPECT_EQ(fault_of(std::string(kGzip).substr(0, 60)), "gzip: a-idx: the file is cut off");
}

TEST(ReadIdx, ClaimedSizesAllocateNothing) {
    EXPECT_THAT(fault_of("00000803"
                         "7fffffff"
                         "7fffffff"
                         "7fffffff"),
                HasSubstr("too large"));
    EXPECT_THAT(fault_of("00000e02"
                         "ffffffff"
                         "ffffffff"),
                HasSubstr("too large"));
    // 2^32 * 2^32 is 0 in 64 bits; a size of 0 hides no such product.
    EXPECT_THAT(fault_of("00000804"
                         "80000000"
                         "80000000"
                         "80000000"
                         "00000000"),
                HasSubstr("too large"));
    EXPECT_THAT(fault_of("00000802"
                         "00100000"
                         "00100000"),
                HasSubstr("more than a file of this size can hold"));
}

TEST(ReadIdx, CutOffAnywhereIsAParseError) {
    for (const std::string hex : {kPlain, kGzip}) {
        for (std::size_t size = 0; size < hex.size(); size += 2)
            EXPECT_THROW(from_hex(hex.substr(0, size)), ParseError) << size;
    }
}

}  // namespace
}  // namespace burn::data::idx_test
