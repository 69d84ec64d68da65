// The command line of burn-bench.
#pragma once

#include <bench/yardstick/case.h>

#include <string>
#include <string_view>

namespace burn::bench {

struct Options {
    BackendChoice backend = BackendChoice::Cpu;
    std::string filter;  ///< parts of the names of the cases wanted, with commas between
    std::string json;    ///< where to write; nothing by default
    int threads = 0;     ///< 0: as many as the library chooses
    double seconds = 0.4;
    bool quick = false;
    bool list = false;
    bool test = false;
    bool serve = false;
    bool plans = false;

    bool wants(std::string_view name) const;
};

/// Prints what is wrong, or the help asked for, and ends the program when there is nothing to do.
Options read_options(int count, char** arguments);

}  // namespace burn::bench
