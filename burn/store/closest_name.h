#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace burn::store {

/// How many characters must be inserted, removed, replaced or swapped with their neighbour to turn one name into the other.
///
/// Source    optimal string alignment distance (Damerau, 1964; Levenshtein, 1966)
std::size_t edit_distance(std::string_view from, std::string_view to);

/// Up to `count` of the candidates that a reader of `name` may have meant, closest first; empty when nothing is close
/// (more than a third of the characters differ, and neither name ends in the other).
std::vector<std::string> closest_names(std::string_view name, std::span<const std::string> candidates,
                                       std::size_t count = 3);

/// "", or " (did you mean "a"?)", or " (did you mean "a", "b" or "c"?)".
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

}  // namespace burn::store
