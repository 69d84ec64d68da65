#pragma once

#include <burn/base/error.h>

namespace burn {

/// What an object holds by a pointer that moving leaves empty.
///
/// Errors    ArgumentError naming the object's type when the object was moved from
/// Example   std::size_t size() const { return held(items_, "InMemoryDataset").size(); }
template <class Pointer>
auto& held(const Pointer& pointer, const char* type) {
    if (!pointer) [[unlikely]]
        raise(ErrorKind::Argument, Message() << type << ": used after it was moved from");
    return *pointer;
}

}  // namespace burn
