#pragma once

#include <burn/ops/all_ops.h>
#include <burn/ops/engine.h>

#include <array>
#include <type_traits>

/// How a backend's overloads `run(const Op& op, Args& args)` become the table that its engine looks operations up in.
/// `Args` is the backend's own type (operands, what results must look like); the overloads are found in its namespace and give
/// a Handle or a HandleList. Included by the one source file of a backend that makes its table.

namespace burn::ops {

/// How a backend runs one operation.
template <class Args>
using RunFunction = HandleList (*)(const void* attributes, Args& args);

/// By op code; null means that the backend does not run the operation whole.
template <class Args>
using RunTable = std::array<RunFunction<Args>, kOpCount>;

namespace detail {

template <class Op>
constexpr OpCode code_of() {
    if constexpr (requires { Op::kCode; }) {
        return Op::kCode;
    } else {
        return CodeOf<Op>::value;
    }
}

template <class Args, class Op>
constexpr RunFunction<Args> run_function() {
    if constexpr (requires(const Op& op, Args& args) { run(op, args); }) {
        return [](const void* attributes, Args& args) -> HandleList {
            const auto& op = *static_cast<const Op*>(attributes);
            if constexpr (std::is_same_v<decltype(run(op, args)), HandleList>) {
                return run(op, args);
            } else {
                return list_of(run(op, args));
            }
        };
    } else {
        return nullptr;
    }
}

}  // namespace detail

/// The table of a list of operations; AllOps for everything that has an overload.
template <class Args, class... Ops>
constexpr RunTable<Args> make_run_table(OpList<Ops...>) {
    RunTable<Args> table{};
    ((table[static_cast<std::size_t>(detail::code_of<Ops>())] = detail::run_function<Args, Ops>()), ...);
    return table;
}

}  // namespace burn::ops
