// Attention.
#include "tests/conformance/bindings.h"

#include <burn/ops/attention.h>

namespace burn::conformance {

void bind_attention(Bindings& bindings) {
    bindings.add_one("attention", [](Call& c) {
        ops::AttentionOptions options{.is_causal = c.flag("is_causal")};
        if (c.has("scale")) options.scale = c.number("scale");
        if (c.has("softcap")) options.softcap = c.number("softcap");
        ops::Handle query = c.in("query"), key = c.in("key"), value = c.in("value");
        ops::Handle mask = c.has_input("mask") ? c.in("mask") : ops::Handle();
        ops::Handle bias = c.has_input("bias") ? c.in("bias") : ops::Handle();
        return ops::attention(std::move(query), std::move(key), std::move(value), std::move(mask), std::move(bias),
                              options);
    });
}

}  // namespace burn::conformance
