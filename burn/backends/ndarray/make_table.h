#pragma once

#include <burn/backends/ndarray/ndarray_ops.h>
#include <burn/backends/ndarray/table.h>

namespace burn::ndarray {

/// Makes the entry of one operation from its overload of `run`; null where there is none.
template <class Op>
constexpr RunFunction run_function() {
    if constexpr (requires(const Op& op, Args& args) { run(op, args); }) {
        return [](const void* attributes, Args& args) -> ops::HandleList {
            using Result = decltype(run(*static_cast<const Op*>(attributes), args));
            if constexpr (std::is_same_v<Result, ops::HandleList>) {
                return run(*static_cast<const Op*>(attributes), args);
            } else {
                return ops::list_of(run(*static_cast<const Op*>(attributes), args));
            }
        };
    } else {
        return nullptr;
    }
}

template <class Op>
constexpr ops::OpCode code_of() {
    if constexpr (requires { Op::kCode; }) {
        return Op::kCode;
    } else {
        return ops::CodeOf<Op>::value;
    }
}

/// The table of a list of operations.
template <class... Ops>
constexpr std::array<RunFunction, ops::kOpCount> make_run_table(ops::OpList<Ops...>) {
    std::array<RunFunction, ops::kOpCount> table{};
    ((table[static_cast<std::size_t>(code_of<Ops>())] = run_function<Ops>()), ...);
    return table;
}

}  // namespace burn::ndarray
