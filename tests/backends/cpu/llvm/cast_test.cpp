#include <burn/core/convert.h>
#include <burn/kernel/element.h>

#include "../launch.h"
#include "samples.h"

namespace burn::cpu::cast_test {
namespace {

using Bits = std::vector<std::uint64_t>;

template <class From>
std::uint64_t converted_from(From element, DType to) {
    return visit_dtype(to, [element](auto zero) {
        return kernel::bits_of(convert_element<decltype(zero)>(static_cast<From>(element)));
    });
}

using Conversion = std::uint64_t (*)(std::uint64_t bits, DType to);

// A table, for all pairs of types in one function keep g++ 12 busy for a minute.
template <class From>
constexpr Conversion kConversion =
    [](std::uint64_t bits, DType to) { return converted_from(kernel::element_of<From>(bits), to); };
constexpr Conversion kConversions[] = {
    kConversion<double>,        kConversion<float>,         kConversion<f16>,           kConversion<bf16>,
    kConversion<std::int64_t>,  kConversion<std::int32_t>,  kConversion<std::int16_t>,  kConversion<std::int8_t>,
    kConversion<std::uint64_t>, kConversion<std::uint32_t>, kConversion<std::uint16_t>, kConversion<std::uint8_t>,
    kConversion<bool>};
static_assert(std::size(kConversions) == kDTypeCount);

/// The rule: what `convert_element` makes of an element's bits.
std::uint64_t converted(DType from, DType to, std::uint64_t bits) {
    return kConversions[static_cast<std::size_t>(from)](bits, to);
}

bool is_nan_bits(DType dtype, std::uint64_t bits) {
    const double value = kernel::element_value(dtype, bits);
    return value != value;
}

/// Elements with these bits in a row, and back.
std::vector<std::byte> packed(DType dtype, const Bits& bits) {
    std::vector<std::byte> bytes(bits.size() * size_of(dtype));
    for (std::size_t i = 0; i < bits.size(); ++i) std::memcpy(&bytes[i * size_of(dtype)], &bits[i], size_of(dtype));
    return bytes;
}
Bits unpacked(DType dtype, const std::vector<std::byte>& bytes) {
    Bits bits(bytes.size() / size_of(dtype));
    for (std::size_t i = 0; i < bits.size(); ++i) {
        std::memcpy(&bits[i], &bytes[i * size_of(dtype)], size_of(dtype));
        bits[i] = kernel::canonical_bits(dtype, bits[i]);
    }
    return bits;
}

template <class T>
Bits bits_of_all(const std::vector<T>& values) {
    Bits all;
    for (const T value : values) all.push_back(bits_of(value));
    return all;
}

/// Elements of type `from` into every type, `lanes` at a time, bit for bit; `any_nan`: but for which NaN it is.
void check_casts(DType from, Bits values, std::uint16_t lanes, bool any_nan) {
    values.resize((values.size() + lanes - 1) / lanes * lanes);
    kernel::Builder k("casts");
    const kernel::Place x = k.buffer(from, kernel::Access::Read);
    const kernel::Value at = k.cube_index() * lanes, value = x.load(at, lanes);
    std::vector<std::byte> in = packed(from, values);
    std::vector<std::vector<std::byte>> results;
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto to = static_cast<DType>(i);
        k.buffer(to, kernel::Access::Write).store(at, kernel::cast(value, to));
        results.emplace_back(values.size() * size_of(to));
    }
    Launch launch(k.finish());
    launch.buffer(in);
    for (auto& result : results) launch.buffer(result);
    launch.run(0, static_cast<std::int64_t>(values.size() / lanes));
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto to = static_cast<DType>(i);
        const Bits got = unpacked(to, results[static_cast<std::size_t>(i)]);
        int faults = 0;
        for (std::size_t j = 0; j < values.size() && faults < 5; ++j) {
            const std::uint64_t expected = converted(from, to, values[j]);
            if (got[j] == expected || (any_nan && is_nan_bits(to, got[j]) && is_nan_bits(to, expected))) continue;
            ++faults;
            ADD_FAILURE() << name_of(from) << "x" << lanes << " to " << name_of(to) << ": "
                          << kernel::element_value(from, values[j]) << " gives " << kernel::element_value(to, got[j])
                          << " (" << std::hex << got[j] << "), expected " << expected;
        }
    }
}

TEST(Cast, FollowsTheRuleOfConvertElement) {
    for (int i = 0; i < kDTypeCount; ++i) {
        const auto from = static_cast<DType>(i);
        const Bits values = visit_dtype(from, [](auto zero) { return bits_of_all(samples<decltype(zero)>()); });
        check_casts(from, values, 1, false);
        check_casts(from, values, 3, false);
        on_every_isa([&] { check_casts(from, values, 16, false); });
    }
}

/// All patterns of a half type.
Bits all_halves() {
    Bits all(1 << 16);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

TEST(Cast, EveryHalfIsWidened) {
    on_every_isa([] {
        // To f64 a signalling NaN goes through f32, which may quieten it.
        check_casts(DType::F16, all_halves(), 16, true);
        for (const std::uint16_t lanes : {16, 32, 64}) check_casts(DType::BF16, all_halves(), lanes, true);
    });
}

TEST(Cast, F16KeepsTheBitsOfEveryNaNInF32) {
    on_every_isa([] {
        std::vector<std::byte> in = packed(DType::F16, all_halves()), out(std::size_t{4} << 16);
        kernel::Builder k("widen");
        const kernel::Place x = k.buffer(DType::F16, kernel::Access::Read),
                            y = k.buffer(DType::F32, kernel::Access::Write);
        const kernel::Value at = k.cube_index() * 8;
        y.store(at, kernel::cast(x.load(at, 8), DType::F32));
        Launch(k.finish()).buffer(in).buffer(out).run(0, (1 << 16) / 8);
        const Bits wide = unpacked(DType::F32, out);
        for (std::size_t i = 0; i < wide.size(); ++i) {
            ASSERT_EQ(wide[i], converted(DType::F16, DType::F32, i)) << std::hex << i;
        }
    });
}

TEST(Cast, F32IsRoundedAtEveryBoundary) {
    // Every half, its neighbours in f32 on both sides, and the middle between it and the next with its neighbours. Each bf16
    // stands beside the same one with another exponent, so that subnormal and normal numbers share vectors.
    Bits values;
    const auto around = [&values](std::uint64_t bits) {
        for (const std::uint64_t word : {bits - 1, bits, bits + 1}) values.push_back(word & 0xffffffff);
    };
    for (std::uint64_t i = 0; i < (1u << 16); i += 3) {
        const std::uint64_t word = converted(DType::F16, DType::F32, i);
        around(word);
        around(word + 0x1000);  // the middle in f16
        around(word + 0x8000);  // and in bf16
        around(i << 16);
        around((i << 16) + 0x8000);
        around((i << 16 ^ 0x2a800000) + 0x8000);
    }
    on_every_isa([&] {
        check_casts(DType::F32, values, 16, false);
        check_casts(DType::F32, values, 8, false);
        check_casts(DType::F32, values, 32, false);
        check_casts(DType::F32, values, 64, false);
    });
}

}  // namespace
}  // namespace burn::cpu::cast_test
