#pragma once

#include <burn/kernel/kernel.h>

#include <string>
#include <string_view>

namespace burn::kernel {

/// The kernel as text: a line a node, blocks indented. `parse` reads it back.
///
/// Example   kernel double(units 1, plane 1) {
///             %0: f32 = buffer readwrite
///             %1: i64 = cube_index
///             %2: f32 = load %0, %1
///             %3: f32 = add %2, %2
///             store %0, %1, %3
///           }
std::string print(const Kernel& kernel);

/// Reads what `print` wrote, or what a person wrote in its form, and verifies it.
///
/// Errors    ParseError naming line and what was expected; those of `verify`
Kernel parse(std::string_view text);

}  // namespace burn::kernel
