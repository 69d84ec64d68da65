#pragma once

#include <string>
#include <vector>

namespace burn::cpu {

/// Opens a shared library as dlopen does with these flags; null, and why, where that fails. A name without a folder is looked for
/// on the program's library path.
///
/// The loader's own checks are too few: a library that is cut off would end the program, and one for another processor is
/// said not to be there.
void* open_library(const std::string& name, int flags, std::string& why);

/// Where the file may lie that `open_library` would open, the first place first. What the system's cache of libraries adds to the
/// library path is not here.
std::vector<std::string> library_places(const std::string& name);

}  // namespace burn::cpu
