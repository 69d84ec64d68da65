#pragma once

#include <burn/base/config.h>

#include <cstdint>

#if BURN_HOSTED
#include <atomic>
#endif

/// Where time goes: marks in the code, and whether anybody looks. How to look: profile_report.h, book/profile.md.

namespace burn::profile {

/// What time was spent on.
enum class Kind : std::uint8_t {
    Operation,  ///< run by a backend, one by one
    Kernel,     ///< a fused or user-written kernel
    Plan,       ///< deciding what is fused
    Compile,    ///< making a kernel ready: compiled, or loaded from disk
};

/// What one call has to do at least. 0: not known.
struct Cost {
    double bytes = 0;       ///< read and written, each tensor once
    double operations = 0;  ///< arithmetic; a product and a sum are two

    Cost& operator+=(const Cost& other) {
        bytes += other.bytes;
        operations += other.operations;
        return *this;
    }
};

#if BURN_HOSTED
namespace detail {
extern std::atomic<bool> measuring;
}
/// Whether somebody measures: one load and one branch, which is all that marks cost where nobody does.
inline bool on() { return detail::measuring.load(std::memory_order_relaxed); }
#else
constexpr bool on() { return false; }
#endif

struct Log;

/// Measures from `begin` to the end of its scope. Spans of one thread lie in each other.
///
/// Example   profile::Span span;
///           if (profile::on()) span.begin(profile::Kind::Operation, "matmul", {bytes, operations});
class Span {
public:
    Span() = default;
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    ~Span() {
        if (log_ != nullptr) end();
    }

#if BURN_HOSTED
    /// `name` is copied.
    void begin(Kind kind, const char* name, const Cost& cost);

private:
    void end();
#else
    void begin(Kind, const char*, const Cost&) {}

private:
    void end() {}
#endif

    Log* log_ = nullptr;  ///< null: it did not begin, and what follows is not set, for that would take time
    Span* parent_;
    std::uint32_t name_;
    std::int64_t begin_;
    std::int64_t inside_;  ///< time of the spans that lie in this one
    double bytes_;
    double operations_;
};

}  // namespace burn::profile
