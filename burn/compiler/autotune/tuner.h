#pragma once

#include <burn/compiler/autotune/key.h>
#include <burn/compiler/autotune/measure.h>
#include <burn/compiler/autotune/ranking_store.h>
#include <burn/compiler/autotune/settings.h>

#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace burn::autotune {

/// One way to solve the problems of a family.
struct Candidate {
    const char* name;    ///< one word
    bool deterministic;  ///< gives the same bits whatever the number of threads and from run to run
    /// Its version, which rankings depend on; empty where it is missing. Not asked before it matters: it may load a library.
    std::string (*version)();
    std::string (*why_missing)();
};

/// What a tuner is asked: which candidate solves this very problem? Candidates are named by their index.
struct Problem {
    const Key& key;
    /// What formula and table choose.
    std::size_t preferred;
    /// Whether a candidate is there and can solve this problem; asked each time, for a key is coarser than a problem.
    FunctionRef<bool(std::size_t candidate)> can_run;
    /// Solves the problem with a candidate, as often as asked, without changing what the caller sees. Must not ask the tuner.
    FunctionRef<void(std::size_t candidate)> try_out;
};

/// Chooses among the candidates of a family.
///
/// By default as a formula and a table say, at once; Settings::wanted comes before everything. With Tuning::On the first problem
/// of each key is solved by every candidate that can, against the clock, and the ranking is kept in memory and on disk; later
/// problems of the key get the first of the ranking that can run them. What formula and table prefer keeps its place unless
/// another is 3 % faster.
///
/// Thread    any; while one problem is measured, others that ask wait
class Tuner {
public:
    /// `family` is one word, as "matmul"; `device` tells everything about it that speed depends on. A null store keeps nothing.
    Tuner(const char* family, std::string device, std::span<const Candidate> candidates, Timer& timer,
          RankingStore* store);
    ~Tuner();
    Tuner(const Tuner&) = delete;
    Tuner& operator=(const Tuner&) = delete;

    /// Errors    UnsupportedError when no candidate can
    std::size_t choose(const Problem& problem);

    /// Candidates, and what was chosen for which problems and why, as a text.
    std::string report() const;
    /// Forgets what was measured and chosen, not what is on disk.
    void forget();
    /// What rankings on disk are kept for.
    std::string scope() const;

private:
    enum class Reason { Default, Wanted, Kept, Measured };
    struct Place {
        std::size_t candidate;
        double fastest;
        double median;
    };
    struct Entry {
        std::size_t chosen = 0;
        std::uint64_t asked = 0;
        Reason reason = Reason::Default;
        Reason source = Reason::Default;  ///< of the places
        bool looked = false;              ///< on disk
        bool measured = false;
        std::vector<Place> places;  ///< best first
        std::vector<Timing> failures;
    };

    bool is_allowed(std::size_t candidate, const Problem& problem, bool deterministic) const;
    std::size_t default_choice(const Problem& problem, bool deterministic) const;
    void look_on_disk(const Key& key, Entry& entry) const;
    void measure_candidates(const Problem& problem, const Settings& settings, Entry& entry);
    std::string describe(const Key& key, const Entry& entry) const;

    const char* family_;
    std::string device_;
    std::span<const Candidate> candidates_;
    Timer& timer_;
    RankingStore* store_;
    mutable std::mutex mutex_;
    std::unordered_map<Key, Entry, KeyHash> entries_;
    double seconds_spent_ = 0;
};

/// The reports of all tuners of the program.
std::string report();

}  // namespace burn::autotune
