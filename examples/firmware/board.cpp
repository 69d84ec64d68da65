#include "board.h"

#include <burn/base/error.h>

#include <cstddef>
#include <cstdint>
#include <new>

// Start-up, memory and the few functions that compilers expect, for a board without an operating system.

extern "C" {
extern std::uint32_t data_load[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];
extern std::byte heap_begin[], heap_end[];
extern void (*init_array_begin[])();
extern void (*init_array_end[])();
int main();
[[noreturn]] void reset();
[[noreturn]] void fault();
}

namespace {

/// Source    "Semihosting for AArch32 and AArch64", Arm: operation in r0, argument in r1, breakpoint 0xab
std::uint32_t semihosting(std::uint32_t operation, const void* argument) {
    register std::uint32_t r0 asm("r0") = operation;
    register const void* r1 asm("r1") = argument;
    asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void print_error(burn::ErrorKind kind, const char* message) {
    board_print(burn::error_name(kind));
    board_print(": ");
    board_print(message);
    board_print("\n");
    board_exit(1);
}

}  // namespace

void board_print(const char* text) {
    constexpr std::uint32_t kWrite0 = 0x04;
    semihosting(kWrite0, text);
}

void board_exit(int status) {
    constexpr std::uint32_t kExitExtended = 0x20;
    constexpr std::uint32_t kApplicationExit = 0x20026;
    const std::uint32_t block[2] = {kApplicationExit, static_cast<std::uint32_t>(status)};
    semihosting(kExitExtended, block);
    for (;;) {
    }
}

void fault() {
    board_print("processor fault\n");
    board_exit(2);
}

void reset() {
    constexpr std::uintptr_t kCoprocessorAccess = 0xE000ED88;
    *reinterpret_cast<volatile std::uint32_t*>(kCoprocessorAccess) |= 0xFu << 20;  // enable the floating-point unit
    asm volatile("dsb\n isb");
    for (std::size_t i = 0; data_begin + i < data_end; ++i) data_begin[i] = data_load[i];
    for (std::uint32_t* word = bss_begin; word < bss_end; ++word) *word = 0;
    for (auto constructor = init_array_begin; constructor < init_array_end; ++constructor) (*constructor)();
    burn::set_error_handler(print_error);
    board_exit(main());
}

__attribute__((section(".vectors"), used))
const void* const kVectors[] = {stack_top, reinterpret_cast<const void*>(reset), reinterpret_cast<const void*>(fault),
                                reinterpret_cast<const void*>(fault)};

// ---- memory: blocks are only ever taken from the heap; the library's own cache reuses them. Small objects freed are lost,
// which a program that runs a fixed network a few times can afford.

namespace {

std::byte* heap_next = heap_begin;

void* take(std::size_t bytes, std::size_t alignment) {
    const auto address = (reinterpret_cast<std::uintptr_t>(heap_next) + alignment - 1) & ~(alignment - 1);
    if (bytes > reinterpret_cast<std::uintptr_t>(heap_end) - address) return nullptr;
    heap_next = reinterpret_cast<std::byte*>(address + bytes);
    return reinterpret_cast<void*>(address);
}

}  // namespace

void* operator new(std::size_t bytes) {
    void* memory = take(bytes, 8);
    if (memory == nullptr)
        burn::raise(burn::ErrorKind::OutOfMemory, burn::Message() << "the heap of the board is full");
    return memory;
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return take(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
void operator delete(void*, std::align_val_t) noexcept {}
void operator delete(void*, std::size_t, std::align_val_t) noexcept {}
const std::nothrow_t std::nothrow{};

extern "C" {

void* memcpy(void* to, const void* from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) static_cast<volatile char*>(to)[i] = static_cast<const char*>(from)[i];
    return to;
}
void* memset(void* to, int value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) static_cast<volatile char*>(to)[i] = static_cast<char>(value);
    return to;
}
int memcmp(const void* a, const void* b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const int difference =
            static_cast<const volatile unsigned char*>(a)[i] - static_cast<const unsigned char*>(b)[i];
        if (difference != 0) return difference;
    }
    return 0;
}
void __cxa_pure_virtual() { fault(); }
int __aeabi_atexit(void*, void (*)(void*), void*) { return 0; }
void* __dso_handle = nullptr;

}  // extern "C"
