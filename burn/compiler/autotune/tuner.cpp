#include <burn/compiler/autotune/tuner.h>

#include <burn/base/error.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

namespace burn::autotune {

namespace {

/// How much faster than the preferred candidate another must be: less is noise, and would make choices flap.
constexpr double kWorthwhile = 1.03;

struct Registry {
    std::mutex mutex;
    std::vector<const Tuner*> tuners;
};

Registry& registry() {
    static Registry& instance = *new Registry;  // NOLINT: tuners may be destroyed after main
    return instance;
}

std::string microseconds(double seconds) {
    char text[48];
    std::snprintf(text, sizeof(text), "%.4g us", seconds * 1e6);
    return text;
}

const char* name_of(Tuning tuning) {
    switch (tuning) {
        case Tuning::Off: return "off";
        case Tuning::Kept: return "kept";
        case Tuning::On: return "on";
    }
    return "?";
}

}  // namespace

Tuner::Tuner(const char* family, std::string device, std::span<const Candidate> candidates, Timer& timer,
             RankingStore* store)
    : family_(family), device_(std::move(device)), candidates_(candidates), timer_(timer), store_(store) {
    const std::lock_guard lock(registry().mutex);
    registry().tuners.push_back(this);
}

Tuner::~Tuner() {
    const std::lock_guard lock(registry().mutex);
    std::erase(registry().tuners, this);
}

std::size_t Tuner::choose(const Problem& problem) {
    const Settings now = settings();
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[problem.key];
    ++entry.asked;
    for (std::size_t i = 0; i < candidates_.size() && !now.wanted.empty(); ++i) {
        if (now.wanted != candidates_[i].name || !is_allowed(i, problem, now.deterministic)) continue;
        entry.reason = Reason::Wanted;
        return entry.chosen = i;
    }
    if (!now.deterministic && now.tuning != Tuning::Off) {
        if (!entry.looked) look_on_disk(problem.key, entry);
        const bool may_measure = now.tuning == Tuning::On && seconds_spent_ < now.seconds_in_all;
        if (entry.places.empty() && !entry.measured && may_measure) measure_candidates(problem, now, entry);
        for (const Place& place : entry.places) {
            if (!problem.can_run(place.candidate)) continue;
            entry.reason = entry.source;
            return entry.chosen = place.candidate;
        }
    }
    entry.reason = Reason::Default;
    return entry.chosen = default_choice(problem, now.deterministic);
}

bool Tuner::is_allowed(std::size_t candidate, const Problem& problem, bool deterministic) const {
    return (!deterministic || candidates_[candidate].deterministic) && problem.can_run(candidate);
}

std::size_t Tuner::default_choice(const Problem& problem, bool deterministic) const {
    if (is_allowed(problem.preferred, problem, deterministic)) return problem.preferred;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (i != problem.preferred && is_allowed(i, problem, deterministic)) return i;
    }
    raise(ErrorKind::Unsupported,
          Message() << family_ << ": no candidate can run " << problem.key.text().c_str() << " on " << device_.c_str());
}

void Tuner::look_on_disk(const Key& key, Entry& entry) const {
    entry.looked = true;
    if (store_ == nullptr) return;
    for (const Ranked& ranked : store_->find(scope(), key.text())) {
        const auto found = std::ranges::find_if(
            candidates_, [&](const Candidate& candidate) { return ranked.candidate == candidate.name; });
        if (found == candidates_.end()) continue;
        entry.places.push_back({static_cast<std::size_t>(found - candidates_.begin()), ranked.fastest, ranked.median});
    }
    entry.source = Reason::Kept;
}

void Tuner::measure_candidates(const Problem& problem, const Settings& settings, Entry& entry) {
    entry.measured = true;
    entry.source = Reason::Measured;
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (problem.can_run(i)) able.push_back(i);
    }
    if (able.size() < 2) return;  // nothing to choose
    const double begin = timer_.now();
    MeasureOptions options;
    options.budget_seconds = settings.seconds_per_problem;
    for (Timing& timing : measure(able, problem.try_out, timer_, options)) {
        if (timing.failure.empty()) {
            entry.places.push_back({timing.candidate, timing.fastest, timing.median});
        } else {
            entry.failures.push_back(std::move(timing));
        }
    }
    seconds_spent_ += timer_.now() - begin;
    if (entry.places.empty()) return;
    std::ranges::sort(entry.places, {}, [](const Place& place) { return std::pair(place.fastest, place.candidate); });
    const auto preferred = std::ranges::find(entry.places, problem.preferred, &Place::candidate);
    if (preferred != entry.places.end() && preferred->fastest <= kWorthwhile * entry.places.front().fastest) {
        std::rotate(entry.places.begin(), preferred, preferred + 1);
    }
    if (store_ == nullptr) return;
    Ranking ranking;
    for (const Place& place : entry.places) {
        ranking.push_back({candidates_[place.candidate].name, place.fastest, place.median});
    }
    store_->keep(scope(), problem.key.text(), ranking);
}

std::string Tuner::scope() const {
    std::string text = std::string(family_) + " on " + device_;
    for (const Candidate& candidate : candidates_) {
        const std::string version = candidate.version();
        text += std::string("; ") + candidate.name + ' ' + (version.empty() ? "missing" : version);
    }
    return text;
}

void Tuner::forget() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
    seconds_spent_ = 0;
}

std::string Tuner::describe(const Key& key, const Entry& entry) const {
    std::string line = "  " + key.text() + ": " + candidates_[entry.chosen].name;
    switch (entry.reason) {
        case Reason::Default: line += " by default"; break;
        case Reason::Wanted: line += ", as wanted"; break;
        case Reason::Kept: line += ", measured before"; break;
        case Reason::Measured: line += ", measured"; break;
    }
    const char* separator = " (";
    for (const Place& place : entry.places) {
        line += separator + std::string(candidates_[place.candidate].name) + ' ' + microseconds(place.fastest) +
                ", median " + microseconds(place.median);
        separator = "; ";
    }
    for (const Timing& failure : entry.failures) {
        line += separator + std::string(candidates_[failure.candidate].name) + " failed: " + failure.failure;
        separator = "; ";
    }
    if (std::string_view(separator) == "; ") line += ')';
    return line + "; asked " + std::to_string(entry.asked) + (entry.asked == 1 ? " time\n" : " times\n");
}

std::string Tuner::report() const {
    const Settings now = settings();
    std::string text = std::string(family_) + " on " + device_ + ", tuning ";
    text += now.deterministic ? "forbidden, for choices are deterministic" : name_of(now.tuning);
    text += '\n';
    for (const Candidate& candidate : candidates_) {
        const std::string version = candidate.version();
        text += std::string("  candidate ") + candidate.name + ' ' +
                (version.empty() ? "is missing: " + candidate.why_missing() : version) +
                (candidate.deterministic ? ", deterministic\n" : "\n");
    }
    const auto is_wanted = [&](const Candidate& candidate) { return now.wanted == candidate.name; };
    if (!now.wanted.empty() && std::ranges::none_of(candidates_, is_wanted)) {
        text += "  no candidate is called \"" + now.wanted + "\"\n";
    }
    std::vector<std::string> lines;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [key, entry] : entries_) lines.push_back(describe(key, entry));
    }
    std::ranges::sort(lines);
    for (const std::string& line : lines) text += line;
    return text;
}

std::string report() {
    const std::lock_guard lock(registry().mutex);
    std::string text;
    for (const Tuner* tuner : registry().tuners) text += tuner->report();
    return text;
}

}  // namespace burn::autotune
