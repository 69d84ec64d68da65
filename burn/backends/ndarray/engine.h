#pragma once

#include <burn/ops/engine.h>

namespace burn::ndarray {

/// The engine of the processor the program runs on: eager, portable, no dependency.
///
/// Thread    all members may be called from several threads
class NdArrayEngine final : public ops::Engine {
public:
    explicit NdArrayEngine(const char* name = "ndarray") : name_(name) {}

    const char* name() const override { return name_; }
    ops::HandleList execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) override;
    bool runs(ops::OpCode code) const override;
    ops::Handle upload(TensorData data) override;
    Pending<TensorData> read(ops::Handle tensor) override;
    void sync() override {}
    MemoryReport memory() const override { return memory_report(); }
    ops::RandomState random_state() const override;
    void set_random_state(ops::RandomState state) override;
    ops::RandomState take_random(std::uint64_t blocks) override;

private:
    const char* name_;
    Atomic<std::uint64_t> random_key_{0};
    Atomic<std::uint64_t> random_counter_{0};
};

}  // namespace burn::ndarray
