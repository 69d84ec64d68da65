#pragma once

#include <type_traits>
#include <utility>

namespace burn {

template <class Signature>
class FunctionRef;

/// A callable that is not owned: two pointers, for parameters that are called before the function returns.
template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
public:
    template <class Callable>
        requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
                 std::is_invocable_r_v<Result, Callable&, Args...>)
    FunctionRef(Callable&& callable)  // NOLINT: implicit, so that a lambda can be passed where one is expected
        : object_(address_of(callable)), call_([](void* object, Args... args) -> Result {
              // A function is no object, so its address is brought back by the other cast.
              return (*reinterpret_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Args>(args)...);
          }) {}

    Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

private:
    template <class Callable>
    static void* address_of(Callable& callable) {
        if constexpr (std::is_function_v<Callable>) {
            return reinterpret_cast<void*>(&callable);
        } else {
            return const_cast<void*>(static_cast<const void*>(__builtin_addressof(callable)));
        }
    }

    void* object_;
    Result (*call_)(void*, Args...);
};

}  // namespace burn
