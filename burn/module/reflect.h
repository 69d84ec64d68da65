#pragma once

#include <burn/module/for_each.h>
#include <burn/module/param.h>
#include <burn/module/running_state.h>

#include <type_traits>

/// What kinds of fields a module may have, told apart by their types.

namespace burn {

/// A struct that declares its fields by BURN_MODULE.
template <class M>
concept Module = requires { std::remove_cvref_t<M>::kModuleName; };

namespace detail {

template <class T>
constexpr bool is_param = false;
template <class T>
constexpr bool is_param<Param<T>> = true;

template <class T>
constexpr bool is_state = false;
template <class T>
constexpr bool is_state<RunningState<T>> = true;

template <class T>
constexpr bool is_tensor = false;
template <class B, std::size_t D, class K>
constexpr bool is_tensor<Tensor<B, D, K>> = true;

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

/// std::vector, std::array, SmallVector and their like; known by what they can do, so that their headers are not needed.
template <class T>
concept Sequence = requires(T& list) {
    list.begin();
    list.end();
    list.size();
    list[0];
};

template <class T>
constexpr bool is_holder();

/// Whether a field is, or contains, something that belongs to the module's state: the rest are constants.
template <class T>
constexpr bool holds_state = is_param<T> || is_state<T> || is_tensor<T> || Module<T> || is_holder<T>();

template <class T>
constexpr bool is_holder() {
    if constexpr (is_optional<T>) {
        return holds_state<typename T::value_type>;
    } else if constexpr (Sequence<T>) {
        return holds_state<std::remove_cvref_t<decltype(std::declval<T&>()[0])>>;
    } else {
        return false;
    }
}

/// Calls visit(name, field) for every field of a module.
template <class M, class Visit>
constexpr void for_each_field(M& module, Visit&& visit) {
    M::burn_fields(module, module, [&visit](const char* name, auto& field, auto&) { visit(name, field); });
}

}  // namespace detail
}  // namespace burn

#define BURN_MODULE_FIELD(FIELD) burn_visit(#FIELD, burn_self.FIELD, burn_other.FIELD);
