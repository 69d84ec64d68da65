#pragma once

#include <burn/ops/engine.h>

#include <array>
#include <vector>

namespace burn::fuzz {

/// How far off results may be: found by computing everything in f64 several times, each time disturbed a little.
///
/// A floating tensor is one undisturbed f64 tensor and eight disturbed ones, four pairs of opposite signs; in one pair all
/// elements of a result are disturbed the same way, as equal elements round the same way. An operation that rounds disturbs its
/// operands and results by `disturbance` of their type; composites are taken apart, so that what they round in between counts
/// too. The spread of the nine is what rounding errors of that size do to a result.
class ShadowEngine final : public ops::Engine {
public:
    static constexpr std::size_t kRuns = 9;
    using Runs = std::array<ops::Handle, kRuns>;

    /// `plain` computes.
    explicit ShadowEngine(ops::Engine& plain) : plain_(plain) {}

    const char* name() const override { return "shadow"; }
    ops::HandleList execute(const ops::AnyOp& op, ops::HandleList inputs, const SpecList& results) override;
    bool runs(ops::OpCode) const override { return true; }
    /// All of them alike.
    ops::Handle upload(TensorData data) override;
    /// The undisturbed one, in its true type.
    Pending<TensorData> read(ops::Handle tensor) override;
    void sync() override {}
    MemoryReport memory() const override { return plain_.memory(); }
    ops::RandomState random_state() const override { return {}; }
    void set_random_state(ops::RandomState) override {}
    ops::RandomState take_random(std::uint64_t) override { return {}; }

    /// Floating tensors in f64, others as they are.
    TensorData read_run(const ops::Handle& tensor, std::size_t run);

private:
    ops::Handle wrap(const TensorSpec& spec, Runs runs);
    /// `terms`: how many of the elements are added up, one after the other in the worst case.
    void disturb(Runs& runs, DType dtype, std::int64_t terms);

    ops::Engine& plain_;
    std::uint64_t state_ = 1;
};

/// Half the distance between neighbours at 1.
double unit_roundoff(DType dtype);
/// What a shadow is disturbed by, in units of roundoff: large enough to show what several roundings do, small enough for
/// half types to stay in the domain of their operations.
double disturbance(DType dtype);

/// Whether the operation gives the bits of its operands' elements, or numbers that need no rounding.
bool moves_only(const ops::AnyOp& op);

}  // namespace burn::fuzz
