#pragma once

#include <burn/base/ref.h>

#include <cstddef>
#include <cstdint>

namespace burn {

/// Every large block of the library starts at a multiple of this, so that vector loads never straddle cache lines.
constexpr std::size_t kBlockAlignment = 64;

/// Memory that tensors live in, owned by whoever holds a Ref to it. Its contents start undefined.
///
/// Memory    blocks return to a cache of the process and are reused by size; large ones are in huge pages where the system grants
///           them
/// Errors    OutOfMemoryError from `make`
class Block final : public Counted {
public:
    /// Errors    OutOfMemoryError
    static Ref<Block> make(std::size_t bytes);

    std::byte* data() { return data_; }
    const std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }

protected:
    ~Block() override;

private:
    Block(void* data, std::size_t size) : data_(static_cast<std::byte*>(data)), size_(size) {}

    std::byte* data_;
    std::size_t size_;
};

/// What the process holds in blocks at this moment.
struct MemoryReport {
    std::uint64_t live_blocks = 0;   ///< blocks somebody owns
    std::uint64_t live_bytes = 0;    ///< their sizes
    std::uint64_t peak_bytes = 0;    ///< the most `live_bytes` has been
    std::uint64_t cached_bytes = 0;  ///< free blocks kept for reuse
};

MemoryReport memory_report();

/// Gives every cached free block back to the system.
void release_cached_memory();

}  // namespace burn
