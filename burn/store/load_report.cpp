#include <burn/store/closest_name.h>
#include <burn/store/load_report.h>
#include <burn/store/quote.h>

#include <span>

namespace burn {

namespace {

/// Lines "  word path (rest)", and how many there are beyond the limit.
template <class Items, class Describe>
void list(std::string& text, const char* word, const Items& items, std::size_t limit, Describe&& describe) {
    const std::size_t shown = limit == 0 || items.size() <= limit ? items.size() : limit;
    for (std::size_t i = 0; i < shown; ++i) text += std::string("\n  ") + word + " " + describe(items[i]);
    if (shown < items.size()) text += std::string("\n  ") + word + " " + std::to_string(items.size() - shown) + " more";
}

}  // namespace

bool LoadReport::fits(const LoadOptions& options) const {
    return mismatched.empty() && (missing.empty() || options.allow_partial) && (unused.empty() || options.allow_unused);
}

std::string LoadReport::text(std::size_t limit) const {
    std::string text = std::to_string(applied.size()) + " applied, " + std::to_string(missing.size()) + " missing, " +
                       std::to_string(unused.size()) + " unused, " + std::to_string(mismatched.size()) + " mismatched";
    list(text, "mismatched", mismatched, limit,
         [](const Mismatch& item) { return store::quote(item.path) + ": " + item.fault; });
    list(text, "missing", missing, limit,
         [&](const std::string& path) { return store::quote(path) + store::did_you_mean(path, unused); });
    list(text, "unused", unused, limit, [](const std::string& path) { return store::quote(path); });
    return text;
}

}  // namespace burn
