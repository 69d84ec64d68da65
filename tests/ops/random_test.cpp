#include <burn/ops/random.h>

#include <burn/backends/ndarray/ndarray.h>
#include <burn/base/parallel.h>
#include <burn/core/philox.h>
#include <burn/decorators/autodiff/autodiff.h>
#include <burn/ops/engine.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace burn::random_test {
namespace {

ops::Engine& seeded(std::uint64_t key, std::uint64_t counter = 0) {
    ops::Engine& engine = NdArray::engine(0);
    engine.set_random_state({key, counter});
    return engine;
}

TensorData draw(ops::Engine& engine, const Shape& shape, DType dtype, const Distribution& distribution) {
    return engine.read(ops::random(engine, shape, dtype, distribution)).wait();
}

double mean_of(const TensorData& data) {
    double sum = 0;
    for (std::int64_t i = 0; i < data.numel(); ++i) sum += data.at(i);
    return sum / static_cast<double>(data.numel());
}

// The first words of key 0 are published (see philox_test); the upper 24 bits over 2^24 are exact in f32.
TEST(Random, UniformIsTheUpperBitsOfTheStream) {
    const TensorData data = draw(seeded(0), {3}, DType::F32, Distribution::uniform());
    EXPECT_EQ(data.values<float>()[0], static_cast<float>(0x6627e8) * 0x1p-24f);
    EXPECT_EQ(data.values<float>()[1], static_cast<float>(0xe169c5) * 0x1p-24f);
    EXPECT_EQ(data.values<float>()[2], static_cast<float>(0xbc57ac) * 0x1p-24f);
}

TEST(Random, EachTypeKeepsAsManyBitsAsItHolds) {
    EXPECT_EQ(draw(seeded(0), {1}, DType::F64, Distribution::uniform()).at(0),
              static_cast<double>(0xe169c58d6627e8d5u >> 11) * 0x1p-53);
    EXPECT_EQ(draw(seeded(0), {1}, DType::F16, Distribution::uniform()).at(0), (0x6627e8d5u >> 21) * 0x1p-11);
    EXPECT_EQ(draw(seeded(0), {1}, DType::BF16, Distribution::uniform()).at(0), 0x66 * 0x1p-8);
}

TEST(Random, BernoulliComparesWordsWithTheProbability) {
    const TensorData mask = draw(seeded(0), {2, 2}, DType::Bool, Distribution::bernoulli(0.5));
    // 0x66.., 0xe1.., 0xbc.., 0x9b..: only the first is below a half
    EXPECT_EQ(mask, TensorData::from({{true, false}, {false, false}}));
    EXPECT_EQ(draw(seeded(0), {2, 2}, DType::I64, Distribution::bernoulli(0.5)), mask.convert(DType::I64));
    EXPECT_EQ(draw(seeded(0), {2, 2}, DType::F64, Distribution::bernoulli(0.5)), mask.convert(DType::F64));
    EXPECT_EQ(mean_of(draw(seeded(7), {1000}, DType::F32, Distribution::bernoulli(1))), 1);
    EXPECT_EQ(mean_of(draw(seeded(7), {1000}, DType::F32, Distribution::bernoulli(0))), 0);
}

TEST(Random, IntegersScaleTheWord) {
    // floor(0x6627e8d5 * 10 / 2^32) = 3, 0xe169c58d: 8, 0xbc57ac4c: 7, 0x9b00dbd8: 6
    EXPECT_EQ(draw(seeded(0), {4}, DType::I32, Distribution::uniform(-3, 7)), TensorData::from({0, 5, 4, 3}));
    // 64 bits: floor(0xe169c58d.. * 10 / 2^64) = 8, 0x9b00dbd8..: 6
    EXPECT_EQ(draw(seeded(0), {2}, DType::U64, Distribution::uniform(0, 10)),
              TensorData::from({std::uint64_t{8}, std::uint64_t{6}}));
}

TEST(Random, WholeRangesOfIntegersAreDrawn) {
    // A range of 2^64 takes the words as they are.
    EXPECT_EQ(draw(seeded(0), {1}, DType::U64, Distribution::uniform(0, 0x1p64)),
              TensorData::from({std::uint64_t{0xe169c58d6627e8d5}}));
    EXPECT_EQ(draw(seeded(0), {1}, DType::I64, Distribution::uniform(-0x1p63, 0x1p63)),
              TensorData::from({static_cast<std::int64_t>(0x6169c58d6627e8d5)}));
    const TensorData bytes = draw(seeded(3), {20000}, DType::I8, Distribution::uniform(-128, 128));
    const auto values = bytes.values<std::int8_t>();
    EXPECT_EQ(*std::min_element(values.begin(), values.end()), -128);
    EXPECT_EQ(*std::max_element(values.begin(), values.end()), 127);
}

// w0 = 0x6627e8d5, w1 = 0xe169c58d: r = sqrt(-2 ln((w0 + 1/2) / 2^32)) = 1.35549061, t = 2 pi w1 / 2^32 = 5.53247157
TEST(Random, NormalIsBoxMuller) {
    const TensorData data = draw(seeded(0), {3}, DType::F32, Distribution::normal(1, 2));
    EXPECT_NEAR(data.at(0), 2.98227536, 1e-6);   // 1 + 2 r cos t
    EXPECT_NEAR(data.at(1), -0.84932518, 1e-6);  // 1 + 2 r sin t
}

TEST(Random, NormalHasItsMoments) {
    for (DType dtype : {DType::F32, DType::F64, DType::BF16}) {
        const TensorData data = draw(seeded(11), {100000}, dtype, Distribution::normal(-1, 3));
        double second = 0;
        double fourth = 0;
        const double mean = mean_of(data);
        for (std::int64_t i = 0; i < data.numel(); ++i) {
            const double z = (data.at(i) + 1) / 3;
            second += z * z;
            fourth += z * z * z * z;
        }
        // Five standard errors of each moment over 100,000 draws.
        EXPECT_NEAR(mean, -1, 5 * 3 / std::sqrt(1e5)) << name_of(dtype);
        EXPECT_NEAR(second / 1e5, 1, 5 * std::sqrt(2 / 1e5)) << name_of(dtype);
        EXPECT_NEAR(fourth / 1e5, 3, 5 * std::sqrt(96 / 1e5)) << name_of(dtype);
    }
}

TEST(Random, UniformFillsItsRangeEvenly) {
    const TensorData data = draw(seeded(5), {64000}, DType::F32, Distribution::uniform(-2, 6));
    std::vector<int> counts(16);
    for (float value : data.values<float>()) ++counts[static_cast<std::size_t>((value + 2) * 2)];
    double chi = 0;
    for (int count : counts) chi += (count - 4000.0) * (count - 4000.0) / 4000;
    EXPECT_LT(chi, 37.7);  // 15 degrees of freedom, one in a thousand
}

TEST(Random, UniformNeverReachesItsUpperBound) {
    for (DType dtype : {DType::F32, DType::F16, DType::BF16}) {
        // So far from 0 that most sums round: 1024 to 1025 has few numbers in any of the types.
        const TensorData data = draw(seeded(1), {5000}, dtype, Distribution::uniform(1024, 1032));
        for (std::int64_t i = 0; i < data.numel(); ++i) {
            ASSERT_GE(data.at(i), 1024);
            ASSERT_LT(data.at(i), 1032) << name_of(dtype);
        }
    }
    EXPECT_EQ(draw(seeded(1), {2}, DType::F32, Distribution::uniform(3, 3)), TensorData::from({3.0f, 3.0f}));
}

TEST(Random, DefaultDependsOnTheKind) {
    EXPECT_EQ(draw(seeded(9), {9}, DType::F32, {}), draw(seeded(9), {9}, DType::F32, Distribution::uniform(0, 1)));
    EXPECT_EQ(draw(seeded(9), {9}, DType::I64, {}), draw(seeded(9), {9}, DType::I64, Distribution::uniform(0, 256)));
    EXPECT_EQ(draw(seeded(9), {9}, DType::I8, {}), draw(seeded(9), {9}, DType::I8, Distribution::uniform(0, 128)));
    EXPECT_EQ(draw(seeded(9), {9}, DType::Bool, {}), draw(seeded(9), {9}, DType::Bool, Distribution::bernoulli(0.5)));
}

TEST(Random, StreamMovesByWholeBlocks) {
    ops::Engine& engine = seeded(4);
    const TensorData first = draw(engine, {5}, DType::F32, Distribution::uniform());
    EXPECT_EQ(engine.random_state(), (ops::RandomState{4, 2}));
    draw(engine, {5}, DType::F64, Distribution::uniform());
    EXPECT_EQ(engine.random_state(), (ops::RandomState{4, 5}));
    draw(engine, {0, 3}, DType::F32, Distribution::uniform());
    EXPECT_EQ(engine.random_state(), (ops::RandomState{4, 5}));
    const TensorData whole = draw(seeded(4), {2, 4}, DType::F32, Distribution::uniform());
    EXPECT_TRUE(std::equal(first.values<float>().begin(), first.values<float>().end(), whole.values<float>().begin()));
}

TEST(Random, NumbersDoNotDependOnThreadsOrDecorators) {
    const Shape shape{300, 211};
    set_num_threads(1);
    const TensorData alone = draw(seeded(8, 1234567), shape, DType::F32, Distribution::normal());
    set_num_threads(3);
    const TensorData shared = draw(seeded(8, 1234567), shape, DType::F32, Distribution::normal());
    set_num_threads(0);
    EXPECT_EQ(alone, shared);
    seeded(8, 1234567);
    EXPECT_EQ(alone, draw(Autodiff<NdArray>::engine(0), shape, DType::F32, Distribution::normal()));
    EXPECT_EQ(NdArray::engine(0).random_state().counter, 1234567u + 300 * 211 / 4);
}

TEST(Random, RejectsWhatIsNoLaw) {
    const auto fails = [](DType dtype, const Distribution& distribution, ErrorKind kind) {
        ops::Engine& engine = seeded(1, 50);
        try {
            ops::random(engine, {3}, dtype, distribution);
            ADD_FAILURE() << "accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), kind) << error.what();
            EXPECT_EQ(std::string(error.what()).rfind("random: ", 0), 0u) << error.what();
        }
        EXPECT_EQ(engine.random_state().counter, 50u) << "a wrong call moved the stream";
    };
    fails(DType::F32, Distribution::uniform(1, 0), ErrorKind::Argument);
    fails(DType::F32, Distribution::uniform(0, std::nan("")), ErrorKind::Argument);
    fails(DType::F16, Distribution::uniform(0, 1e6), ErrorKind::Argument);
    fails(DType::F32, Distribution::uniform(-3e38, 3e38), ErrorKind::Argument);
    fails(DType::I32, Distribution::uniform(0, 0.5), ErrorKind::Argument);
    fails(DType::U8, Distribution::uniform(-1, 5), ErrorKind::Argument);
    fails(DType::U8, Distribution::uniform(0, 257), ErrorKind::Argument);
    fails(DType::U64, Distribution::uniform(0, 0x1p65), ErrorKind::Argument);
    fails(DType::Bool, Distribution::uniform(0, 1), ErrorKind::DType);
    fails(DType::Bool, Distribution::normal(), ErrorKind::DType);
    fails(DType::I32, Distribution::normal(), ErrorKind::DType);
    fails(DType::F32, Distribution::normal(0, -1), ErrorKind::Argument);
    fails(DType::F32, Distribution::bernoulli(1.5), ErrorKind::Argument);
    EXPECT_THROW(ops::random(NdArray::engine(0), {-1}, DType::F32, {}), ShapeError);
}

}  // namespace
}  // namespace burn::random_test
