#pragma once

#include <burn/module/param_source.h>

namespace burn {

/// The identity of a parameter: kept by copies, by `valid()` and in files, so that an optimiser finds its state again.
using ParamId = std::uint64_t;

/// An id that no parameter of this process has had.
///
/// Thread    any
ParamId new_param_id();
/// Makes sure that `new_param_id` never gives `id`, which was read from a file.
void reserve_param_id(ParamId id);

/// A parameter whose backend, rank and kind are known at run time only; `Param` adds the types.
///
/// Copies share the value until one of them gets another. Copies of a parameter that has no value yet share its initialiser:
/// they all get the one value that it makes.
///
/// Thread    copies may be used by several threads; one object is not changed by two at once
class AnyParam {
public:
    /// A parameter without a value, which must be assigned before use.
    AnyParam() = default;
    /// `tracks`: the backend has gradients and the tensor is of Float kind.
    AnyParam(ops::Handle value, bool tracks);
    AnyParam(Ref<ParamInitializer> initializer, bool tracks);

    bool empty() const { return !source_; }
    ParamId id() const { return id_; }
    void set_id(ParamId id) { id_ = id; }

    /// Shape and dtype, also before there is a value.
    const TensorSpec& spec() const;
    ops::Engine& engine() const;
    bool is_initialized() const;

    /// The value, made now if nobody asked before. A leaf of the graph when the parameter requires a gradient.
    ///
    /// Errors    ArgumentError when the parameter is empty
    ops::Handle value() const;
    /// The leaf, or the plain value of a parameter that never tracks: what gradients are found by.
    const ops::Handle& leaf() const;
    /// Gives the value away, without history: on the inner engine when the parameter tracks. It is empty until `set`.
    ///
    /// Memory    the buffer has no other owner when no copy of the parameter exists
    ops::Handle take();
    /// Gives it another value, on the same engine as `take`; keeps the id.
    void set(ops::Handle value);

    /// Whether the parameter is one that gradients are wanted for.
    bool requires_grad() const { return tracks_ && requires_grad_; }
    void set_requires_grad(bool wanted) { requires_grad_ = wanted; }
    /// Whether somebody said that it requires no gradient; an optimiser leaves it alone.
    bool frozen() const { return !requires_grad_; }
    bool tracks() const { return tracks_; }

    /// Whether both are one parameter used in two places, or copies of it.
    bool tied_to(const AnyParam& other) const { return source_ && source_ == other.source_; }
    /// What tied parameters and copies have in common; null for an empty one.
    const void* identity() const;
    /// Whether it is neither tied nor copied.
    bool unique() const;

    /// The same parameter on the engine below (down) or above (up) the autodiff engine.
    AnyParam to_inner(bool tracks) const;
    AnyParam from_inner() const;

private:
    AnyParam(ParamId id, ops::Handle value, bool tracks, bool requires_grad);
    const detail::ParamSource& source() const;

    ParamId id_ = 0;
    Ref<detail::ParamSource> source_;
    bool tracks_ = false;
    bool requires_grad_ = true;
};

}  // namespace burn
