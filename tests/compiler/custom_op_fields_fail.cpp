// A user's operation names its attributes, for plans are found by them.
#include <burn/compiler/custom_op.h>

struct Copy {
    double factor = 1;

    static constexpr burn::custom::Info info{.name = "copy", .inputs = 1};
#ifndef MUST_NOT_COMPILE
    static void fields(auto& self, burn::ops::FieldVisitor& visit) { visit.runtime("factor", self.factor); }
#endif
    burn::SpecList infer(std::span<const burn::TensorSpec> inputs) const { return {inputs[0]}; }
    burn::ops::HandleList decompose(burn::ops::HandleList inputs) const { return inputs; }
};

burn::ops::Handle copy(burn::ops::Handle x) { return burn::custom::apply(Copy{}, x); }
