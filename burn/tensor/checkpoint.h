#pragma once

#include <burn/tensor/tensor.h>

#include <utility>

namespace burn {

namespace detail {

template <class Function, class... Tensors>
class CheckpointRegion final : public autodiff::Region {
public:
    explicit CheckpointRegion(Function function) : function_(std::move(function)) {}

    ops::HandleList run(ops::HandleList inputs) override {
        return run(std::move(inputs), std::index_sequence_for<Tensors...>());
    }

private:
    template <std::size_t... I>
    ops::HandleList run(ops::HandleList inputs, std::index_sequence<I...>) {
        return ops::list_of(function_(Tensors(std::move(inputs[I]))...).handle());
    }

    Function function_;
};

}  // namespace detail

/// Runs `function(inputs...)`, which gives one tensor, without keeping what its operations would save for backward; backward
/// runs it again instead. On a backend without gradients it just runs the function.
///
/// The function owns what it uses: capture modules and tensors by value. Given the same inputs it must give the same
/// output; random numbers repeat by themselves.
///
/// Memory    the inputs, until backward
/// Example   auto y = checkpoint([block](Tensor<B, 3> x) { return block.forward(x); }, x);
template <class Function, Backend B, std::size_t D, class... Tensors>
auto checkpoint(Function function, Tensor<B, D> first, Tensors... rest) {
    if constexpr (AutodiffBackend<B>) {
        using Result = decltype(function(first, rest...));
        using Region = detail::CheckpointRegion<Function, Tensor<B, D>, Tensors...>;
        ops::HandleList outputs =
            autodiff::checkpoint(make_ref<Region>(std::move(function)),
                                 ops::list_of(std::move(first).handle(), std::move(rest).handle()...));
        return Result(std::move(outputs[0]));
    } else {
        return function(std::move(first), std::move(rest)...);
    }
}

}  // namespace burn
