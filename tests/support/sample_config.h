// A config with fields of every kind: for the tests of the files and for their fuzzer.
#pragma once

#include <burn/core/shape.h>
#include <burn/module/config.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace burn::sample {

enum class Padding { Valid, Same, Explicit };
BURN_ENUM_NAMES(Padding, Valid, Same, Explicit)

struct BlockConfig {
    Required<std::int32_t> width;
    Required<std::array<std::int32_t, 2>> kernel;
    std::int64_t hidden = std::int64_t{4} * width;
    std::optional<double> rate = {};
    Padding padding = Padding::Same;
    BURN_CONFIG(BlockConfig, width, kernel, hidden, rate, padding)
};

struct NetConfig {
    Required<BlockConfig> first;
    std::vector<BlockConfig> more = {};
    std::string name = "net";
    std::uint64_t seed = 42;
    std::uint8_t small = 1;
    float epsilon = 1e-5f;
    bool bias = true;
    std::vector<std::vector<double>> table = {};
    Dims dims = {};
    BURN_CONFIG(NetConfig, first, more, name, seed, small, epsilon, bias, table, dims)
};

inline NetConfig net_config() {
    NetConfig config{BlockConfig{8, std::array{3, 5}}};
    config.more = {BlockConfig{4, std::array{1, 1}}.with_rate(0.5),
                   BlockConfig{2, std::array{7, 7}}.with_padding(Padding::Valid)};
    config.seed = 18446744073709551615u;
    config.epsilon = 0.1f;
    config.table = {{1.0, -HUGE_VAL}, {}};
    config.dims = {2, 3};
    return config;
}

}  // namespace burn::sample
