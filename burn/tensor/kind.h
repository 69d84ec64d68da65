#pragma once

#include <burn/core/dtype.h>
#include <burn/ops/engine.h>

#include <concepts>
#include <type_traits>

namespace burn {

/// The kinds of tensors, as tags: `Tensor<B, 2>` is `Tensor<B, 2, Float>`.
struct Float {
    static constexpr Kind kKind = Kind::Float;
    static DType default_dtype(const ops::Engine& engine) { return engine.default_float(); }
};
struct Int {
    static constexpr Kind kKind = Kind::Int;
    static DType default_dtype(const ops::Engine& engine) { return engine.default_int(); }
};
struct Bool {
    static constexpr Kind kKind = Kind::Bool;
    static DType default_dtype(const ops::Engine&) { return DType::Bool; }
};

template <class K>
concept TensorKind = std::same_as<K, Float> || std::same_as<K, Int> || std::same_as<K, Bool>;
template <class K>
concept FloatKind = std::same_as<K, Float>;
template <class K>
concept NumericKind = std::same_as<K, Float> || std::same_as<K, Int>;

/// A C++ number that may stand next to a tensor of a numeric kind.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

namespace detail {

/// A C++ value that a tensor of kind K is made from: numbers, and truth values for Bool.
template <class T, class K>
concept ValueOf = Number<T> || (std::same_as<T, bool> && std::same_as<K, Bool>);

/// Which kinds the lines of pointwise.def take, by the name in their `types` column.
template <class K>
constexpr bool takes_Float = std::same_as<K, Float>;
template <class K>
constexpr bool takes_Int = std::same_as<K, Int>;
template <class K>
constexpr bool takes_Bool = std::same_as<K, Bool>;
template <class K>
constexpr bool takes_Numeric = NumericKind<K>;
template <class K>
constexpr bool takes_Any = TensorKind<K>;

/// The kind of their result, by the name in their `result` column.
template <class K>
using result_Same = K;
template <class K>
using result_Bool = Bool;

}  // namespace detail
}  // namespace burn
