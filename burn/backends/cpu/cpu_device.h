#pragma once

#include <burn/compiler/device.h>
#include <burn/ops/engine.h>

namespace burn::cpu {

/// Compiles kernels for the processor and runs them on its threads. Tensors are those of NdArray.
class CpuDevice final : public compiler::Device {
public:
    explicit CpuDevice(ops::Engine& engine) : engine_(engine) {}

    bool compiles() const override;
    std::string why_not_compiling() const override;
    std::size_t vector_bytes() const override;
    compiler::ExecutableRef compile(const kernel::Kernel& kernel) override;
    void launch(const compiler::Executable& executable, std::span<const compiler::Launch> launches) override;
    bool runs_into(const ops::AnyOp& op) const override;
    void run_into(const ops::AnyOp& op, ops::HandleList inputs, const ops::Handle& result,
                  const compiler::Alongside& alongside) override;
    bool takes_prologue(const ops::AnyOp& op, std::span<const TensorSpec> operands) const override;
    ops::Handle make_tensor(const TensorSpec& spec) override;
    ops::Handle make_tensor_in(const ops::Handle& slab, std::uint64_t place, const TensorSpec& spec) override;
    ops::Handle contiguous(const ops::Handle& tensor) override;
    const Layout& layout(const ops::Handle& tensor) const override;
    std::byte* data(const ops::Handle& tensor) const override;
    bool reusable(const ops::Handle& tensor) const override;

private:
    ops::Engine& engine_;
};

}  // namespace burn::cpu
