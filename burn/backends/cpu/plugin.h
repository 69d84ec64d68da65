#pragma once

#include <burn/backends/cpu/code_generator.h>

#include <string>
#include <vector>

namespace burn::cpu {

/// The code generator for `active_isa()`; nullptr where there is none, which is no error: ask `why_no_code_generator`.
///
/// It lives in a plug-in, burn_cpu_llvm.so, because a compiler is large and costs its start. Looked for at the first call:
/// in the folder that the environment variable BURN_PLUGIN_PATH names, and nowhere else if it names one; beside the running
/// program; in ../lib beside it; where this library was built; where it was installed; on the program's library path. A file that
/// is no plug-in of this build is passed over.
///
/// One that a program of this build has opened before, on this machine, is not opened until something has to be compiled:
/// what it said then is known (KnownPlugins), and kernels on disk are loaded without it (ObjectLoader). If it turns out not to
/// open, there is no code generator any more from then on; the kernels that were loaded stay.
///
/// Thread    any
CodeGenerator* code_generator();

/// Why `code_generator()` is nullptr; empty where it is not.
std::string why_no_code_generator();

/// Where the plug-in may be as the environment is now, the likeliest place first; a name without a folder is for the program's library path.
std::vector<std::string> plugin_paths();

}  // namespace burn::cpu
