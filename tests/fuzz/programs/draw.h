#pragma once

#include "tests/fuzz/programs/random_source.h"
#include "tests/fuzz/programs/recorder.h"

#include <burn/base/function_ref.h>

namespace burn::fuzz {

/// What functions that draw an operation work with: random choices, and the tensors of the program so far.
class Draw {
public:
    /// With `tracked`, tensors live on an autodiff engine and some inputs are leaves.
    Draw(Random& random, bool tracked);

    Random& random;
    /// The engine that the program's tensors live on: the recorder, or autodiff around it.
    ops::Engine& engine;
    std::vector<ops::Handle> pool;    ///< what the program holds
    std::vector<ops::Handle> leaves;  ///< inputs whose gradients are wanted

    bool tracked() const { return tracked_; }

    // ---- numbers and shapes
    std::int64_t size();
    Shape shape(std::size_t rank);
    Shape any_shape() { return shape(static_cast<std::size_t>(random.between(1, 4))); }
    DType float_type();
    DType int_type();
    DType any_type();
    std::int64_t axis_of(const ops::Handle& x) {
        return random.one_in(3) ? random.below(static_cast<std::int64_t>(x.rank()))
                                : static_cast<std::int64_t>(x.rank()) - 1;
    }
    /// A number that half types have exactly.
    Scalar scalar(DType dtype);

    // ---- tensors
    /// One that fits; sometimes it leaves the pool, so that its next use gives it away. Empty when none fits.
    ops::Handle pick(FunctionRef<bool(const ops::Handle&)> fits);
    /// One that fits, or an input.
    ops::Handle pick_or(FunctionRef<bool(const ops::Handle&)> fits, const TensorSpec& spec, Fill fill);
    /// A floating one of moderate numbers, or an input.
    ops::Handle pick_float(std::size_t least_rank = 1);
    /// A new input, lying in memory in some order.
    ops::Handle input(const TensorSpec& spec, Fill fill, std::int64_t bound = 1);
    /// An input of whole numbers below the bound.
    ops::Handle indices(const Shape& shape, std::int64_t bound, bool distinct = false);
    const Known& known(const ops::Handle& tensor) const;
    /// Whether every number is finite and of at most this size.
    bool moderate(const ops::Handle& tensor, double most) const;

private:
    ops::Handle plain_input(const TensorSpec& spec, Fill fill, std::int64_t bound);

    bool tracked_;
    bool meets_errors_;  ///< whether indices may be out of range
};

/// Draws one operation and gives its results.
///
/// Errors    those of the operation, when the choice made no sense; then nothing is drawn
struct Drawer {
    const char* name;
    int weight;
    ops::HandleList (*draw)(Draw& draw);
};

std::span<const Drawer> pointwise_drawers();
std::span<const Drawer> movement_drawers();
std::span<const Drawer> reduction_drawers();
std::span<const Drawer> indexing_drawers();
std::span<const Drawer> layer_drawers();

}  // namespace burn::fuzz
