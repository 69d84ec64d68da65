#include <burn/core/slice.h>

namespace burn {

SliceSpan resolve(const Slice& slice, std::int64_t size, const char* op) {
    if (slice.step == 0)
        raise(ErrorKind::Argument, Message() << op << ": a step of 0 never ends; expected any other number");
    const auto clamp = [size](std::int64_t bound) {
        if (bound < 0) bound = bound < -size ? 0 : bound + size;
        return bound > size ? size : bound;
    };
    const std::int64_t start = clamp(slice.start);
    const std::int64_t end = clamp(slice.end);
    const std::int64_t length = end > start ? end - start : 0;
    if (slice.step > 0) return {start, length / slice.step + (length % slice.step != 0), slice.step};
    // -(step + 1) + 1 would overflow for the lowest step only after the division, so divide first.
    const std::int64_t count = length == 0 ? 0 : 1 + (length - 1) / (slice.step == INT64_MIN ? INT64_MAX : -slice.step);
    return {length == 0 ? 0 : end - 1, count, slice.step};
}

}  // namespace burn
