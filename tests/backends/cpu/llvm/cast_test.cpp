#include <burn/core/convert.h>

#include "../launch.h"
#include "samples.h"

namespace burn::cpu {
namespace {

/// Every element type into `To`, `lanes` at a time, bit for bit.
template <class From>
void check_casts(const std::vector<From>& values, std::uint16_t lanes, bool any_nan) {
    const std::size_t cubes = (values.size() + lanes - 1) / lanes, padded = cubes * lanes;
    const auto in = std::make_unique<From[]>(padded);
    std::copy(values.begin(), values.end(), in.get());
    kernel::Builder k("casts");
    const kernel::Place x = k.buffer(dtype_of<From>, kernel::Access::Read);
    const kernel::Value at = k.cube_index() * lanes, value = x.load(at, lanes);
    std::vector<std::vector<std::uint64_t>> results(kDTypeCount, std::vector<std::uint64_t>(padded));
    for (int i = 0; i < kDTypeCount; ++i) {
        const kernel::Place out = k.buffer(static_cast<DType>(i), kernel::Access::Write);
        out.store(at, kernel::cast(value, static_cast<DType>(i)));
    }
    Launch launch(k.finish());
    launch.buffer(in.get());
    for (auto& result : results) launch.buffer(result);
    launch.run(0, static_cast<std::int64_t>(cubes));
    for (int i = 0; i < kDTypeCount; ++i) {
        visit_dtype(static_cast<DType>(i), [&](auto zero) {
            using To = decltype(zero);
            int faults = 0;
            for (std::size_t j = 0; j < values.size() && faults < 5; ++j) {
                To got;
                std::memcpy(&got,
                            reinterpret_cast<std::byte*>(results[static_cast<std::size_t>(i)].data()) + j * sizeof(To),
                            sizeof(To));
                const To expected = convert_element<To>(static_cast<From>(values[j]));
                if (bits_of(got) == bits_of(expected) || (any_nan && same_element(got, expected))) continue;
                ++faults;
                ADD_FAILURE() << name_of(dtype_of<From>) << "x" << lanes << " to " << name_of(dtype_of<To>) << ": "
                              << +number_of(static_cast<From>(values[j])) << " gives " << +number_of(got) << " ("
                              << std::hex << bits_of(got) << "), expected " << +number_of(expected) << " ("
                              << bits_of(expected) << ")";
            }
        });
    }
}

template <class T>
class CastTest : public testing::Test {};

using ElementTypes = testing::Types<double, float, f16, bf16, std::int64_t, std::int32_t, std::int16_t, std::int8_t,
                                    std::uint64_t, std::uint32_t, std::uint16_t, std::uint8_t, bool>;
TYPED_TEST_SUITE(CastTest, ElementTypes);

TYPED_TEST(CastTest, FollowsTheRuleOfConvertElement) {
    check_casts(samples<TypeParam>(), 1, false);
    check_casts(samples<TypeParam>(), 3, false);
    on_every_isa([] { check_casts(samples<TypeParam>(), 16, false); });
}

/// All 2^16 patterns of a half type.
template <class T>
std::vector<T> all_halves() {
    std::vector<T> all(1 << 16);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].bits = static_cast<std::uint16_t>(i);
    return all;
}

TEST(CastOfHalves, EveryPatternIsWidened) {
    on_every_isa([] {
        // To f64 a signalling NaN goes through f32, which may quieten it.
        check_casts(all_halves<f16>(), 16, true);
        check_casts(all_halves<bf16>(), 16, true);
    });
}

TEST(CastOfHalves, F32KeepsTheBitsOfEveryNaN) {
    on_every_isa([] {
        std::vector<f16> halves = all_halves<f16>();
        std::vector<float> wide(halves.size());
        kernel::Builder k("widen");
        const kernel::Place x = k.buffer(DType::F16, kernel::Access::Read),
                            y = k.buffer(DType::F32, kernel::Access::Write);
        const kernel::Value at = k.cube_index() * 8;
        y.store(at, kernel::cast(x.load(at, 8), DType::F32));
        Launch(k.finish()).buffer(halves).buffer(wide).run(0, static_cast<std::int64_t>(halves.size() / 8));
        for (std::size_t i = 0; i < halves.size(); ++i) {
            ASSERT_EQ(bits_of(wide[i]), bits_of(static_cast<float>(halves[i]))) << std::hex << i;
        }
    });
}

TEST(CastOfHalves, F32IsRoundedAtEveryBoundary) {
    // Every half, its neighbours in f32 on both sides, and the middle between it and the next with its neighbours.
    std::vector<float> values;
    const auto around = [&values](std::uint32_t bits) {
        for (const std::uint32_t word : {bits - 1, bits, bits + 1}) values.push_back(std::bit_cast<float>(word));
    };
    for (std::uint32_t i = 0; i < (1u << 16); i += 3) {
        f16 half;
        half.bits = static_cast<std::uint16_t>(i);
        const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(half));
        around(word);
        around(word + 0x1000);  // the middle in f16
        around(word + 0x8000);  // and in bf16
    }
    on_every_isa([&] { check_casts(values, 16, false); });
}

}  // namespace
}  // namespace burn::cpu
