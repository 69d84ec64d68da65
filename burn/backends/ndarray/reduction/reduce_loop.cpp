#include <burn/backends/ndarray/reduction/reduce_loop.h>

#include <burn/base/order.h>
#include <burn/base/parallel.h>

namespace burn::ndarray {

namespace {

/// Results that are accumulated side by side where the fastest axis is kept.
constexpr std::int64_t kNarrowTile = BURN_HOSTED ? 256 : 32;
/// As many where that leaves enough for several threads, tiles or chunks of one: whole rows are read.
constexpr std::int64_t kWideTile = BURN_HOSTED ? 2048 : 32;
/// Memory for a tile of accumulators: most of the first-level cache is left to the elements.
constexpr std::size_t kTileBytes = BURN_HOSTED ? 8192 : 768;
/// Elements of each result that one chunk of a tile folds at least.
constexpr std::int64_t kLeastSteps = 128;
/// Fewer results than this side by side are not worth it: each is folded by itself, with strides.
constexpr std::int64_t kLeastTile = 8;
/// Elements folded into one accumulator (or tile) before it is merged: bounds rounding, and is what threads share out.
constexpr std::int64_t kChunk = 32 * 1024;
constexpr std::int64_t kParallelElements = 16 * 1024;
/// With fewer tiles than this, threads share the chunks of each; a number of its own, so that bits do not depend on threads.
constexpr std::int64_t kFewTiles = 16;
constexpr std::size_t kLargestAccumulator = 24;

/// An axis of the loop; strides in bytes.
struct Axis {
    std::int64_t size;
    std::int64_t in;
    std::int64_t out;
};
using AxisList = SmallVector<Axis, kMaxRank>;

std::int64_t count_of(const AxisList& axes) {
    std::int64_t count = 1;
    for (const Axis& axis : axes) count *= axis.size;
    return count;
}

std::int64_t distance(std::int64_t stride) { return stride < 0 ? -stride : stride; }

/// Adds an axis inside the others, joined with the last one where both step evenly.
void append(AxisList& axes, Axis axis) {
    if (axis.size == 1) return;
    if (!axes.empty() && axes.back().in == axis.in * axis.size && axes.back().out == axis.out * axis.size) {
        axes.back() = {axes.back().size * axis.size, axis.in, axis.out};
    } else {
        axes.push_back(axis);
    }
}

/// The axis whose elements lie closest together; 0 when there are none.
std::size_t fastest(const AxisList& axes) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < axes.size(); ++i) {
        if (distance(axes[i].in) <= distance(axes[best].in)) best = i;
    }
    return best;
}

Axis take(AxisList& axes, std::size_t index) {
    const Axis taken = axes[index];
    for (std::size_t i = index; i + 1 < axes.size(); ++i) axes[i] = axes[i + 1];
    axes.pop_back();
    return taken;
}

/// Walks the indices of some axes in row-major order, with the byte offsets that belong to them.
class Odometer {
public:
    Odometer(const AxisList& axes, std::int64_t start) : axes_(axes) {
        for (std::size_t i = axes.size(); start != 0 && i-- > 0;) {
            if (axes[i].size == 0) continue;
            index_[i] = start % axes[i].size;
            start /= axes[i].size;
            in_ += index_[i] * axes[i].in;
            out_ += index_[i] * axes[i].out;
        }
    }
    void next() {
        for (std::size_t i = axes_.size(); i-- > 0;) {
            in_ += axes_[i].in;
            out_ += axes_[i].out;
            if (++index_[i] < axes_[i].size) return;
            in_ -= axes_[i].size * axes_[i].in;
            out_ -= axes_[i].size * axes_[i].out;
            index_[i] = 0;
        }
    }
    /// Indices of the last axis from this one on, until it ends.
    std::int64_t left() const { return axes_.back().size - index_[axes_.size() - 1]; }
    /// `count` indices of the last axis at once, at most those left.
    void advance(std::int64_t count) {
        const std::size_t last = axes_.size() - 1;
        index_[last] += count - 1;
        in_ += (count - 1) * axes_[last].in;
        out_ += (count - 1) * axes_[last].out;
        next();
    }
    std::int64_t in() const { return in_; }
    std::int64_t out() const { return out_; }
    std::int64_t index(std::size_t axis) const { return index_[axis]; }

private:
    const AxisList& axes_;
    std::int64_t index_[kMaxRank + 1] = {};
    std::int64_t in_ = 0;
    std::int64_t out_ = 0;
};

