#pragma once

#include "tests/conformance/case.h"

#include <span>

namespace burn::conformance {

/// Operations of the stored results that the library does not have yet, and why. The only place where any is left out.
struct NotCovered {
    const char* op;
    const char* reason;
};

std::span<const NotCovered> not_covered();

/// Why a case is skipped; null when it is run. Besides the operations above: cases that state another library's rule where
/// two rules are in use and the case says which.
const char* skip_reason(const Case& oracle_case);

}  // namespace burn::conformance
