#pragma once

#include <burn/backends/ndarray/nd_tensor.h>
#include <burn/ops/engine.h>

namespace burn::ndarray {

/// A new contiguous tensor, its values undefined.
ops::Handle make_tensor(ops::Engine& engine, const TensorSpec& spec);
/// A contiguous copy of a view, from offset 0.
ops::Handle copy_contiguous(const NdTensor& tensor);

/// The operands of one operation, owned, and what its results must look like.
class Args {
public:
    /// `result`: what the one result is written to, where the caller has made it.
    Args(ops::Engine& engine, ops::HandleList inputs, const SpecList& results, ops::Handle result = {})
        : engine_(engine), inputs_(std::move(inputs)), results_(results), result_(std::move(result)) {}

    ops::Engine& engine() const { return engine_; }
    std::size_t count() const { return inputs_.size(); }
    const NdTensor& input(std::size_t i) const { return NdTensor::of(inputs_[i]); }
    const TensorSpec& result_spec(std::size_t i = 0) const { return results_[i]; }

    /// A contiguous tensor for result `i`, its values undefined: a new one, or the caller's.
    ops::Handle make_result(std::size_t i = 0) const { return result_ ? result_ : make_tensor(engine_, results_[i]); }
    /// Another view of operand `i`'s block as result.
    ops::Handle make_view(std::size_t i, const Layout& layout) const;
    /// Operand `i`, contiguous: itself, or a copy.
    ops::Handle contiguous(std::size_t i) const;
    /// Whether operand `i` may be overwritten: it was given away, nobody else owns its block, and each of its elements
    /// lies at a place of its own.
    bool reusable(std::size_t i) const;
    /// Operand `i` given on as result; only if `reusable`.
    ops::Handle take(std::size_t i) { return std::move(inputs_[i]); }
    /// All operands, for an operation that other operations finish.
    ops::HandleList take_all() { return std::move(inputs_); }
    /// A tensor with operand `i`'s values that may be overwritten: itself if `reusable`, else a contiguous copy.
    ops::Handle take_writable(std::size_t i) { return reusable(i) ? take(i) : copy_contiguous(input(i)); }

private:
    ops::Engine& engine_;
    ops::HandleList inputs_;
    const SpecList& results_;
    ops::Handle result_;
};

}  // namespace burn::ndarray
