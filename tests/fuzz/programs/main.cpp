// burn-program-fuzz: runs random programs on several backends and compares what they give.
//
// A failing program is cut down to a few lines, printed and written to a file that --replay runs again.

#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/base/error.h>
#include <burn/decorators/fusion/fusion.h>

#include "tests/conformance/backends.h"
#include "tests/fuzz/programs/coverage.h"
#include "tests/fuzz/programs/generator.h"
#include "tests/fuzz/programs/run_program.h"
#include "tests/fuzz/programs/shrink.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace burn::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    double seconds = 0;
    std::uint64_t programs = 0;
    std::uint64_t seed = 1;
    std::string replay;
    std::vector<const conformance::TestedBackend*> backends;
    bool shrinks = true;
    bool isolated = false;
    bool complete = false;
    bool shows_coverage = false;
    bool shows_programs = false;
    std::uint64_t most_faults = 1;
};

// The program that is running, for the handler of signals.
std::string current;
const char kSavePath[] = "burn-program-fuzz-crash.txt";
constexpr unsigned kSlowestRun = 60;

void on_signal(int signal) {
    const int file = ::open(kSavePath, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0) {
        (void)!::write(file, current.data(), current.size());
        ::close(file);
    }
    const char* text = signal == SIGALRM ? "burn-program-fuzz: a program does not end; it is in "
                                         : "burn-program-fuzz: a program crashes; it is in ";
    (void)!::write(2, text, std::strlen(text));
    (void)!::write(2, kSavePath, sizeof kSavePath - 1);
    (void)!::write(2, "\n", 1);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

volatile std::sig_atomic_t interrupted = 0;

/// The first interrupt lets the program at hand end, and then the summary is printed; the second ends at once.
void on_interrupt(int signal) {
    interrupted = 1;
    std::signal(signal, SIG_DFL);
}

/// The fault of a program on a backend; "" when there is none.
std::string fault_on(const Program& program, const conformance::TestedBackend& backend, Oracle& oracle) {
    current = std::string("# on ") + backend.name + "\n" + print(program);
    ::alarm(kSlowestRun);
    const Outcome outcome = run(program, backend.plain());
    ::alarm(0);
    return fault(program, outcome, oracle);
}

/// Whether a program makes sense and fails.
bool fails_on(const Program& program, const conformance::TestedBackend& backend) {
    std::unique_ptr<Oracle> oracle;
    try {
        oracle = consult(program);
    } catch (const std::exception&) {
        return false;
    }
    const int attempts = program.thread_count() > 1 ? 5 : 1;
    for (int i = 0; i < attempts; ++i) {
        if (!fault_on(program, backend, *oracle).empty()) return true;
    }
    return false;
}

/// The same in a process of its own, which may crash.
bool fails_apart(const Program& program, const conformance::TestedBackend& backend) {
    const std::string file = std::string(kSavePath) + ".try";
    std::ofstream(file) << print(program);
    std::string self(4096, '\0');
    const ssize_t size = ::readlink("/proc/self/exe", self.data(), self.size());
    if (size <= 0) return false;
    self.resize(static_cast<std::size_t>(size));
    const std::string command =
        "'" + self + "' --no-shrink --backends " + backend.name + " --replay " + file + " >" + file + ".log 2>&1";
    const int status = std::system(command.c_str());
    return !WIFEXITED(status) || WEXITSTATUS(status) == 1 || WEXITSTATUS(status) > 2;
}

void report(const Program& program, const conformance::TestedBackend& backend, const std::string& what,
            const Options& options, const std::string& file) {
    std::printf("%s: %s\n", backend.name, what.c_str());
    Program shortest = program;
    if (options.shrinks)
        shortest = shrink(program, [&](const Program& candidate) { return fails_on(candidate, backend); });
    std::string again = what;
    try {
        again = fault_on(shortest, backend, *consult(shortest));
    } catch (const std::exception&) {
        again = what;
    }
    const std::string text = "# on " + std::string(backend.name) + ": " + again + "\n" + print(shortest);
    std::printf("%swritten to %s\n", text.c_str(), file.c_str());
    std::ofstream(file) << text;
    std::fflush(stdout);
}

int replay(const Options& options) {
    std::ifstream file(options.replay);
    if (!file) {
        std::fprintf(stderr, "burn-program-fuzz: cannot read %s\n", options.replay.c_str());
        return 2;
    }
    const Program program = parse(std::string(std::istreambuf_iterator<char>(file), {}));
    const std::unique_ptr<Oracle> oracle = consult(program);
    bool failed = false;
    for (const conformance::TestedBackend* backend : options.backends) {
        if (options.isolated) {
            if (!fails_apart(program, *backend)) continue;
            const auto fails = [&](const Program& candidate) { return fails_apart(candidate, *backend); };
            const std::string text = print(shrink(program, fails));
            std::printf("# on %s\n%swritten to %s.short\n", backend->name, text.c_str(), options.replay.c_str());
            std::ofstream(options.replay + ".short") << text;
            failed = true;
            continue;
        }
        const std::string what = fault_on(program, *backend, *oracle);
        std::printf("%s: %s\n", backend->name, what.empty() ? "right" : what.c_str());
        if (!what.empty() && options.shrinks) report(program, *backend, what, options, options.replay + ".short");
        failed = failed || !what.empty();
    }
    return failed ? 1 : 0;
}

int fuzz(const Options& options) {
    const auto start = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    Coverage coverage;
    std::uint64_t programs = 0, faults = 0;
    std::signal(SIGINT, on_interrupt);
    while (interrupted == 0 && faults < options.most_faults &&
           (options.programs > 0 ? programs < options.programs : elapsed() < options.seconds)) {
        const std::uint64_t seed = options.seed * 1000003 + programs;
        const Program program = draw_program(seed);
        if (const std::string text = print(program); print(parse(text)) != text)
            raise(ErrorKind::Internal, Message() << "a program that is not read as it was written, of seed " << seed);
        if (options.shows_programs)
            std::printf("# %llu\n%s\n", static_cast<unsigned long long>(seed), print(program).c_str());
        const std::unique_ptr<Oracle> oracle = consult(program);
        coverage.add(program, *oracle);
        ++programs;
        for (const conformance::TestedBackend* backend : options.backends) {
            const std::string what = fault_on(program, *backend, *oracle);
            if (what.empty()) continue;
            std::printf("program %llu of seed %llu fails on ", static_cast<unsigned long long>(programs),
                        static_cast<unsigned long long>(options.seed));
            report(program, *backend, what, options,
                   "burn-program-fuzz-" + std::to_string(options.seed) + "-" + std::to_string(programs) + ".txt");
            ++faults;
            break;
        }
    }
    if (options.shows_coverage) std::printf("%s", coverage.report().c_str());
    if (std::find(options.backends.begin(), options.backends.end(), conformance::find_backend("cpu")) !=
        options.backends.end()) {
        const fusion::Report fused = fusion::report(Cpu::engine(0));
        const std::uint64_t plans = fused.plan_hits + fused.plan_misses;
        std::printf(
            "cpu: %llu operations recorded, %llu kernels launched, %llu operations alone; %llu of %llu plans new\n",
            static_cast<unsigned long long>(fused.operations), static_cast<unsigned long long>(fused.kernels),
            static_cast<unsigned long long>(fused.alone), static_cast<unsigned long long>(fused.plan_misses),
            static_cast<unsigned long long>(plans));
        if (cpu::code_generator() == nullptr)
            std::printf("cpu: no kernels: %s\n", cpu::why_no_code_generator().c_str());
    }
    std::printf("%llu programs in %.1f s, %llu faults (seed %llu)\n", static_cast<unsigned long long>(programs),
                elapsed(), static_cast<unsigned long long>(faults), static_cast<unsigned long long>(options.seed));
    if (options.complete && !coverage.missing().empty()) {
        std::printf("never drawn:%s\n", coverage.missing().c_str());
        return 1;
    }
    return faults > 0 ? 1 : 0;
}

int usage() {
    std::fprintf(stderr,
                 "usage: burn-program-fuzz [--minutes M | --seconds S | --programs N] [--seed S] [--backends A,B]\n"
                 "                         [--faults N] [--coverage] [--complete] [--no-shrink] [--show]\n"
                 "       burn-program-fuzz --replay FILE [--backends A,B] [--no-shrink | --isolated]\n"
                 "  --backends  of:");
    for (const conformance::TestedBackend& backend : conformance::tested_backends())
        std::fprintf(stderr, " %s", backend.name);
    std::fprintf(stderr,
                 " (all)\n"
                 "  --faults    stop after N programs that fail (1)\n"
                 "  --coverage  say which operations were drawn with which types and layouts\n"
                 "  --complete  fail unless every operation was drawn\n"
                 "  --isolated  cut down in processes of their own: for programs that crash\n"
                 "  --show      print every program\n");
    return 2;
}

bool parse_backends(const std::string& list, Options& options) {
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const conformance::TestedBackend* backend = conformance::find_backend(list.substr(at, end - at).c_str());
        if (backend == nullptr) return false;
        options.backends.push_back(backend);
        at = end + 1;
    }
    return true;
}

