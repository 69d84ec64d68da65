#include <burn/compiler/autotune/ranking_store.h>

#include <charconv>
#include <cmath>
#include <system_error>

namespace burn::autotune {

namespace {

constexpr std::size_t kMostPlaces = 64;

void append(std::string& text, double number) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
    text.append(digits, end);
}

/// Takes what stands in front of `end` off the text; the text stays as it is where there is no `end`.
bool take(std::string_view& text, char end, std::string_view& word) {
    const std::size_t at = text.find(end);
    if (at == std::string_view::npos) return false;
    word = text.substr(0, at);
    text.remove_prefix(at + 1);
    return true;
}

bool parse(std::string_view word, double& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() && std::isfinite(number) && number >= 0;
}

std::string key_of(std::string_view scope, std::string_view problem) {
    return std::string(scope) + '\n' + std::string(problem);
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

}  // namespace

std::string write_ranking(const Ranking& ranking) {
    std::string text;
    for (const Ranked& place : ranking) {
        text += place.candidate + ' ';
        append(text, place.fastest);
        text += ' ';
        append(text, place.median);
        text += '\n';
    }
    return text;
}

Ranking read_ranking(std::string_view text) {
    Ranking ranking;
    while (!text.empty()) {
        std::string_view name, fastest, median;
        Ranked place;
        if (!take(text, ' ', name) || !take(text, ' ', fastest) || !take(text, '\n', median)) return {};
        if (name.empty() || !parse(fastest, place.fastest) || !parse(median, place.median)) return {};
        if (ranking.size() == kMostPlaces) return {};
        place.candidate = name;
        ranking.push_back(std::move(place));
    }
    return ranking;
}

std::string RankingStore::path_of(std::string_view scope, std::string_view problem) const {
    return cache_.path_of(bytes_of(key_of(scope, problem)));
}

Ranking RankingStore::find(std::string_view scope, std::string_view problem) const {
    std::vector<std::byte> value;
    if (!cache_.find(bytes_of(key_of(scope, problem)), value)) return {};
    return read_ranking({reinterpret_cast<const char*>(value.data()), value.size()});
}

void RankingStore::keep(std::string_view scope, std::string_view problem, const Ranking& ranking) {
    cache_.keep(bytes_of(key_of(scope, problem)), bytes_of(write_ranking(ranking)));
}

RankingStore& ranking_store() {
    static RankingStore& store =
        *new RankingStore(compiler::cache_folder("rankings"));  // NOLINT: threads may outlive main
    return store;
}

}  // namespace burn::autotune