class Reduction {
public:
    Reduction(const ReduceKernel& kernel, const NdTensor& input, const NdTensor& output, const Dims& axes,
              double divisor)
        : kernel_(kernel), in_(input.bytes()), out_(output.bytes()), divisor_(divisor) {
        split_axes(input, output, axes);
        choose_direction();
        steps_ = count_of(reduced_);
        const auto most = static_cast<std::int64_t>(kTileBytes / kernel.accumulator_size);
        const bool many = steps_ >= kFewTiles * kLeastSteps / 2 ||
                          count_of(kept_) * ((inner_.size + kWideTile - 1) / kWideTile) >= kFewTiles;
        tile_ = least(most, many ? kWideTile : kNarrowTile);
        step_size_ = columns_ ? least(inner_.size, tile_) : least(inner_.size, kChunk);
        tiles_per_row_ = columns_ ? (inner_.size + tile_ - 1) / tile_ : 1;
        tiles_ = count_of(kept_) * tiles_per_row_;
        steps_per_chunk_ =
            greatest<std::int64_t>(columns_ ? kLeastSteps : 1, kChunk / greatest<std::int64_t>(1, step_size_));
        chunks_ = greatest<std::int64_t>(1, (steps_ + steps_per_chunk_ - 1) / steps_per_chunk_);
    }

    void run() {
        if (tiles_ == 0) return;
        if (tiles_ < kFewTiles && chunks_ > 1) return run_chunks();
        const std::int64_t work = greatest<std::int64_t>(1, steps_ * step_size_);
        parallel_for(tiles_, 1 + kParallelElements / work, [&](std::int64_t begin, std::int64_t end) {
            alignas(64) std::byte total[kTileBytes];
            alignas(64) std::byte part[kTileBytes];
            for (Tiles tile(*this, begin); tile.number() < end; tile.next()) {
                fold_chunk(tile, 0, total);
                for (std::int64_t chunk = 1; chunk < chunks_; ++chunk) {
                    fold_chunk(tile, chunk, part);
                    kernel_.merge(total, part, tile.width());
                }
                finish(tile, total);
            }
        });
    }

private:
    void split_axes(const NdTensor& input, const NdTensor& output, const Dims& axes) {
        const Layout& from = input.layout();
        const Layout& to = output.layout();
        const auto in_size = static_cast<std::int64_t>(size_of(input.spec().dtype));
        const auto out_size = static_cast<std::int64_t>(size_of(output.spec().dtype));
        for (std::size_t i = 0, next = 0; i < from.shape.rank(); ++i) {
            const bool reduces = next < axes.size() && axes[next] == static_cast<std::int64_t>(i);
            const Axis axis{from.shape[i], from.strides[i] * in_size, reduces ? 0 : to.strides[i] * out_size};
            append(reduces ? reduced_ : kept_, axis);
            next += reduces ? 1 : 0;
        }
    }

    /// Takes the axis of the inner loop out of its list: the fastest of all, if it is long enough.
    void choose_direction() {
        const std::size_t kept = fastest(kept_);
        const std::size_t reduced = fastest(reduced_);
        columns_ = !kept_.empty() && kept_[kept].size >= kLeastTile &&
                   (reduced_.empty() || distance(kept_[kept].in) < distance(reduced_[reduced].in));
        if (columns_) {
            inner_ = take(kept_, kept);
        } else {
            if (!reduced_.empty()) inner_ = take(reduced_, reduced);
            reduced_.push_back({(inner_.size + kChunk - 1) / kChunk, kChunk * inner_.in, 0});
        }
    }

