#pragma once

#include <cstddef>

namespace burn {

/// Memory for an object that is made and forgotten by the thousand, such as a tensor. Each thread keeps what it frees in lists
/// by size, which serve it before the system does.
///
/// Memory    a thread keeps at most 256 KiB of each size of up to 1 KiB, and gives them back when it ends; larger
///           objects, and all where a sanitizer watches, come from the system
/// Errors    what `operator new` does when there is no memory
/// Thread    any; an object may be freed by another thread than the one that made it
void* allocate_small(std::size_t bytes);

/// `bytes`: what was asked for.
void free_small(void* memory, std::size_t bytes) noexcept;

}  // namespace burn
