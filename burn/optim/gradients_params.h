#pragma once

#include <burn/module/module.h>

namespace burn::optim {

/// Gradients by the ids of their parameters: what an optimiser takes. They are tensors of the inner backend.
class GradientsParams {
public:
    GradientsParams() = default;

    /// Takes the gradients of a module's parameters out of those of a backward pass. Parameters that the loss does not depend
    /// on, or that require no gradient, have none.
    ///
    /// Errors    ArgumentError when two parameters that are not tied have one id, or when one has no value
    template <Module M>
    static GradientsParams from_grads(Gradients gradients, const M& module) {
        GradientsParams params;
        params.take_from(gradients, module);
        return params;
    }
    template <Module M>
    void take_from(Gradients& gradients, const M& module);

    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }

    /// The gradient of a parameter, empty when there is none.
    ops::Handle find(ParamId id) const;
    /// The same, which leaves this object.
    ops::Handle take(ParamId id);
    template <Backend B, std::size_t D>
    std::optional<Tensor<B, D>> get(ParamId id) const {
        ops::Handle gradient = find(id);
        return gradient ? std::optional(Tensor<B, D>(std::move(gradient))) : std::nullopt;
    }
    template <Backend B, std::size_t D>
    void set(ParamId id, Tensor<B, D> gradient) {
        put(id, std::move(gradient).handle());
    }
    /// Puts a gradient in the place of the one that is there.
    void put(ParamId id, ops::Handle gradient);
    /// Adds to the gradient that is there.
    void add(ParamId id, ops::Handle gradient);
    /// Adds all gradients of `other`.
    void add(GradientsParams other);

    struct Entry {
        ParamId id;
        ops::Handle gradient;
    };
    std::span<Entry> entries() { return {entries_.data(), entries_.size()}; }
    std::span<const Entry> entries() const { return {entries_.data(), entries_.size()}; }

private:
    Entry* place(ParamId id);
    Entry* insert(Entry* place, Entry entry);

    SmallVector<Entry, 4> entries_;  ///< sorted by id
};

namespace detail {
class GradientCollector final : public ModuleVisitor {
public:
    GradientCollector(Gradients& gradients, GradientsParams& params) : gradients_(gradients), params_(params) {}
    void param(const Path& path, const AnyParam& param) override;
    void empty_param(const Path& path) override;

private:
    Gradients& gradients_;
    GradientsParams& params_;
};
}  // namespace detail

template <Module M>
void GradientsParams::take_from(Gradients& gradients, const M& module) {
    detail::GradientCollector collector(gradients, *this);
    visit_module(module, collector);
}

/// Adds gradients up over several backward passes, so that one step can be made for all of them.
class GradientsAccumulator {
public:
    template <Module M>
    void accumulate(const M& module, Gradients gradients) {
        sum_.add(GradientsParams::from_grads(std::move(gradients), module));
    }
    void accumulate(GradientsParams gradients) { sum_.add(std::move(gradients)); }

    /// The sums so far; the accumulator is empty after.
    GradientsParams grads() { return std::exchange(sum_, GradientsParams()); }

private:
    GradientsParams sum_;
};

}  // namespace burn::optim
