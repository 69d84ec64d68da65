#include <burn/core/scalar.h>

namespace burn {

Message& operator<<(Message& message, const Scalar& scalar) {
    if (scalar.is_floating()) return message << scalar.to<double>();
    return message << scalar.to<std::int64_t>();
}

}  // namespace burn
