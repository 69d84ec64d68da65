#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace guide {

enum class Command { Train, Infer, Help };

/// What the command line asks for.
struct Options {
    Command command = Command::Train;
    std::string backend = "auto";
    std::string data;
    std::string artifacts = "artifacts/guide";
    std::optional<std::size_t> epochs;
    std::optional<std::uint64_t> seed;
    std::size_t workers = 1;
    std::optional<int> threads;
    bool resume = false;
};

/// Errors    burn::ArgumentError saying which option is wrong and what was expected
Options parse_options(const std::vector<std::string>& arguments);

extern const char* const kHelp;

}  // namespace guide
