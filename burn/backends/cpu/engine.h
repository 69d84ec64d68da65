#pragma once

#include <burn/backends/ndarray/engine.h>
#include <burn/compiler/device.h>

namespace burn::cpu {

/// The engine of CpuEager: NdArray's kernels for the library's operations, or another candidate that is better here; compiled
/// ones for those that users wrote.
class CpuEngine final : public ndarray::HostEngine {
public:
    CpuEngine();

    ops::HandleList execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) override;
};

/// The engine of CpuEager's one device, and what fusion needs of it besides.
ops::Engine& eager_engine();
compiler::Device& eager_device();

}  // namespace burn::cpu
