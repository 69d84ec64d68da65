#pragma once

#include <string>
#include <string_view>

namespace burn::store {

/// A name out of a file, fit for an error message: in double quotes, cut in the middle when longer than 96 bytes;
/// quotes, control characters and bytes that are no UTF-8 are escaped, so that a hostile name can neither hide the
/// message nor steer a terminal.
std::string quote(std::string_view name);

/// The same for a path, where the end matters most: up to 200 bytes, cut at its start.
std::string quote_path(std::string_view path);

/// Whether a text is well-formed UTF-8.
bool is_utf8(std::string_view text);

}  // namespace burn::store
