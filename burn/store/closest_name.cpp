#include <burn/store/closest_name.h>
#include <burn/store/quote.h>

#include <algorithm>
#include <utility>

namespace burn::store {

namespace {

/// Names longer than this are compared by their ends only: the distance takes the product of the two lengths.
constexpr std::size_t kLongestName = 256;

/// "weight" and "layer.weight": the same name under another path.
bool is_tail_of(std::string_view tail, std::string_view name) {
    return !tail.empty() && name.size() > tail.size() && name.ends_with(tail) &&
           name[name.size() - tail.size() - 1] == '.';
}

}  // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> before_last(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replace = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
            const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[to.size()];
}

std::vector<std::string> closest_names(std::string_view name, std::span<const std::string> candidates,
                                       std::size_t count) {
    std::vector<std::pair<std::size_t, std::size_t>> close;  // distance, index
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::string& candidate = candidates[i];
        const std::size_t longer = std::max(name.size(), candidate.size());
        const std::size_t limit = std::max<std::size_t>(1, longer / 3);
        if (is_tail_of(name, candidate) || is_tail_of(candidate, name)) {
            close.emplace_back(0, i);
        } else if (longer <= kLongestName && longer - std::min(name.size(), candidate.size()) <= limit) {
            const std::size_t distance = edit_distance(name, candidate);
            if (distance <= limit) close.emplace_back(distance, i);
        }
    }
    std::sort(close.begin(), close.end());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < close.size() && i < count; ++i) names.push_back(candidates[close[i].second]);
    return names;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
    const std::vector<std::string> names = closest_names(name, candidates);
    if (names.empty()) return "";
    std::string text = " (did you mean ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += quote(names[i]);
    }
    return text + "?)";
}

}  // namespace burn::store