/// A whole text as a number that is not negative.
template <class T>
bool parse_number(const char* text, T& number) {
    const char* end = text + std::strlen(text);
    const auto [last, error] = std::from_chars(text, end, number);
    return error == std::errc() && last == end && number >= 0 && number <= std::numeric_limits<T>::max();
}

bool parse_options(int count, char** arguments, Options& options) {
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--coverage") {
            options.shows_coverage = true;
        } else if (argument == "--complete") {
            options.complete = true;
        } else if (argument == "--isolated") {
            options.isolated = true;
        } else if (argument == "--no-shrink") {
            options.shrinks = false;
        } else if (argument == "--show") {
            options.shows_programs = true;
        } else {
            if (i + 1 == count) return false;
            const char* value = arguments[++i];
            if (argument == "--minutes") {
                if (!parse_number(value, options.seconds)) return false;
                options.seconds *= 60;
            } else if (argument == "--seconds") {
                if (!parse_number(value, options.seconds)) return false;
            } else if (argument == "--programs") {
                if (!parse_number(value, options.programs)) return false;
            } else if (argument == "--seed") {
                if (!parse_number(value, options.seed)) return false;
            } else if (argument == "--faults") {
                if (!parse_number(value, options.most_faults) || options.most_faults == 0) return false;
            } else if (argument == "--replay") {
                options.replay = value;
            } else if (argument != "--backends" || !parse_backends(value, options)) {
                return false;
            }
        }
    }
    if (options.seconds == 0 && options.programs == 0) options.seconds = 10;
    if (options.backends.empty()) {
        for (const conformance::TestedBackend& backend : conformance::tested_backends())
            options.backends.push_back(&backend);
    }
    return true;
}

}  // namespace
}  // namespace burn::fuzz

int main(int count, char** arguments) {
    burn::fuzz::Options options;
    if (!burn::fuzz::parse_options(count, arguments, options)) return burn::fuzz::usage();
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) std::signal(signal, burn::fuzz::on_signal);
    try {
        return options.replay.empty() ? burn::fuzz::fuzz(options) : burn::fuzz::replay(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "burn-program-fuzz: %s\n", error.what());
        return 2;
    }
}
