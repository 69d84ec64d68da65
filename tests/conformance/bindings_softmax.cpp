// Softmax and its kin, and the losses made of it.
#include "tests/conformance/bindings.h"

#include <burn/ops/loss.h>
#include <burn/ops/softmax.h>

namespace burn::conformance {

void bind_softmax(Bindings& bindings) {
    bindings.add_one("softmax", [](Call& c) { return ops::softmax(c.in(0), c.integer("dim")); });
    bindings.add_one("log_softmax", [](Call& c) { return ops::log_softmax(c.in(0), c.integer("dim")); });
    bindings.add_one("softmin", [](Call& c) { return ops::softmin(c.in(0), c.integer("dim")); });
    bindings.add_one("cross_entropy_with_logits", [](Call& c) {
        ops::Handle logits = c.in("logits");
        return ops::cross_entropy_with_probabilities(std::move(logits), c.in("target_probs"));
    });
    bindings.add_one("quiet_softmax", [](Call& c) { return ops::quiet_softmax(c.in(0), c.integer("dim")); });
}

}  // namespace burn::conformance
