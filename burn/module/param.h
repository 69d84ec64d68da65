#pragma once

#include <burn/module/any_param.h>
#include <burn/tensor/tensor.h>

namespace burn {

template <class T>
class Param;

/// A tensor that training changes: a field of a module.
///
/// On an AutodiffBackend the value of a Float parameter is tracked, so that `backward` gives its gradient.
///
/// Example   Param<Tensor<B, 2>> weight;
template <Backend B, std::size_t D, TensorKind K>
class Param<Tensor<B, D, K>> : public AnyParam {
public:
    using TensorType = Tensor<B, D, K>;
    static constexpr bool kTracks = AutodiffBackend<B> && std::same_as<K, Float>;

    /// A parameter without a value, which must be assigned before use.
    Param() = default;
    /// A parameter with a value; its history is cut off.
    explicit Param(TensorType value) : AnyParam(untracked(std::move(value)), kTracks) {}
    /// A parameter whose value is made when it is first used.
    explicit Param(Ref<ParamInitializer> initializer) : AnyParam(std::move(initializer), kTracks) {}
    /// The typed form of a parameter, which must be of this rank and kind.
    explicit Param(AnyParam param) : AnyParam(std::move(param)) {}

    /// The value; made now if nobody asked before.
    TensorType value() const { return TensorType(AnyParam::value()); }
    /// Another value with the same id; its history is cut off.
    void set_value(TensorType value) { *this = with_id(Param(std::move(value))); }
    Shape shape() const { return spec().shape; }

    /// The gradient of the parameter, on the inner backend; empty when the loss does not depend on it.
    auto grad(const Gradients& gradients) const
        requires kTracks
    {
        return TensorType(leaf()).grad(gradients);
    }

private:
    static ops::Handle untracked(TensorType value) {
        if constexpr (kTracks) {
            return value.is_tracked() ? value.detach().handle() : std::move(value).handle();
        } else {
            return std::move(value).handle();
        }
    }
    Param with_id(Param other) const {
        if (!empty()) {
            other.set_id(id());
            other.set_requires_grad(!frozen());
        }
        return other;
    }
};

template <Backend B, std::size_t D, TensorKind K>
Param(Tensor<B, D, K>) -> Param<Tensor<B, D, K>>;

}  // namespace burn
