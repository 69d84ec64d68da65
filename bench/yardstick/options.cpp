#include <bench/yardstick/options.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace burn::bench {

namespace {

constexpr const char* kUsage = R"(usage: burn-bench [options]

Times the cases of the yardstick on one backend, each with its result checked, beside what the machine can do at most.

  --backend cpu|ndarray   where to run (cpu)
  --filter SUBSTRING,..   only cases with one of these in their names
  --threads N             threads of the library
  --seconds S             measuring time of a case (0.4)
  --json FILE             write the results there too
  --quick                 small tensors
  --plans                 on cpu: say how each case was fused
  --list                  print the names and end
  --test                  check every case on small tensors and time none; fails too when a check accepts a wrong result
  --serve                 read lines "NAME" from standard input, and answer each with a line of JSON
)";

[[noreturn]] void refuse(const char* what, const char* argument) {
    std::fprintf(stderr, "burn-bench: %s: %s\n%s", what, argument, kUsage);
    std::exit(2);
}

}  // namespace

bool Options::wants(std::string_view name) const {
    for (std::size_t begin = 0; begin <= filter.size();) {
        const std::size_t end = std::min(filter.find(',', begin), filter.size());
        if (name.find(std::string_view(filter).substr(begin, end - begin)) != std::string_view::npos) return true;
        begin = end + 1;
    }
    return false;
}

Options read_options(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const char* name = arguments[i];
        const auto is = [name](const char* option) { return std::strcmp(name, option) == 0; };
        const auto value = [&] {
            if (i + 1 == count) refuse("needs a value", name);
            return arguments[++i];
        };
        if (is("--backend")) {
            const std::string backend = value();
            if (backend != "cpu" && backend != "ndarray") refuse("unknown backend", backend.c_str());
            options.backend = backend == "cpu" ? BackendChoice::Cpu : BackendChoice::NdArray;
        } else if (is("--filter")) {
            options.filter = value();
        } else if (is("--json")) {
            options.json = value();
        } else if (is("--threads")) {
            options.threads = std::atoi(value());
            if (options.threads < 1) refuse("must be a positive number", name);
        } else if (is("--seconds")) {
            options.seconds = std::atof(value());
            if (!(options.seconds > 0)) refuse("must be a positive number", name);
        } else if (is("--quick")) {
            options.quick = true;
        } else if (is("--plans")) {
            options.plans = true;
        } else if (is("--list")) {
            options.list = true;
        } else if (is("--test")) {
            options.test = options.quick = true;
        } else if (is("--serve")) {
            options.serve = true;
        } else if (is("--help") || is("-h")) {
            std::fputs(kUsage, stdout);
            std::exit(0);
        } else {
            refuse("unknown option", name);
        }
    }
    return options;
}

}  // namespace burn::bench
