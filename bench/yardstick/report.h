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
    Rates rates{1, 1, 1};  ///< what the machine can do at most with as many bytes
    std::string error;     ///< why there is no time: a wrong result, an operation that was refused
};

/// The least time the work can take: the longer of moving its bytes and of its arithmetic, at the measured rates.
///
/// A lower bound for work that moves as much as the copies it is set beside, and reads as much as it writes; smaller caches
/// are faster, and so is reading alone.
double floor_us(const Row& row);

void print_header();
void print(const Row& row);

/// One object, without a line break.
void write_json(std::FILE* file, const Row& row);

}  // namespace burn::bench
