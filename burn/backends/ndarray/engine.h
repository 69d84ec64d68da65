#pragma once

#include <burn/ops/engine.h>

namespace burn::ndarray {

struct Table;

/// What engines of the processor the program runs on share: tensors in memory, and a table of functions for operations.
///
/// Thread    all members may be called from several threads
class HostEngine : public ops::Engine {
public:
    /// Runs what the table has; the table lives as long as the engine.
    HostEngine(const char* name, const Table& table) : name_(name), table_(table) {}

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

protected:
    ~HostEngine() = default;

private:
    const char* name_;
    const Table& table_;
    Atomic<std::uint64_t> random_key_{0};
    Atomic<std::uint64_t> random_counter_{0};
};

/// The engine of NdArray: eager, portable, no dependency.
class NdArrayEngine final : public HostEngine {
public:
    NdArrayEngine();
};

}  // namespace burn::ndarray
