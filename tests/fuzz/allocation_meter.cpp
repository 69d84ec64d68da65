#include "tests/fuzz/allocation_meter.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace burn::fuzz {

namespace {

std::atomic<std::size_t> live_bytes{0};
std::atomic<std::size_t> peak_bytes{0};

void* counted(void* data) {
    if (data == nullptr) return nullptr;
    const std::size_t live = live_bytes += ::malloc_usable_size(data);
    std::size_t peak = peak_bytes;
    while (live > peak && !peak_bytes.compare_exchange_weak(peak, live)) {
    }
    return data;
}

void release(void* data) {
    if (data == nullptr) return;
    live_bytes -= ::malloc_usable_size(data);
    std::free(data);
}

void* aligned(std::size_t size, std::size_t alignment) {
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* or_throw(void* data) {
    if (data == nullptr) throw std::bad_alloc();
    return data;
}

}  // namespace

std::size_t AllocationMeter::live() { return live_bytes; }
std::size_t AllocationMeter::peak() { return peak_bytes; }
void AllocationMeter::reset_peak() { peak_bytes = live_bytes.load(); }

}  // namespace burn::fuzz

using burn::fuzz::aligned;
using burn::fuzz::counted;
using burn::fuzz::or_throw;
using burn::fuzz::release;

void* operator new(std::size_t size) { return counted(or_throw(std::malloc(size))); }
void* operator new[](std::size_t size) { return counted(or_throw(std::malloc(size))); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(std::malloc(size)); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted(or_throw(aligned(size, static_cast<std::size_t>(alignment))));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return counted(aligned(size, static_cast<std::size_t>(alignment)));
}
void operator delete(void* data) noexcept { release(data); }
void operator delete[](void* data) noexcept { release(data); }
void operator delete(void* data, std::size_t) noexcept { release(data); }
void operator delete[](void* data, std::size_t) noexcept { release(data); }
void operator delete(void* data, const std::nothrow_t&) noexcept { release(data); }
void operator delete[](void* data, const std::nothrow_t&) noexcept { release(data); }
void operator delete(void* data, std::align_val_t) noexcept { release(data); }
void operator delete(void* data, std::size_t, std::align_val_t) noexcept { release(data); }
void operator delete(void* data, std::align_val_t, const std::nothrow_t&) noexcept { release(data); }
