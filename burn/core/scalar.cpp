#include <burn/core/scalar.h>

namespace burn {

Message& operator<<(Message& message, const Scalar& scalar) {
    if (scalar.is_floating()) return message << scalar.to<double>();
    if (scalar.type() == DType::U64) return message << scalar.to<std::uint64_t>();
    return message << scalar.to<std::int64_t>();
}

}  // namespace burn
