// burn-fuzz: gives damaged inputs to whatever reads the bytes of strangers.
//
// Inputs come from well-formed ones by seeded mutation. An input that leads to a message unlike all before (numbers and
// quoted texts left out) becomes one to begin from: that finds the way through parsers as coverage does, without a compiler's
// help. A fault is anything but a typed error: a crash, a run of more than seconds, memory out of proportion to the
// input, memory that is not given back, a result that contradicts itself. The input is then saved, and can be given again.

#include <burn/base/error.h>
#include <burn/base/memory.h>

#include "tests/fuzz/allocation_meter.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target.h"

#include <fcntl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace burn::fuzz {

namespace {

/// Seconds of every run, by the processor's time: a machine that is busy or paused changes nothing.
constexpr double kSlowestRun = 5;

struct Options {
    std::string reader = "all";
    double seconds = 10;
    std::uint64_t runs = 0;  // 0: as many as the time allows
    std::uint64_t seed = 1;
    std::string input;
};

double processor_seconds() {
    timespec time = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A signal after this much of the processor's time, for runs that never end; 0 takes it back.
void set_alarm(double seconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    ::setitimer(ITIMER_PROF, &timer, nullptr);
}

// The input that is running, for the handler of signals.
const char* current_data = nullptr;
std::size_t current_size = 0;
char save_path[256] = {};

void save_current() {
    const int file = ::open(save_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return;
    const ssize_t written = ::write(file, current_data, current_size);
    ::close(file);
    constexpr char kText[] = "burn-fuzz: the input is in ";
    if (written >= 0 && ::write(2, kText, sizeof kText - 1) > 0 && ::write(2, save_path, std::strlen(save_path)) > 0) {
        (void)!::write(2, "\n", 1);
    }
}

void on_signal(int signal) {
    save_current();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

[[noreturn]] void fail(const Target& target, const std::string& what) {
    std::fprintf(stderr, "burn-fuzz: %s: %s\n", target.name, what.c_str());
    save_current();
    std::_Exit(1);
}

/// How the last run ended: "accepted", or its message without what differs from input to input. No string, so that it does
/// not count as memory that is kept.
char outcome[Message::kCapacity];

void set_outcome(const char* message) {
    bool quoted = false;
    std::size_t size = 0;
    for (; *message != '\0' && size + 1 < sizeof outcome; ++message) {
        if (quoted && message[0] == '\\' && message[1] != '\0') {
            ++message;  // an escaped quote does not end the text
            continue;
        }
        if (*message == '"') quoted = !quoted;
        const bool digit = *message >= '0' && *message <= '9';
        if (!quoted && !digit) outcome[size++] = *message;
    }
    outcome[size] = '\0';
}

void run_once(const Target& target, std::span<const std::byte> input) {
    try {
        target.run(input);
        set_outcome("accepted");
    } catch (const Error& error) {
        const bool of_bytes = error.kind() == ErrorKind::Parse || error.kind() == ErrorKind::Unsupported ||
                              error.kind() == ErrorKind::Record;
        if (!of_bytes) fail(target, std::string(error_name(error.kind())) + ": " + error.what());
        set_outcome(error.what());
    } catch (const std::exception& error) {
        fail(target, std::string("not a typed error: ") + error.what());
    }
}

/// Runs the target and checks what it used. Returns the outcome.
std::string checked_run(const Target& target, const std::string& text) {
    // Exactly as large as the input, so that the sanitizer sees a read behind it.
    const std::vector<std::byte> input(std::as_bytes(std::span(text)).begin(), std::as_bytes(std::span(text)).end());
    current_data = reinterpret_cast<const char*>(input.data());
    current_size = input.size();
    set_alarm(4 * kSlowestRun);

    for (int attempt = 0;; ++attempt) {
        release_cached_memory();
        const std::size_t before = AllocationMeter::live();
        AllocationMeter::reset_peak();
        const double start = processor_seconds();
        run_once(target, input);
        const double seconds = processor_seconds() - start;
        const std::size_t peak = AllocationMeter::peak() - before;
        const std::size_t limit = kAllowance + target.bytes_per_byte * input.size();
        if (peak > limit) {
            fail(target, std::to_string(peak) + " bytes were allocated for an input of " +
                             std::to_string(input.size()) + "; expected at most " + std::to_string(limit));
        }
        if (seconds > kSlowestRun) fail(target, "a run took " + std::to_string(seconds) + " s");
        release_cached_memory();
        const std::size_t after = AllocationMeter::live();
        if (after <= before) return outcome;
        // The first run of its kind may set something up for good; a leak comes back.
        if (attempt == 3) fail(target, std::to_string(after - before) + " bytes were not given back");
    }
}

void fuzz(const Target& target, const Options& options) {
    Random random(options.seed);
    std::vector<std::string> corpus = target.seeds();
    std::set<std::string> outcomes;
    for (const std::string& seed : corpus) {
        outcomes.insert(checked_run(target, seed));
    }
    if (outcomes.count("accepted") == 0) fail(target, "no well-formed input is accepted");

    const double start = processor_seconds();
    const auto elapsed = [&] { return processor_seconds() - start; };
    std::uint64_t runs = 0, accepted = 0;
    while (options.runs > 0 ? runs < options.runs : elapsed() < options.seconds) {
        const std::string& from = corpus[random.below(corpus.size())];
        std::string input = mutated(random, from, corpus[random.below(corpus.size())], target.words);
        if (target.repair != nullptr && !random.one_in(4)) input = target.repair(std::move(input));
        const std::string ending = checked_run(target, input);
        const bool was_accepted = ending == "accepted";
        ++runs;
        accepted += was_accepted ? 1 : 0;
        constexpr std::size_t kLargestCorpus = 2000;
        const bool keep = outcomes.insert(ending).second || (was_accepted && random.one_in(64));
        if (keep && corpus.size() < kLargestCorpus) corpus.push_back(std::move(input));
    }
    set_alarm(0);
    std::printf("%-12s %9llu inputs, %llu of them accepted, %zu outcomes, 0 faults in %.1f s (seed %llu)\n",
                target.name, static_cast<unsigned long long>(runs), static_cast<unsigned long long>(accepted),
                outcomes.size(), elapsed(), static_cast<unsigned long long>(options.seed));
    std::fflush(stdout);
}

int usage() {
    std::fprintf(
        stderr,
        "usage: burn-fuzz [READER] [SECONDS] [--reader READER] [--seconds S] [--runs N] [--seed N] [--input FILE]\n"
        "  READER   all");
    for (const Target& target : reader_targets()) std::fprintf(stderr, " | %s", target.name);
    std::fprintf(stderr,
                 "\n  --seconds  of the processor's time for each reader (10)\n"
                 "  --runs     stop after N inputs instead, for repeatable runs\n"
                 "  --input    run one saved input only\n");
    return 2;
}

bool parse(int count, char** arguments, Options& options) {
    int positional = 0;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (!argument.starts_with("--")) {
            if (positional == 0) options.reader = argument;
            if (positional == 1) options.seconds = std::atof(argument.c_str());
            if (++positional > 2) return false;
            continue;
        }
        if (i + 1 == count) return false;
        const char* value = arguments[++i];
        if (argument == "--reader") {
            options.reader = value;
        } else if (argument == "--seconds") {
            options.seconds = std::atof(value);
        } else if (argument == "--runs") {
            options.runs = std::strtoull(value, nullptr, 10);
        } else if (argument == "--seed") {
            options.seed = std::strtoull(value, nullptr, 10);
        } else if (argument == "--input") {
            options.input = value;
        } else {
            return false;
        }
    }
    return true;
}

int run(int count, char** arguments) {
    Options options;
    if (!parse(count, arguments, options)) return usage();
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF}) std::signal(signal, on_signal);
    if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(save_current);
    bool known = false;
    for (const Target& target : reader_targets()) {
        if (options.reader != "all" && options.reader != target.name) continue;
        known = true;
        std::snprintf(save_path, sizeof save_path, "burn-fuzz-%s.bin", target.name);
        if (options.input.empty()) {
            fuzz(target, options);
        } else {
            std::ifstream file(options.input, std::ios::binary);
            if (!file) return usage();
            std::printf("%s\n", checked_run(target, {std::istreambuf_iterator<char>(file), {}}).c_str());
        }
    }
    return known ? 0 : usage();
}

}  // namespace
}  // namespace burn::fuzz

int main(int count, char** arguments) { return burn::fuzz::run(count, arguments); }