    /// Walks the tiles. Between neighbours nothing is divided, which would take as long as folding a short row.
    class Tiles {
    public:
        Tiles(const Reduction& reduction, std::int64_t first)
            : reduction_(reduction), kept_(reduction.kept_, first / reduction.tiles_per_row_), number_(first),
              in_row_(first % reduction.tiles_per_row_) {}
        void next() {
            ++number_;
            if (++in_row_ < reduction_.tiles_per_row_) return;
            in_row_ = 0;
            kept_.next();
        }
        std::int64_t number() const { return number_; }
        std::int64_t width() const {
            return reduction_.columns_ ? least(reduction_.tile_, reduction_.inner_.size - start()) : 1;
        }
        std::int64_t in() const { return kept_.in() + (reduction_.columns_ ? start() * reduction_.inner_.in : 0); }
        std::int64_t out() const { return kept_.out() + (reduction_.columns_ ? start() * reduction_.inner_.out : 0); }

    private:
        std::int64_t start() const { return in_row_ * reduction_.tile_; }

        const Reduction& reduction_;
        Odometer kept_;
        std::int64_t number_;
        std::int64_t in_row_;
    };

    /// Accumulators of one chunk of the elements that end in one tile.
    void fold_chunk(const Tiles& tile, std::int64_t chunk, std::byte* accumulators) const {
        kernel_.start(accumulators, tile.width());
        const std::int64_t begin = chunk * steps_per_chunk_;
        const std::int64_t end = least(steps_, begin + steps_per_chunk_);
        Odometer at(reduced_, begin);
        const std::byte* base = in_ + tile.in();
        if (!columns_) {
            for (std::int64_t step = begin; step < end; ++step, at.next()) {
                const std::int64_t first = at.index(reduced_.size() - 1) * kChunk;
                kernel_.fold_row(accumulators, {base + at.in(), least(kChunk, inner_.size - first), inner_.in, first});
            }
            return;
        }
        for (std::int64_t step = begin; step < end;) {
            const std::int64_t runs = reduced_.empty() ? 1 : least(end - step, at.left());
            kernel_.fold_columns(
                accumulators,
                {{base + at.in(), tile.width(), inner_.in, step}, runs, reduced_.empty() ? 0 : reduced_.back().in});
            step += runs;
            if (step < end) at.advance(runs);
        }
    }

    void finish(const Tiles& tile, const std::byte* accumulators) const {
        kernel_.finish(accumulators, out_ + tile.out(), tile.width(), columns_ ? inner_.out : 0, divisor_);
    }

    /// Few results of many elements: threads fold chunks, then one merges them in order.
    void run_chunks() {
        const std::size_t stride =
            static_cast<std::size_t>(columns_ ? least(inner_.size, tile_) : 1) * kernel_.accumulator_size;
        const Ref<Block> parts = Block::make(static_cast<std::size_t>(tiles_ * chunks_) * stride);
        parallel_for(tiles_ * chunks_, 1 + kParallelElements / (steps_per_chunk_ * step_size_),
                     [&](std::int64_t begin, std::int64_t end) {
                         for (std::int64_t job = begin; job < end; ++job) {
                             fold_chunk(Tiles(*this, job / chunks_), job % chunks_,
                                        parts->data() + static_cast<std::size_t>(job) * stride);
                         }
                     });
        for (Tiles tile(*this, 0); tile.number() < tiles_; tile.next()) {
            std::byte* total = parts->data() + static_cast<std::size_t>(tile.number() * chunks_) * stride;
            for (std::int64_t chunk = 1; chunk < chunks_; ++chunk) {
                kernel_.merge(total, total + static_cast<std::size_t>(chunk) * stride, tile.width());
            }
            finish(tile, total);
        }
    }

    const ReduceKernel& kernel_;
    const std::byte* in_;
    std::byte* out_;
    double divisor_;
    AxisList kept_;
    AxisList reduced_;
    Axis inner_{1, 0, 0};
    bool columns_ = false;    ///< the inner axis is kept: a tile of results is accumulated side by side
    std::int64_t tile_;       ///< results side by side
    std::int64_t step_size_;  ///< elements of one inner loop
    std::int64_t tiles_per_row_;
    std::int64_t tiles_;
    std::int64_t steps_;  ///< inner loops per tile
    std::int64_t steps_per_chunk_;
    std::int64_t chunks_;
};

}  // namespace

void reduce(const ReduceKernel& kernel, const NdTensor& input, const NdTensor& output, const Dims& axes,
            double divisor) {
    require_internal(kernel.accumulator_size <= kLargestAccumulator, "reduce: an accumulator is larger than planned");
    Reduction(kernel, input, output, axes, divisor).run();
}

}  // namespace burn::ndarray
