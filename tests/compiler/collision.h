#pragma once

#include <burn/compiler/structure_key.h>

#include <bit>
#include <utility>

namespace burn::compiler {

/// Two keys of two words each that differ and have one hash.
///
/// The hash of one word more is (rotl(hash, 5) ^ word) * odd, so the second word can undo what the first one did.
inline std::pair<StructureKey, StructureKey> keys_of_one_hash() {
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u;
    const std::uint64_t first_a = 11, first_b = 12, second_a = 13;
    const std::uint64_t second_b = second_a ^ std::rotl(first_a * kFactor, 5) ^ std::rotl(first_b * kFactor, 5);
    StructureKey a, b;
    a.append(first_a);
    a.append(second_a);
    b.append(first_b);
    b.append(second_b);
    return {a, b};
}

}  // namespace burn::compiler
