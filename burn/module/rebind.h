#pragma once

#include <burn/module/reflect.h>

/// From a module on one backend to the same module on another: what `valid` and `train` are made of.

namespace burn::detail {

/// The type `T` with backend `From` replaced by `To`: in tensors, parameters, modules whose first template parameter it is
/// (and in modules that are parameters of those), optionals and sequences. Every other type maps to itself.
template <class T, class From, class To>
struct Rebind {
    using type = T;
};
template <class T, class From, class To>
using RebindType = typename Rebind<T, From, To>::type;

template <class From, std::size_t D, class K, class To>
struct Rebind<Tensor<From, D, K>, From, To> {
    using type = Tensor<To, D, K>;
};
template <class T, class From, class To>
struct Rebind<Param<T>, From, To> {
    using type = Param<RebindType<T, From, To>>;
};
template <class T, class From, class To>
struct Rebind<RunningState<T>, From, To> {
    using type = RunningState<RebindType<T, From, To>>;
};
template <template <class> class M, class From, class To>
struct Rebind<M<From>, From, To> {
    using type = M<To>;
};
template <template <class, class, class...> class M, class From, class Second, class... Rest, class To>
    requires Backend<From>
struct Rebind<M<From, Second, Rest...>, From, To> {
    using type = M<To, RebindType<Second, From, To>, RebindType<Rest, From, To>...>;
};
template <template <class, auto, auto...> class M, class From, auto Second, auto... Rest, class To>
struct Rebind<M<From, Second, Rest...>, From, To> {
    using type = M<To, Second, Rest...>;
};

/// Containers keep their kind; an allocator is one of the element type and falls away.
template <template <class...> class List, class T, class... Rest, class From, class To>
    requires(is_holder<List<T, Rest...>>())
struct Rebind<List<T, Rest...>, From, To> {
    using type = List<RebindType<T, From, To>>;
};
template <template <class, std::size_t> class List, class T, std::size_t N, class From, class To>
    requires(is_holder<List<T, N>>())
struct Rebind<List<T, N>, From, To> {
    using type = List<RebindType<T, From, To>, N>;
};

/// The backend of a module: its first template parameter; void for modules without one.
template <class M>
struct BackendOf {
    using type = void;
};
template <template <class...> class M, Backend B, class... Rest>
struct BackendOf<M<B, Rest...>> {
    using type = B;
};
template <template <class, auto, auto...> class M, Backend B, auto Second, auto... Rest>
struct BackendOf<M<B, Second, Rest...>> {
    using type = B;
};

/// The module without its outermost autodiff.
template <class M, class B = typename BackendOf<M>::type>
struct ValidModule {
    using type = M;
};
template <class M, class B>
struct ValidModule<M, Autodiff<B>> {
    using type = RebindType<M, Autodiff<B>, B>;
};

/// The module with one more autodiff.
template <class M, class B = typename BackendOf<M>::type>
struct TrainModule {
    using type = RebindType<M, B, Autodiff<B>>;
};
template <class M>
struct TrainModule<M, void> {
    using type = M;
};

enum class Direction { Inner, Outer };

/// Assigns `from` to the same field on the other backend.
template <Direction Way, class From, class To>
void convert_field(const From& from, To& to) {
    if constexpr (std::is_same_v<From, To>) {
        to = from;
    } else if constexpr (is_param<From>) {
        if (from.empty()) return;
        to = To(Way == Direction::Inner ? from.to_inner(To::kTracks) : from.from_inner());
    } else if constexpr (is_state<From>) {
        if (!from.AnyRunningState::value()) return;
        convert_field<Way>(from.value(), to);
    } else if constexpr (is_state<To>) {
        typename To::TensorType value;
        convert_field<Way>(from, value);
        to = To(std::move(value));
    } else if constexpr (is_tensor<From>) {
        if (!from.handle()) return;
        to = To(Way == Direction::Inner ? autodiff::inner(from.handle()) : autodiff::from_inner(from.handle()));
    } else if constexpr (Module<From>) {
        From::burn_fields(from, to, [](const char*, auto& field, auto& other) { convert_field<Way>(field, other); });
    } else if constexpr (is_optional<From>) {
        if (from.has_value()) convert_field<Way>(*from, to.emplace());
    } else {
        if constexpr (requires { to.resize(from.size()); }) to.resize(from.size());
        for (std::size_t i = 0; i < from.size(); ++i) convert_field<Way>(from[i], to[i]);
    }
}

}  // namespace burn::detail
