#pragma once

#include <burn/ops/grad_scope.h>

#include <vector>

namespace burn::autodiff {

/// The cotangents of one tensor while they come in. Those of regions wait until all are there: pieces that make up the tensor, as
/// of a split, are joined then, where each would need zeros around it and an addition of the whole.
class CotangentSum {
public:
    void add(ops::Cotangent cotangent);
    /// The sum, of a tensor of this shape; empty when nothing was added. Nothing is left here.
    ops::Handle take(const Shape& shape);

private:
    bool make_up(const Shape& shape, std::size_t axis);
    bool meets_earlier(std::size_t piece) const;
    ops::Handle add_one_by_one(const Shape& shape);

    ops::Handle whole_;
    std::vector<ops::Cotangent> pieces_;
};

}  // namespace burn::autodiff
