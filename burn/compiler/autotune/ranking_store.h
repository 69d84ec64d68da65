#pragma once

#include <burn/compiler/disk_cache.h>

#include <string>
#include <string_view>
#include <vector>

namespace burn::autotune {

/// One place of a ranking.
struct Ranked {
    std::string candidate;
    double fastest = 0;  ///< seconds of one run
    double median = 0;

    bool operator==(const Ranked&) const = default;
};

/// Best first.
using Ranking = std::vector<Ranked>;

/// A ranking as lines "name fastest median"; no ranking at all for a text that is anything else.
std::string write_ranking(const Ranking& ranking);
Ranking read_ranking(std::string_view text);

/// Rankings on disk, one file for each pair of scope and problem; believed, bounded and shared as compiler::DiskCache says.
///
/// A scope says everything that a ranking depends on besides the problem: device, processor, candidates and their versions.
class RankingStore {
public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{4} << 20;

    /// The files in `folder`, of `limit` bytes at most; an empty folder keeps nothing.
    explicit RankingStore(std::string folder, std::uint64_t limit = kDefaultLimit)
        : cache_(std::move(folder), "ranking", limit) {}

    /// What was kept; empty where there is nothing to be believed.
    Ranking find(std::string_view scope, std::string_view problem) const;
    void keep(std::string_view scope, std::string_view problem, const Ranking& ranking);

    std::string path_of(std::string_view scope, std::string_view problem) const;

private:
    compiler::DiskCache cache_;
};

/// The store of the program, in compiler::cache_folder("rankings") as it is at the first call.
RankingStore& ranking_store();

}  // namespace burn::autotune
