#pragma once

#include "tests/fuzz/programs/oracle.h"
#include "tests/fuzz/programs/program.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

namespace burn::fuzz {

/// What programs were made of: operations by the types and layouts of their operands.
class Coverage {
public:
    void add(const Program& program, const Oracle& oracle);
    /// A line an operation: how often, how many pairs of type and layout, which types; then what never came up.
    std::string report() const;
    /// The operations that never came up.
    std::string missing() const;

private:
    struct Seen {
        std::uint64_t count = 0;
        std::set<std::pair<DType, std::string>> pairs;
    };
    std::map<ops::OpCode, Seen> seen_;
    std::uint64_t reads_ = 0, reads_bits_ = 0, reads_near_ = 0, reads_failed_ = 0, given_away_ = 0, dropped_ = 0,
                  threaded_ = 0, programs_ = 0;
};

}  // namespace burn::fuzz
