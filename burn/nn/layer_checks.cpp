#include <burn/nn/layer_checks.h>

#include <burn/base/error.h>

namespace burn::nn {

void require_at_least(const char* layer, const char* what, std::int64_t value, std::int64_t least) {
    if (value >= least) return;
    raise(ErrorKind::Argument,
          Message() << layer << ": " << what << " is " << value << "; expected at least " << least);
}

void require_probability(const char* layer, const char* what, double value) {
    if (value >= 0 && value <= 1) return;
    raise(ErrorKind::Argument, Message() << layer << ": " << what << " is " << value << "; expected 0 to 1");
}

}  // namespace burn::nn
