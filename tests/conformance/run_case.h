#pragma once

#include "tests/conformance/backends.h"
#include "tests/conformance/bindings.h"

#include <string>
#include <vector>

namespace burn::conformance {

/// One way in which a case went wrong.
struct Failure {
    std::string where;  ///< engine, layout, output or gradient
    std::string what;
    std::string lacks = {};  ///< the primitive that the backend does not run, where that is why
    bool placing = false;    ///< it was already missing for placing the operands, not for the case
};

/// Runs a case on a backend and its autodiff form, on every placement of the operands:
///   plain       forward, operands shared; they must keep their values
///   given away  forward, operands owned by nobody else, so that buffers may be reused
///   mixed       forward, each operand placed otherwise
///   untracked   forward under autodiff
///   tracked     forward under autodiff with gradients wanted, then the gradients
/// Gives what failed; nothing for a case that passes. A placement that the backend has no views for is one failure, which says
/// so; so is a tensor that the file lacks.
std::vector<Failure> run_case(const TestedBackend& backend, const Family& family, const Case& oracle_case);

}  // namespace burn::conformance
