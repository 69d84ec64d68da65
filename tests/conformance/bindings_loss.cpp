// Losses.
#include "tests/conformance/bindings.h"

#include <burn/nn/loss/binary_cross_entropy.h>
#include <burn/nn/loss/cross_entropy.h>
#include <burn/nn/loss/mse.h>

namespace burn::conformance {

namespace {

ops::Handle weights_of(Call& c) { return c.has_input("weights") ? c.in("weights") : ops::Handle(); }

double smoothing_of(const Call& c) { return c.has("smoothing") ? c.number("smoothing") : 0; }

ops::Handle cross_entropy(Call& c) {
    const Dims pad_tokens = c.has("pad_tokens") ? c.dims("pad_tokens") : Dims();
    const nn::loss::CrossEntropyOptions options{
        {pad_tokens.begin(), pad_tokens.size()}, smoothing_of(c), c.flag("logits")};
    ops::Handle x = c.in("x");
    ops::Handle targets = c.in("targets");
    return nn::loss::cross_entropy(std::move(x), std::move(targets), weights_of(c), options);
}

ops::Handle binary_cross_entropy(Call& c) {
    ops::Handle x = c.in("x");
    ops::Handle targets = c.in("targets");
    return nn::loss::binary_cross_entropy(std::move(x), std::move(targets), weights_of(c), smoothing_of(c),
                                          c.flag("logits"));
}

ops::Handle mse(Call& c) {
    ops::Handle x = c.in("x");
    ops::Handle errors = nn::loss::squared_error(std::move(x), c.in("targets"));
    if (c.text("reduction") == "None") return errors;
    return nn::loss::reduce(std::move(errors),
                            c.text("reduction") == "Sum" ? nn::loss::Reduction::Sum : nn::loss::Reduction::Mean);
}

}  // namespace

void bind_loss(Bindings& bindings) {
    bindings.add_one("CrossEntropyLoss", [](Call& c) { return cross_entropy(c); });
    bindings.add_one("BinaryCrossEntropyLoss", [](Call& c) { return binary_cross_entropy(c); });
    bindings.add_one("MseLoss", [](Call& c) { return mse(c); });
}

}  // namespace burn::conformance
