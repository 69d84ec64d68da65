#pragma once

#include <burn/base/function_ref.h>
#include <burn/compiler/segment.h>
#include <burn/compiler/structure_key.h>

#include <span>
#include <vector>

namespace burn::compiler {

/// A segment while it is written down: what each run of it needs, and the key that finds its plan.
///
/// The key holds operations with structural attributes, who takes whose result, specs, strides and liveness; run-time attributes
/// are left out. The segment itself is put together only where there is no plan yet.
class Recording {
public:
    /// A value from outside.
    ValueId add_external(const TensorSpec& spec);
    /// Appends an operation on values that are there; gives its first result, which the others follow.
    ValueId add(const ops::AnyOp& op, std::span<const ValueId> inputs, const SpecList& results);

    /// Ends the segment, where it becomes known which values outlive it.
    void end(FunctionRef<bool(ValueId)> is_live);
    /// After the end, how each value from outside lies in memory, in their order; nothing for one that is not there.
    void add_layout(const Dims& strides);

    bool empty() const { return ops_.empty(); }
    /// The values from outside, in their order.
    std::span<const ValueId> externals() const { return externals_; }
    bool is_live(ValueId value) const { return (live_[value / 64] >> (value % 64) & 1) != 0; }
    /// The operations with all their attributes.
    std::span<const ops::AnyOp> ops() const { return ops_; }
    const StructureKey& key() const { return key_; }

    /// The segment, after its end; `spec_of` gives what was recorded of a value, `layout_of` how one from outside lies in memory.
    Segment segment(FunctionRef<const TensorSpec&(ValueId)> spec_of, FunctionRef<Layout(ValueId)> layout_of) const;

    void clear();

private:
    /// How many values an operation takes and makes.
    struct Arity {
        std::uint32_t inputs;
        std::uint32_t outputs;
    };

    std::vector<ops::AnyOp> ops_;
    std::vector<Arity> arities_;     ///< by operation
    std::vector<ValueId> operands_;  ///< of all operations in a row
    std::vector<ValueId> externals_;
    std::size_t values_ = 0;
    std::vector<std::uint64_t> live_;  ///< a bit a value
    StructureKey key_;
};

}  // namespace burn::compiler
