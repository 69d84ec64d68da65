#pragma once

#include <string>

namespace burn::cpu::codegen {

/// What tells this build of the plug-in from any other: a hash of its contents that the linker put in.
///
/// Objects on disk carry it, so that none survives a change of the code that made it. Where there is none, a text that no other
/// process has.
std::string build_id();

}  // namespace burn::cpu::codegen
