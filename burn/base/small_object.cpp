#include <burn/base/small_object.h>

#include <burn/base/config.h>

#include <new>

// A sanitizer must see every allocation; bare metal has neither threads nor memory to keep.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !BURN_HOSTED
#define BURN_KEEPS_SMALL_OBJECTS 0
#elif defined(__has_feature)
#define BURN_KEEPS_SMALL_OBJECTS !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define BURN_KEEPS_SMALL_OBJECTS 1
#endif

namespace burn {

#if BURN_KEEPS_SMALL_OBJECTS

namespace {

constexpr std::size_t kStep = 32, kLargest = 1024, kLists = kLargest / kStep;
constexpr std::size_t kMostKept = 256 * 1024;  // bytes of one size

struct Free {
    Free* next;
};

struct List {
    Free* first;
    std::size_t bytes;
};

enum class State : unsigned char { Unused, InUse, Gone };

// Plain data, so that they can be used as long as the thread runs, whatever else it has destroyed already.
thread_local constinit List lists[kLists] = {};
thread_local constinit State state = State::Unused;

std::size_t index_of(std::size_t bytes) { return bytes == 0 ? 0 : (bytes - 1) / kStep; }
std::size_t rounded(std::size_t index) { return (index + 1) * kStep; }

/// Gives everything back when the thread ends.
struct Keeper {
    Keeper() { state = State::InUse; }
    ~Keeper() {
        state = State::Gone;
        for (List& list : lists) {
            while (list.first != nullptr) {
                Free* next = list.first->next;
                ::operator delete(list.first);
                list.first = next;
            }
        }
    }
};

/// Whether this thread may keep something from here on.
[[gnu::noinline]] bool starts_to_keep() {
    if (state == State::Gone) return false;
    thread_local Keeper keeper;
    return state == State::InUse;
}

}  // namespace

void* allocate_small(std::size_t bytes) {
    if (bytes > kLargest) return ::operator new(bytes);
    const std::size_t index = index_of(bytes);
    List& list = lists[index];
    Free* found = list.first;
    if (found == nullptr) return ::operator new(rounded(index));
    list.first = found->next;
    list.bytes -= rounded(index);
    return found;
}

void free_small(void* memory, std::size_t bytes) noexcept {
    if (bytes > kLargest) return ::operator delete(memory);
    const std::size_t index = index_of(bytes);
    List& list = lists[index];
    if (list.bytes >= kMostKept || (state != State::InUse && !starts_to_keep())) return ::operator delete(memory);
    list.first = new (memory) Free{list.first};
    list.bytes += rounded(index);
}

#else

void* allocate_small(std::size_t bytes) { return ::operator new(bytes); }
void free_small(void* memory, std::size_t) noexcept { ::operator delete(memory); }

#endif

}  // namespace burn
