// burn-bench: the yardstick's cases on a backend of ours.
#include <bench/yardstick/options.h>
#include <bench/yardstick/report.h>
#include <burn/backends/cpu/cpu.h>
#include <burn/backends/cpu/plugin.h>
#include <burn/backends/ndarray/ndarray.h>
#include <burn/base/parallel.h>
#include <burn/ops/functions.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

namespace {

using burn::bench::BackendChoice;
using burn::bench::Case;
using burn::bench::CaseList;
using burn::bench::Ceilings;
using burn::bench::MissingCase;
using burn::bench::Options;
using burn::bench::Place;
using burn::bench::Rates;
using burn::bench::Row;
using burn::bench::Workload;
using burn::bench::WrongResult;

burn::ops::Engine& engine_of(BackendChoice backend) {
    return backend == BackendChoice::Cpu ? burn::Cpu::engine(0) : burn::NdArray::engine(0);
}
const char* name_of(BackendChoice backend) { return backend == BackendChoice::Cpu ? "cpu" : "ndarray"; }

/// Whether a check refuses a result of which every element is off by one.
bool refuses_wrong(const Workload& work, burn::ops::HandleList results) {
    results[0] = burn::ops::add_scalar(std::move(results[0]), 1);
    try {
        work.check(results);
    } catch (const WrongResult&) {
        return true;
    }
    return false;
}

Row run_case(const Case& one, const Place& place, const Options& options, Ceilings& ceilings) {
    Row row;
    row.name = one.name;
    row.note = one.note;
    try {
        place.engine.set_random_state({1, 0});
        const Workload work = one.setup(place);
        row.bytes = work.bytes;
        row.operations = work.operations;
        row.transcendentals = work.transcendentals;
        place.engine.sync();
        {
            const burn::ops::HandleList results = work.run();
            work.check(results);
            if (options.test && !refuses_wrong(work, results)) row.error = "the check accepts a wrong result";
        }
        if (options.test) return row;
        row.timing = burn::bench::time_calls(
            [&] {
                const burn::ops::HandleList results = work.run();
                place.engine.sync();
            },
            options.seconds);
        row.rates = ceilings.measure(row.bytes, 0.02);
        if (options.plans && options.backend == BackendChoice::Cpu) {
            const burn::ops::HandleList results = work.run();
            std::printf("%s\n", burn::fusion::flush_and_describe(place.engine).c_str());
        }
    } catch (const std::exception& error) {
        row.error = error.what();
    }
    return row;
}

void write_report(const Options& options, const Rates& rates, const std::vector<Row>& rows) {
    std::FILE* file = std::fopen(options.json.c_str(), "w");
    if (file == nullptr) {
        std::fprintf(stderr, "burn-bench: cannot write %s: %s\n", options.json.c_str(), std::strerror(errno));
        std::exit(1);
    }
    std::fprintf(file, "{\"burn\": \"0.1.0\", \"device\": \"%s\", \"threads\": %d, \"quick\": %s,\n",
                 name_of(options.backend), burn::num_threads(), options.quick ? "true" : "false");
    std::fprintf(
        file,
        " \"rates\": {\"copied_bytes\": %.4g, \"operations\": %.4g, \"transcendentals\": %.4g},\n \"rows\": [\n  ",
        rates.copied_bytes, rates.operations, rates.transcendentals);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0) std::fputs(",\n  ", file);
        burn::bench::write_json(file, rows[i]);
    }
    std::fputs("],\n \"missing\": [", file);
    const char* separator = "";
    for (const MissingCase& missing : burn::bench::missing_cases()) {
        std::fprintf(file, "%s{\"case\": \"%s\", \"reason\": \"%s\"}", separator, missing.name, missing.reason);
        separator = ",\n  ";
    }
    std::fputs("]}\n", file);
    std::fclose(file);
}

/// Measures the cases that standard input names as they come, so that another program can be measured in between.
int serve(const CaseList& cases, const Place& place, const Options& options) {
    Ceilings ceilings;
    for (std::string name; std::getline(std::cin, name);) {
        Row row;
        row.name = name;
        row.error = "no such case";
        for (const Case& one : cases) {
            if (name == one.name) row = run_case(one, place, options, ceilings);
        }
        burn::bench::write_json(stdout, row);
        std::puts("");
        std::fflush(stdout);
    }
    return 0;
}

void print_machine(const Options& options, const Rates& rates) {
    std::printf("burn on %s, threads %d", name_of(options.backend), burn::num_threads());
    if (options.backend == BackendChoice::Cpu) {
        const burn::cpu::CodeGenerator* generator = burn::cpu::code_generator();
        std::string target = generator != nullptr ? generator->target() : burn::cpu::why_no_code_generator();
        if (generator != nullptr) target.erase(std::min(target.size(), target.find("; +")));  // the list of features
        std::printf(", %s", target.c_str());
    }
    std::printf("\nat most: %.1f GB/s copied, %.1f GFLOP/s, %.2f G exponentials/s\n", rates.copied_bytes * 1e-9,
                rates.operations * 1e-9, rates.transcendentals * 1e-9);
    burn::bench::print_header();
}

int run(const Options& options) {
    const CaseList cases = burn::bench::all_cases();
    if (options.list) {
        for (const Case& one : cases) std::puts(one.name);
        for (const MissingCase& missing : burn::bench::missing_cases())
            std::printf("%s (missing: %s)\n", missing.name, missing.reason);
        return 0;
    }
    burn::set_num_threads(options.threads);
    const Place place{engine_of(options.backend), options.backend, options.quick};
    if (options.serve) return serve(cases, place, options);
    Ceilings ceilings;
    const Rates rates = options.test ? Rates{1, 1, 1} : ceilings.measure(0, 0.15);
    if (!options.test) print_machine(options, rates);
    std::vector<Row> rows;
    int failed = 0;
    for (const Case& one : cases) {
        if (!options.wants(one.name)) continue;
        rows.push_back(run_case(one, place, options, ceilings));
        failed += rows.back().error.empty() ? 0 : 1;
        if (!options.test || !rows.back().error.empty()) burn::bench::print(rows.back());
    }
    for (const MissingCase& missing : burn::bench::missing_cases())
        std::printf("%-32s missing: %s\n", missing.name, missing.reason);
    if (!options.json.empty()) write_report(options, rates, rows);
    if (options.test) std::printf("%zu cases checked, %d failed\n", rows.size(), failed);
    return failed == 0 && !rows.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) { return run(burn::bench::read_options(count, arguments)); }
