#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace burn {

// Settings that a program takes from its environment. What cannot be understood is told on stderr and does nothing: a word
// mistyped must not end a program, and must not go unseen.

/// Which of `words` the variable says, where 1 and 0 say on and off; the first where it is not set or empty.
std::string_view environment_choice(const char* name, std::initializer_list<std::string_view> words);

/// Whether the variable says on (1, on) or off (0, off); `otherwise` where it is not set or empty.
bool environment_switch(const char* name, bool otherwise);

/// The whole number >= 1 that the variable says, at most `most`; 0 where it is not set or empty.
int environment_count(const char* name, int most);

/// The path from the root, so that it names the same when the program goes to another folder.
std::string absolute_path(std::string_view path);

}  // namespace burn
