#pragma once

#include <burn/base/error.h>

#if BURN_EXCEPTIONS
#include <new>
#endif

namespace burn {

/// What is said of std::bad_alloc, which does not tell how much was asked for.
inline constexpr const char* kNoMemoryLeft = "the host has no memory left";

namespace detail {

/// Raises an OutOfMemoryError that begins with `who`, cut where it is long, so that the error stays readable.
[[noreturn]] inline void raise_out_of_memory(const Message& who, const char* error) {
    constexpr std::size_t kLongest = 200;
    Message message;
    message.append(who.text(), who.size() < kLongest ? who.size() : kLongest);
    if (who.size() > kLongest) message << "...";
    raise(ErrorKind::OutOfMemory, message << ": " << error);
}

}  // namespace detail

/// Runs `body`; an OutOfMemoryError of it is raised again with the text that `what` gives before it: who wanted the memory.
/// So is the standard library's std::bad_alloc.
///
/// Where there are no exceptions the error goes as it is.
template <class What, class Body>
decltype(auto) with_memory_errors_of([[maybe_unused]] What what, Body body) {
#if BURN_EXCEPTIONS
    try {
        return body();
    } catch (const OutOfMemoryError& error) {
        detail::raise_out_of_memory(what(), error.what());
    } catch (const std::bad_alloc&) {
        detail::raise_out_of_memory(what(), kNoMemoryLeft);
    }
#else
    return body();
#endif
}

}  // namespace burn
