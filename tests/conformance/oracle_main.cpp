// burn-oracle DIR [--backend B] [--verbose]: runs a directory of stored results against a backend.
//
// Prints each failing case (its operation, where, the worst difference) and a last line "N passed, N failed, N skipped".
// A case that needs a primitive which the backend does not run is skipped; layouts that it has no views for are left out.
// Exits with 0 when nothing failed, 1 when something did, 2 when it could not run.
#include "tests/conformance/not_covered.h"
#include "tests/conformance/run_case.h"

#include <cstdio>
#include <cstring>
#include <map>

namespace {

using namespace burn::conformance;

int usage(const char* complaint) {
    std::fprintf(stderr, "burn-oracle: %s\nusage: burn-oracle DIR [--backend B] [--verbose]; B is one of:", complaint);
    for (const TestedBackend& backend : tested_backends()) std::fprintf(stderr, " %s", backend.name);
    std::fprintf(stderr, "\n");
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

int run(const Options& options) {
    int passed = 0;
    int failed = 0;
    std::map<std::string, int> skipped;
    std::map<std::string, int> left_out;
    const std::string does_not_run = std::string("the backend ") + options.backend->name + " does not run ";
    for (const std::string& stem : find_families(options.directory)) {
        const Family family = load_family(stem);
        for (const Case& oracle_case : family.cases) {
            if (const char* reason = skip_reason(oracle_case)) {
                ++skipped[reason];
                continue;
            }
            std::vector<Failure> failures = run_case(*options.backend, family, oracle_case);
            const std::string lacks = take_lacking(failures, left_out);
            if (!failures.empty()) {
                ++failed;
                print(oracle_case, failures, options.verbose);
            } else if (!lacks.empty()) {
                ++skipped[does_not_run + lacks];
            } else {
                ++passed;
            }
        }
    }
    for (const auto& [primitive, count] : left_out)
        std::printf("left out %d layouts: %s%s\n", count, does_not_run.c_str(), primitive.c_str());
    int skipped_count = 0;
    for (const auto& [reason, count] : skipped) {
        std::printf("skipped %d: %s\n", count, reason.c_str());
        skipped_count += count;
    }
    std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped_count);
    return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--backend") == 0) {
            if (++i == argc) return usage("--backend needs a name");
            options.backend = find_backend(argv[i]);
            if (options.backend == nullptr)
                return usage((std::string("there is no backend \"") + argv[i] + '"').c_str());
        } else if (std::strcmp(argv[i], "--verbose") == 0) {
            options.verbose = true;
        } else if (argv[i][0] == '-' || options.directory != nullptr) {
            return usage((std::string("unknown argument \"") + argv[i] + '"').c_str());
        } else {
            options.directory = argv[i];
        }
    }
    if (options.directory == nullptr) return usage("which directory?");
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "burn-oracle: %s\n", error.what());
        return 2;
    }
}
