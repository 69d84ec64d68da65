#pragma once

#include <burn/ops/engine.h>

#include <vector>

namespace toy {

using burn::Dims;
using burn::Shape;
using burn::SpecList;
using burn::TensorSpec;
using burn::ops::Handle;
using burn::ops::HandleList;

/// A tensor of the toy backend: its values in row-major order, whatever its dtype.
class ToyTensor final : public burn::ops::EngineTensor {
public:
    ToyTensor(burn::ops::Engine& engine, const TensorSpec& spec, std::vector<double> values)
        : EngineTensor(engine, spec), values(std::move(values)) {}

    const std::vector<double> values;
};

/// The operands of one operation, and what its results must look like.
struct Args {
    burn::ops::Engine& engine;
    HandleList inputs;
    const SpecList& results;

    const std::vector<double>& values(std::size_t i) const { return static_cast<ToyTensor*>(inputs[i].get())->values; }
    const Shape& shape(std::size_t i) const { return inputs[i].shape(); }
    const Shape& result_shape() const { return results[0].shape; }
    Handle result(std::vector<double> values) const {
        return Handle(burn::make_ref<ToyTensor>(engine, results[0], std::move(values)));
    }
};

}  // namespace toy
