// What burn-bench found out about a case, as a line of a table and as JSON.
#pragma once

#include <bench/yardstick/case.h>
#include <bench/yardstick/measure.h>

#include <cstdio>

namespace burn::bench {

struct Row {
    std::string name;
    std::string note;
    double bytes = 0;
    double operations = 0;
    double transcendentals = 0;
    Timing timing;
    std::string error;  ///< why there is no time: a wrong result, an operation that was refused
};

/// The least time the work can take: the longer of moving its bytes and of its arithmetic, at the measured rates.
///
/// A lower bound for data that comes from memory; caches are faster than copies of 16 MiB, and reading alone is faster than
/// copying.
double floor_us(const Row& row, const Rates& rates);

void print_header();
void print(const Row& row, const Rates& rates);

/// One object, without a line break.
void write_json(std::FILE* file, const Row& row, const Rates& rates);

}  // namespace burn::bench
