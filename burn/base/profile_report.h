#pragma once

#include <burn/base/profile.h>

#include <string>
#include <vector>

/// Profiles of the program: a table of what it spent its time on, and a trace to look at.
///
/// The environment variable BURN_PROFILE measures a whole program: with the value 1 the table is printed to stderr when the
/// program ends, with FILE.json a trace is written too.

namespace burn::profile {

/// How many spans a trace has at most; what comes later is only counted.
constexpr std::int64_t kMostEvents = std::int64_t{1} << 20;

/// Measures from now on, from nothing; `traces`: keeps every span, for `trace`.
///
/// Thread    any; all threads are measured
void start(bool traces = false);
/// Measures no more. What was measured stays until the next `start`.
void stop();

/// A line of the table: all calls of one name.
struct Row {
    Kind kind;
    std::string name;
    std::uint64_t calls = 0;
    double seconds = 0;
    double own_seconds = 0;  ///< without the lines that were measured inside
    Cost cost;
};

/// What was measured so far, the most time first.
std::vector<Row> rows();

/// The same as text, and what memory the library holds.
std::string table();
/// A table of these lines.
std::string table(const std::vector<Row>& rows);

/// What was measured so far in the format of Chrome's tracing: open it in Perfetto (ui.perfetto.dev) or chrome://tracing.
///
/// Source    "Trace Event Format", complete events
std::string trace();
/// Writes it to a file: under another name, which it then takes the place of.
///
/// Errors    IoError naming the file and why it cannot be written
void write_trace(const std::string& path);

}  // namespace burn::profile
