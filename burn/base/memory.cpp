#include <burn/base/memory.h>

#include <burn/base/config.h>
#include <burn/base/error.h>

#include <bit>
#include <new>

#if BURN_HOSTED
#include <mutex>
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

SizeClass size_class(std::size_t bytes) {
    if (bytes <= kSmallest) return {0, kSmallest};
    const int log = static_cast<int>(std::bit_width(bytes - 1)) - 1;  // 2^log < bytes <= 2^(log+1)
    const std::size_t base = std::size_t{1} << log;
    const std::size_t quarter = base / 4;
    const std::size_t steps = (bytes - base + quarter - 1) / quarter;  // 1..4
    return {(log - 8) * 4 + static_cast<int>(steps), base + steps * quarter};
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

void* system_allocate(std::size_t bytes) {
    return ::operator new(bytes, std::align_val_t{kBlockAlignment}, std::nothrow);
}

void system_release(void* data) { ::operator delete(data, std::align_val_t{kBlockAlignment}); }

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
        system_release(data_);
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
    for (FreeBlock*& list : free_lists) {
        while (list != nullptr) {
            FreeBlock* next = list->next;
            system_release(list);
            list = next;
        }
    }
    report.cached_bytes = 0;
}

}  // namespace burn
