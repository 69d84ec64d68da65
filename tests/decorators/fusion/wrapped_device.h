#pragma once

#include <burn/backends/cpu/cpu.h>
#include <burn/compiler/device.h>

namespace burn::fusion {

/// The processor's device, for tests that watch what is asked of it or make it fail.
class WrappedDevice : public compiler::Device {
public:
    bool compiles() const override { return true; }
    std::size_t vector_bytes() const override { return device_.vector_bytes(); }
    compiler::ExecutableRef compile(const kernel::Kernel& kernel) override { return device_.compile(kernel); }
    void launch(const compiler::Executable& executable, std::span<const compiler::Launch> launches) override {
        device_.launch(executable, launches);
    }
    bool runs_into(const ops::AnyOp& op) const override { return device_.runs_into(op); }
    void run_into(const ops::AnyOp& op, ops::HandleList inputs, const ops::Handle& result,
                  const compiler::Alongside& alongside) override {
        device_.run_into(op, std::move(inputs), result, alongside);
    }
    bool takes_prologue(const ops::AnyOp& op, std::span<const TensorSpec> operands) const override {
        return device_.takes_prologue(op, operands);
    }
    ops::Handle make_tensor(const TensorSpec& spec) override { return device_.make_tensor(spec); }
    ops::Handle make_tensor_in(const ops::Handle& slab, std::uint64_t place, const TensorSpec& spec) override {
        return device_.make_tensor_in(slab, place, spec);
    }
    ops::Handle contiguous(const ops::Handle& tensor) override { return device_.contiguous(tensor); }
    const Layout& layout(const ops::Handle& tensor) const override { return device_.layout(tensor); }
    std::byte* data(const ops::Handle& tensor) const override { return device_.data(tensor); }
    bool reusable(const ops::Handle& tensor) const override { return device_.reusable(tensor); }

protected:
    ~WrappedDevice() = default;

private:
    compiler::Device& device_ = CpuEager::compiler_device(0);
};

}  // namespace burn::fusion
