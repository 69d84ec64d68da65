#include <burn/base/memory.h>

#include <burn/base/config.h>
#include <burn/base/error.h>

#include <bit>
#include <new>

#if BURN_HOSTED
#include <mutex>
#endif
#if BURN_HOSTED && defined(__linux__)
#include <sys/mman.h>
#endif

namespace burn {

namespace {

/// Size classes: powers of two in quarters, so that at most a fifth of a block is waste.
constexpr int kClasses = 4 * 56;
constexpr std::size_t kSmallest = 256;
/// Free memory kept for reuse; beyond it blocks go back to the system.
constexpr std::uint64_t kCacheLimit = std::uint64_t{2} << 30;

struct SizeClass {
    int index;
    std::size_t bytes;
};

std::size_t bytes_of_class(int index) {
    if (index == 0) return kSmallest;
    const std::size_t base = kSmallest << ((index - 1) / 4);
    const std::size_t steps = static_cast<std::size_t>((index - 1) % 4) + 1;
    return base + steps * (base / 4);
}

SizeClass size_class(std::size_t bytes) {
    if (bytes <= kSmallest) return {0, kSmallest};
    const int log = static_cast<int>(std::bit_width(bytes - 1)) - 1;  // 2^log < bytes <= 2^(log+1)
    const std::size_t base = std::size_t{1} << log;
    const std::size_t quarter = base / 4;
    const std::size_t steps = (bytes - base + quarter - 1) / quarter;  // 1..4
    const int index = (log - 8) * 4 + static_cast<int>(steps);
    return {index, bytes_of_class(index)};
}

struct FreeBlock {
    FreeBlock* next;
};

#if BURN_HOSTED
using Lock = std::mutex;
#else
struct Lock {
    void lock() {}
    void unlock() {}
};
#endif

struct Guard {
    explicit Guard(Lock& guarded) : lock(guarded) { lock.lock(); }
    ~Guard() { lock.unlock(); }
    Lock& lock;
};

Lock cache_lock;
FreeBlock* free_lists[kClasses] = {};
MemoryReport report;

/// Under the lock.
void count_live(std::size_t bytes) {
    ++report.live_blocks;
    report.live_bytes += bytes;
    if (report.live_bytes > report.peak_bytes) report.peak_bytes = report.live_bytes;
}

/// Blocks from this size on start at a huge page and ask the system for such pages: what steps through memory in long strides
/// needs a translation of addresses per page. A transpose of 16 MiB takes 0.6 of the time, a copy 0.7.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// What an allocated size is aligned to.
std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{BURN_HOSTED && bytes >= kHugePage ? kHugePage : kBlockAlignment};
}

void* system_allocate(std::size_t bytes) {
    void* data = ::operator new(bytes, alignment_of(bytes), std::nothrow);
#if BURN_HOSTED && defined(__linux__) && defined(MADV_HUGEPAGE)
    // A wish: where it is not granted, pages are small.
    if (data != nullptr && bytes >= kHugePage) madvise(data, bytes, MADV_HUGEPAGE);
#endif
    return data;
}

void system_release(void* data, std::size_t bytes) { ::operator delete(data, alignment_of(bytes)); }

}  // namespace

Ref<Block> Block::make(std::size_t bytes) {
    constexpr std::size_t kLargest = ~std::size_t{0} / 4;
    void* data = nullptr;
    if (bytes <= kLargest) {
        const SizeClass chosen = size_class(bytes);
        {
            Guard guard(cache_lock);
            if (FreeBlock* free = free_lists[chosen.index]) {
                free_lists[chosen.index] = free->next;
                report.cached_bytes -= chosen.bytes;
                count_live(bytes);
                return Ref<Block>(new Block(free, bytes));
            }
        }
        data = system_allocate(chosen.bytes);
        if (data == nullptr) {
            release_cached_memory();
            data = system_allocate(chosen.bytes);
        }
    }
    if (data == nullptr)
        raise(ErrorKind::OutOfMemory, Message() << "cannot allocate " << bytes << " bytes for a tensor");
    Guard guard(cache_lock);
    count_live(bytes);
    return Ref<Block>(new Block(data, bytes));
}

Block::~Block() {
    const SizeClass chosen = size_class(size_);
    Guard guard(cache_lock);
    --report.live_blocks;
    report.live_bytes -= size_;
    if (report.cached_bytes + chosen.bytes > kCacheLimit) {
        system_release(data_, chosen.bytes);
        return;
    }
    report.cached_bytes += chosen.bytes;
    auto* free = new (data_) FreeBlock{free_lists[chosen.index]};
    free_lists[chosen.index] = free;
}

MemoryReport memory_report() {
    Guard guard(cache_lock);
    return report;
}

void release_cached_memory() {
    Guard guard(cache_lock);
    for (int index = 0; index < kClasses; ++index) {
        FreeBlock*& list = free_lists[index];
        while (list != nullptr) {
            FreeBlock* next = list->next;
            system_release(list, bytes_of_class(index));
            list = next;
        }
    }
    report.cached_bytes = 0;
}

}  // namespace burn
