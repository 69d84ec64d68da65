#pragma once

#include <burn/base/error.h>

#include <concepts>
#include <limits>

namespace burn {

/// The same number in another integer type.
///
/// Errors    of `kind`, naming `what` and the number as it was given, when the type does not have it
template <std::integral To, std::integral From>
constexpr To exact_integer(From value, ErrorKind kind, const char* what) {
    const To result = static_cast<To>(value);
    if (static_cast<From>(result) != value || (result < To{0}) != (value < From{0})) [[unlikely]] {
        raise(kind, Message() << what << " is " << value << "; expected " << std::numeric_limits<To>::min() << " to "
                              << std::numeric_limits<To>::max());
    }
    return result;
}

}  // namespace burn
