#pragma once

#include <burn/base/error.h>

namespace burn {

/// Runs `body`; an OutOfMemoryError of it is raised again with the text that `what` gives before it: who wanted the memory.
///
/// A long text is cut, so that the error stays readable. Where there are no exceptions the error goes as it is.
template <class What, class Body>
decltype(auto) with_memory_errors_of([[maybe_unused]] What what, Body body) {
#if BURN_EXCEPTIONS
    constexpr std::size_t kLongest = 200;
    try {
        return body();
    } catch (const OutOfMemoryError& error) {
        const Message who = what();
        Message message;
        message.append(who.text(), who.size() < kLongest ? who.size() : kLongest);
        if (who.size() > kLongest) message << "...";
        raise(ErrorKind::OutOfMemory, message << ": " << error.what());
    }
#else
    return body();
#endif
}

}  // namespace burn
