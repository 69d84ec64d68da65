#include <burn/decorators/autodiff/cotangent_sum.h>

#include <burn/ops/create.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/join.h>
#include <burn/ops/slice.h>

#include <algorithm>
#include <utility>

namespace burn::autodiff {

namespace {

bool is_whole(const Slice& slice, std::int64_t size) { return slice == Slice(0, size); }

/// The first axis of which the region is not all.
std::size_t cut_axis(const ops::SliceList& region, const Shape& shape) {
    std::size_t axis = 0;
    while (axis + 1 < shape.rank() && is_whole(region[axis], shape[axis])) ++axis;
    return axis;
}

ops::Handle sum_of(ops::Handle a, ops::Handle b) { return a ? ops::add(std::move(a), std::move(b)) : b; }

}  // namespace

void CotangentSum::add(ops::Cotangent cotangent) {
    if (cotangent.region.empty()) {
        whole_ = sum_of(std::move(whole_), std::move(cotangent.values));
    } else {
        pieces_.push_back(std::move(cotangent));
    }
}

ops::Handle CotangentSum::take(const Shape& shape) {
    if (pieces_.empty()) return std::move(whole_);
    const std::size_t axis = cut_axis(pieces_[0].region, shape);
    if (!make_up(shape, axis)) return add_one_by_one(shape);
    ops::HandleList pieces;
    for (ops::Cotangent& piece : pieces_) pieces.push_back(std::move(piece.values));
    pieces_.clear();
    return sum_of(std::move(whole_), ops::cat(std::move(pieces), static_cast<std::int64_t>(axis)));
}

/// Whether the pieces, which it sorts, are all of the tensor one after the other along an axis.
bool CotangentSum::make_up(const Shape& shape, std::size_t axis) {
    std::sort(pieces_.begin(), pieces_.end(), [axis](const ops::Cotangent& a, const ops::Cotangent& b) {
        return std::pair(a.region[axis].start, a.region[axis].end) <
               std::pair(b.region[axis].start, b.region[axis].end);
    });
    std::int64_t end = 0;
    for (const ops::Cotangent& piece : pieces_) {
        for (std::size_t other = 0; other < shape.rank(); ++other) {
            if (other != axis && !is_whole(piece.region[other], shape[other])) return false;
        }
        const Slice& along = piece.region[axis];
        if (along.start != end || along.step != 1) return false;
        end = along.end;
    }
    return end == shape[axis];
}

/// Whether a piece may have elements of one before it.
bool CotangentSum::meets_earlier(std::size_t piece) const {
    const ops::SliceList& mine = pieces_[piece].region;
    return std::any_of(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(piece),
                       [&](const ops::Cotangent& earlier) {
                           for (std::size_t axis = 0; axis < mine.size(); ++axis) {
                               const Slice &a = mine[axis], &b = earlier.region[axis];
                               if (a.end <= b.start || b.end <= a.start) return false;
                           }
                           return true;
                       });
}

ops::Handle CotangentSum::add_one_by_one(const Shape& shape) {
    const bool on_zeros = !whole_;
    ops::Handle sum = std::move(whole_);
    if (on_zeros) sum = ops::full(pieces_[0].values.engine(), shape, pieces_[0].values.dtype(), 0);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        auto& [values, region] = pieces_[i];
        if (!on_zeros || meets_earlier(i)) values = ops::add(ops::slice(sum, region), std::move(values));
        sum = ops::slice_assign(std::move(sum), region, std::move(values));
    }
    pieces_.clear();
    return sum;
}

}  // namespace burn::autodiff
