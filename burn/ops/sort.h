#pragma once

#include <burn/ops/define_op.h>

namespace burn::ops {

/// The elements of an axis in order, and where each came from.
///
///   y[.., i, ..] = x[.., indices[.., i, ..], ..]
///
/// Equal elements stay in the order of their indices, both ascending and descending; NaN comes last in both.
///
/// Shapes    x [.., n, ..] -> y [.., count, ..], indices [.., count, ..]
/// DTypes    Float and Int; y has x's dtype, the indices are I64
/// Gradient  dx = dy added at the indices
/// Errors    DTypeError on Bool; IndexError when the axis is out of range; ArgumentError when count is not within 0 to n
struct Sort {
    static constexpr std::int64_t kAll = -1;

    std::int64_t axis = 0;
    bool descending = false;
    std::int64_t count = kAll;  ///< how many of the first are wanted

    static constexpr OpInfo info{.name = "sort",
                                 .doc = "the elements of an axis in order, and their indices",
                                 .kind = OpKind::Move,
                                 .inputs = 1,
                                 .outputs = 2,
                                 .saves = Saves::output(1)};
    static void fields(auto& self, FieldVisitor& visit) {
        visit.structural("axis", self.axis);
        visit.structural("descending", self.descending);
        visit.structural("count", self.count);
    }
    SpecList infer(std::span<const TensorSpec> inputs);
    void gradient(GradScope& scope) const;
};

Handle sort(Handle x, std::int64_t axis, bool descending = false);
Handle argsort(Handle x, std::int64_t axis, bool descending = false);
/// Values and indices.
HandleList sort_with_indices(Handle x, std::int64_t axis, bool descending = false);

/// The k largest elements of an axis, largest first.
///
/// Errors    ArgumentError when k is not within 0 to n
Handle topk(Handle x, std::int64_t axis, std::int64_t k);
Handle argtopk(Handle x, std::int64_t axis, std::int64_t k);
/// Values and indices.
HandleList topk_with_indices(Handle x, std::int64_t axis, std::int64_t k);

}  // namespace burn::ops
