#pragma once

#include <burn/backends/cpu/code_generator.h>

#include <span>
#include <string>

namespace burn::cpu {

/// The entry of the first of `paths` that is a plug-in of this build; nullptr, and of each why, where none is. It is never
/// closed.
///
/// A name without a folder is looked for on the program's library path.
const PluginEntry* open_plugin(std::span<const std::string> paths, std::string& why);

/// The file of the library that holds an address; empty where none does.
std::string file_of(const void* address);

}  // namespace burn::cpu
