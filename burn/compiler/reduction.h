#pragma once

#include <burn/compiler/columns.h>
#include <burn/kernel/kernel.h>
#include <burn/kernel/value.h>
#include <burn/ops/any_op.h>

#include <optional>
#include <span>
#include <vector>

namespace burn::compiler {

/// How a reducing operation combines elements.
struct ReduceRule {
    kernel::Reduction reduction = kernel::Reduction::Sum;
    bool mean = false;   ///< a sum that is divided at the end
    bool place = false;  ///< where the first extremum is, or the first NaN

    bool operator==(const ReduceRule&) const = default;
};
ReduceRule reduce_rule(ops::OpCode code);
/// Whether an operation has such a rule.
bool is_reduction(ops::OpCode code);
/// The axes that such an operation reduces.
Dims reduced_axes(const ops::AnyOp& op);

/// The neutral element, as a number of the type.
Scalar start_of(kernel::Reduction reduction, DType dtype);

/// Takes a vector along.
void accumulate(const kernel::Variable& sum, kernel::Reduction reduction, const kernel::Value& value,
                const Columns& at);

/// A reduction of a row while it is walked, in each lane of each copy of the loop.
///
/// An extremum of numbers loses a NaN at the element after it, which takes the processor one instruction; so it notes apart,
/// for two copies at once, whether there was one.
class LaneReduction {
public:
    LaneReduction(kernel::Builder& k, kernel::Reduction reduction, kernel::Type type, int copies);

    void take(const kernel::Value& value, const Columns& at) const;
    /// All lanes combined.
    kernel::Value finish() const;

private:
    kernel::Value next(const kernel::Value& old, const kernel::Value& value) const;

    kernel::Reduction reduction_;
    std::vector<kernel::Variable> sums_;  ///< by copy
    std::vector<kernel::Variable> nans_;  ///< by pair of copies, where needed
};

/// The first extremum of a row while it is walked: in each lane the best element so far, and where the vector it was in began.
struct ExtremumPlace {
    kernel::Variable best, column;

    /// What no element of a row of `length` columns has taken yet.
    static ExtremumPlace begin(kernel::Builder& k, kernel::Reduction reduction, kernel::Type type, std::int64_t length);
    void take(kernel::Reduction reduction, const kernel::Value& value, const Columns& at) const;
    /// The column of the first extremum of all lanes.
    static kernel::Value finish(kernel::Builder& k, kernel::Reduction reduction, std::span<const ExtremumPlace> places);
};

/// A reduction of a row in a kernel that walks it.
class RowReduction {
public:
    /// Of elements of this type, in rows of `length` columns.
    RowReduction(const RowWalk& walk, const ReduceRule& rule, DType dtype, std::int64_t length);

    void take(const kernel::Value& value, const Columns& at) const;
    /// The row's element of the result.
    kernel::Value finish() const;

private:
    const RowWalk& walk_;
    ReduceRule rule_;
    std::optional<LaneReduction> lanes_;
    std::vector<ExtremumPlace> places_;  ///< in place of it: one for each copy of the loop
};

/// Combines values pairwise, then their lanes into one element.
kernel::Value combine_all(kernel::Reduction reduction, std::vector<kernel::Value> values);

/// A reduction of columns, or of everything, of which every cube makes a part.
struct PartedReduction {
    ReduceRule rule;
    DType compute = DType::F32;  ///< of the parts
    DType result = DType::F32;
    bool whole = false;      ///< everything: one element
    std::int64_t parts = 0;  ///< how many parts each element of the result has
    std::int64_t width = 1;  ///< elements of the result
    std::int64_t count = 1;  ///< elements that make one of the result
};

/// Whole parts from the parts of cubes.
struct CombineKernel {
    kernel::Kernel kernel;
    std::int64_t cubes = 0;
    std::vector<std::uint64_t> sizes;
};

/// Writes the kernel that combines parts, always in the same order. Its buffers are the parts of each reduction, [parts, width],
/// then the results; its scalars are `sizes`.
CombineKernel combine_parts(std::span<const PartedReduction> reductions, std::uint16_t lanes);

}  // namespace burn::compiler
