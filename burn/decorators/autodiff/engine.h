#pragma once

#include <burn/ops/engine.h>

namespace burn::autodiff {

/// Runs operations on an inner engine and remembers how to pull gradients back through them.
///
/// Knows no operation by name: gradient rules come from the operations' classes. Untracked operands cost one branch.
class AutodiffEngine final : public ops::Engine {
public:
    explicit AutodiffEngine(ops::Engine& inner);

    const char* name() const override { return name_.text(); }
    ops::HandleList execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) override;
    bool runs(ops::OpCode code) const override { return inner_.runs(code); }
    ops::Handle upload(TensorData data) override { return wrap(inner_.upload(std::move(data))); }
    Pending<TensorData> read(ops::Handle tensor) override;
    void sync() override { inner_.sync(); }
    MemoryReport memory() const override { return inner_.memory(); }
    DType default_float() const override { return inner_.default_float(); }
    DType default_int() const override { return inner_.default_int(); }
    ops::RandomState random_state() const override { return inner_.random_state(); }
    void set_random_state(ops::RandomState state) override { inner_.set_random_state(state); }
    ops::RandomState take_random(std::uint64_t blocks) override { return inner_.take_random(blocks); }
    ops::Engine* inner() override { return &inner_; }

    /// An untracked tensor of this engine around one of the inner engine.
    ops::Handle wrap(ops::Handle inner);

private:
    ops::Engine& inner_;
    Message name_;
};

}  // namespace burn::autodiff
