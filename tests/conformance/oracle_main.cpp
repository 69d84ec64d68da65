// burn-oracle DIR [--backend B] [--verbose]: runs a directory of stored results against a backend.
//
// Prints each failing case (its operation, where, the worst difference) and a last line "N passed, N failed, N skipped".
// A case that needs a primitive which the backend does not run is skipped; layouts that it has no views for are left out.
// A family that cannot be read is reported and the others are run.
// Exits with 0 when nothing failed, 1 when a case did, 2 when it could not run or not all families could be read.
#include "tests/conformance/not_covered.h"
#include "tests/conformance/run_case.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

namespace {

using namespace burn::conformance;

void print_usage(std::FILE* stream) {
    std::fprintf(stream,
                 "usage: burn-oracle DIR [--backend B] [--verbose]\n"
                 "Runs a directory of stored results (pairs of .json and .safetensors files) against a backend.\n"
                 "  --backend B  one of:");
    for (const TestedBackend& backend : tested_backends()) std::fprintf(stream, " %s", backend.name);
    std::fprintf(
        stream,
        "\n"
        "  --verbose    print all ways in which a case fails, not only the first\n"
        "Exits with 0 when nothing failed, 1 when a case did, 2 when a file could not be read or it could not run.\n");
}

int complain(const char* complaint) {
    std::fprintf(stderr, "burn-oracle: %s\n", complaint);
    print_usage(stderr);
    return 2;
}

struct Options {
    const char* directory = nullptr;
    const TestedBackend* backend = &tested_backends()[0];
    bool verbose = false;
};

/// All ways in which a case failed on request, else the first and how many more.
void print(const Case& oracle_case, const std::vector<Failure>& failures, bool verbose) {
    const std::size_t shown = verbose ? failures.size() : 1;
    for (std::size_t i = 0; i < shown; ++i) {
        std::printf("FAILED %s (%s): %s: %s\n", oracle_case.name.c_str(), oracle_case.op.c_str(),
                    failures[i].where.c_str(), failures[i].what.c_str());
    }
    if (failures.size() > shown) std::printf("       and %zu more ways\n", failures.size() - shown);
}

/// Takes away the failures that are for want of a primitive. Gives the one that the case itself wants, or "".
std::string take_lacking(std::vector<Failure>& failures, std::map<std::string, int>& left_out) {
    std::string lacks;
    for (const Failure& failure : failures) {
        if (failure.lacks.empty()) continue;
        if (failure.placing) ++left_out[failure.lacks];
        if (!failure.placing) lacks = failure.lacks;
    }
    std::erase_if(failures, [](const Failure& failure) { return !failure.lacks.empty(); });
    return lacks;
}

/// What became of the cases of all families.
struct Tally {
    int passed = 0;
    int failed = 0;
    int families = 0;
    int unread_families = 0;
    std::map<std::string, int> skipped;   // by reason
    std::map<std::string, int> left_out;  // layouts, by primitive
};

void run_one(const Options& options, const Family& family, const Case& oracle_case, Tally& tally) {
    std::vector<Failure> failures;
    std::string lacks;
    try {
        if (const char* reason = skip_reason(oracle_case)) {
            ++tally.skipped[reason];
            return;
        }
        failures = run_case(*options.backend, family, oracle_case);
        lacks = take_lacking(failures, tally.left_out);
    } catch (const nlohmann::ordered_json::exception& error) {
        failures = {{oracle_case.place + ", field args", plain_text(error)}};
    }
    if (!failures.empty()) {
        ++tally.failed;
        print(oracle_case, failures, options.verbose);
    } else if (!lacks.empty()) {
        ++tally.skipped[std::string("the backend ") + options.backend->name + " does not run " + lacks];
    } else {
        ++tally.passed;
    }
}

int summarise(const Options& options, const Tally& tally) {
    for (const auto& [primitive, count] : tally.left_out) {
        std::printf("left out %d layouts: the backend %s does not run %s\n", count, options.backend->name,
                    primitive.c_str());
    }
    int skipped = 0;
    for (const auto& [reason, count] : tally.skipped) {
        std::printf("skipped %d: %s\n", count, reason.c_str());
        skipped += count;
    }
    if (tally.unread_families > 0)
        std::printf("%d of %d families could not be read\n", tally.unread_families, tally.families);
    std::printf("%d passed, %d failed, %d skipped\n", tally.passed, tally.failed, skipped);
    if (tally.unread_families > 0) return 2;
    return tally.failed == 0 ? 0 : 1;
}

int run(const Options& options) {
    Tally tally;
    for (const std::string& stem : find_families(options.directory)) {
        ++tally.families;
        std::optional<Family> family;
        try {
            family = load_family(stem);
        } catch (const burn::Error& error) {
            ++tally.unread_families;
            std::printf("UNREAD %s: %s: %s\n", stem.c_str(), burn::error_name(error.kind()), error.what());
            continue;
        }
        for (const Case& oracle_case : family->cases) run_one(options, *family, oracle_case, tally);
    }
    return summarise(options, tally);
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) {
            print_usage(stdout);
            return 0;
        }
        if (std::strcmp(argv[i], "--backend") == 0) {
            if (++i == argc) return complain("--backend needs a name");
            options.backend = find_backend(argv[i]);
            if (options.backend == nullptr)
                return complain((std::string("there is no backend \"") + argv[i] + '"').c_str());
        } else if (std::strcmp(argv[i], "--verbose") == 0) {
            options.verbose = true;
        } else if (argv[i][0] == '-' || options.directory != nullptr) {
            return complain((std::string("unknown argument \"") + argv[i] + '"').c_str());
        } else {
            options.directory = argv[i];
        }
    }
    if (options.directory == nullptr) return complain("which directory?");
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "burn-oracle: %s\n", error.what());
        return 2;
    }
}
