#include <burn/store/safetensors_extras.h>

#include <burn/store/safetensors.h>

#include "tests/support/bytes.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace burn::store::safetensors_extras_test {
namespace {

using ::testing::HasSubstr;

TensorFile written_and_opened(const TensorFileContents& contents) {
    return open_safetensors(ByteSource::own(safetensors_bytes(contents)));
}

TEST(SafetensorsExtras, IdsAndScalarsComeBackBitForBit) {
    TensorFileContents contents;
    contents.tensors.push_back({"w", TensorData(), std::numeric_limits<std::uint64_t>::max()});
    contents.tensors.push_back({"b", TensorData()});
    contents.metadata = {{"note", "x"}};
    contents.scalars = {{"step", std::int64_t{-3}},
                        {"seed", std::numeric_limits<std::uint64_t>::max()},
                        {"lr", 0.1},
                        {"tiny", std::numeric_limits<double>::denorm_min()},
                        {"zero", -0.0},
                        {"inf", -std::numeric_limits<double>::infinity()},
                        {"on", true},
                        {"off", false}};
    const TensorFile file = written_and_opened(contents);
    EXPECT_EQ(file.find("w")->param_id, std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(file.find("b")->param_id, std::nullopt);
    EXPECT_EQ(file.metadata(), contents.metadata);
    EXPECT_EQ(file.scalars(), contents.scalars);
    EXPECT_TRUE(std::signbit(std::get<double>(file.scalars().at("zero"))));
}

TEST(SafetensorsExtras, NotANumberStaysOne) {
    const TensorFile file = written_and_opened({.tensors = {}, .metadata = {}, .scalars = {{"nan", std::nan("")}}});
    EXPECT_TRUE(std::isnan(std::get<double>(file.scalars().at("nan"))));
}

TEST(SafetensorsExtras, ReservedKeysOfTheCallerAreRefused) {
    EXPECT_THAT(message_of(ErrorKind::Argument,
                           [] { safetensors_bytes({.tensors = {}, .metadata = {{"burn.scalar.x", "1"}}}); }),
                HasSubstr("the metadata has the key \"burn.scalar.x\""));
}

TEST(SafetensorsExtras, DamagedOnesAreParseErrors) {
    const auto fault = [](const std::string& metadata) {
        const std::string header = "{\"__metadata__\":{" + metadata + "}}";
        const std::string file = bytes::join({bytes::little<std::uint64_t>(header.size()), header});
        return message_of(ErrorKind::Parse, [&] { open_safetensors(ByteSource::borrow(bytes::of(file))); });
    };
    EXPECT_THAT(fault(R"("burn.param_id.w":"1")"), HasSubstr("\"burn.param_id.w\" belongs to no tensor"));
    EXPECT_THAT(fault(R"("burn.scalar.x":"Int 1.5")"),
                HasSubstr("\"burn.scalar.x\" is \"Int 1.5\"; expected a type and a number"));
    EXPECT_THAT(fault(R"("burn.scalar.x":"UInt -1")"), HasSubstr("expected a type and a number"));
    EXPECT_THAT(fault(R"("burn.scalar.x":"Int 9223372036854775808")"), HasSubstr("expected a type and a number"));
    EXPECT_THAT(fault(R"("burn.scalar.x":"Bool 1")"), HasSubstr("expected a type and a number"));
}

TEST(SafetensorsExtras, ADamagedIdNamesItsTensor) {
    const std::string header =
        R"({"__metadata__":{"burn.param_id.w":"-1"},"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})";
    const std::string file = bytes::join({bytes::little<std::uint64_t>(header.size()), header});
    EXPECT_THAT(message_of(ErrorKind::Parse, [&] { open_safetensors(ByteSource::borrow(bytes::of(file))); }),
                HasSubstr("\"burn.param_id.w\" is \"-1\"; expected an integer"));
}

}  // namespace
}  // namespace burn::store::safetensors_extras_test
