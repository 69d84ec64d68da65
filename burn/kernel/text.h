#pragma once

#include <burn/kernel/kernel.h>

#include <string>
#include <string_view>

namespace burn::kernel {

/// The kernel as text: a line a node, blocks indented. `parse` reads it back.
///
/// A line is `%id: type = name operands, immediate`, without the first part where a node has no value. Ids are those of the
/// kernel. Numbers are printed so that every bit survives: the shortest decimal that reads back, NaN as its bits.
///
/// Example   kernel double(units 1, plane 1) {
///             %0: f32 = buffer readwrite
///             %1: i64 = cube_index
///             %2: f32 = load %0, %1
///             %3: f32 = constant 8.5
///             %4: bool = lt %2, %3
///             if %4 {
///               %5: f32 = add %2, %2
///               store %0, %1, %5
///             } else {
///               store %0, %1, %3
///             }
///           }
std::string print(const Kernel& kernel);

/// Reads what `print` wrote, or what a person wrote in its form, and verifies it.
///
/// Ids may be any numbers, each defined once before its use; nodes and blocks of the result are numbered in the order of
/// the text, so that what was printed from such a kernel comes back equal. Text from // to the end of a line is a comment.
///
/// Errors    ParseError naming line and what was expected, also for text of more than 16 MiB, 2^20 nodes or kMaxDepth;
///           those of `verify`
Kernel parse(std::string_view text);

}  // namespace burn::kernel
