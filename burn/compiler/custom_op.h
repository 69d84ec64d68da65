#pragma once

#include <burn/compiler/custom_rule.h>
#include <burn/ops/engine.h>

#include <concepts>
#include <new>
#include <type_traits>

/// Operations that users write, with kernels in the kernel language; book/kernels.md shows one.
///
/// An operation is a struct, as those of the library are (burn/ops):
///
///   static constexpr custom::Info info;                                // name, numbers of operands and results
///   SpecList infer(std::span<const TensorSpec> inputs) const;          // checks operands, gives the results' specs
///   custom::Launch kernel(const custom::Call& call) const;             // the kernel, and over how many cubes it runs
///   void gradient(ops::GradScope& scope) const;                        // optional; written with operations
///   ops::HandleList decompose(ops::HandleList inputs) const;           // optional, or instead of a kernel
///   static void fields(auto& self, ops::FieldVisitor& visit);          // its attributes; needed where it has members
///
/// `kernel` depends on nothing but the structural attributes and the call: what it gives is kept and used again. Run-time
/// attributes reach the kernel as scalars; inside `kernel` they are NaN (integers: the lowest). It may compute with tensors
/// that it makes. Those that wait to be computed outside it are an UnsupportedError, and so is `sync`.
///
/// It runs compiled on backends that compile kernels. On others it is decomposed, or, where it has no decomposition,
/// interpreted: slowly, with every access checked. Fusion runs it as a step of its own. Without a gradient, its
/// decomposition is differentiated; where there is neither, a tracked operand is an UnsupportedError.
///
/// Two operations are the same, for plans and kernels that are used again, when they are of one type and their structural
/// attributes are equal.
///
/// A compiled kernel is trusted: what it reads or writes outside its buffers is not noticed.

namespace burn::custom {

template <class Op>
concept HasKernel = requires(const Op& op, const Call& call) {
    { op.kernel(call) } -> std::convertible_to<Launch>;
};
template <class Op>
concept HasGradient = requires(const Op& op, ops::GradScope& scope) { op.gradient(scope); };
template <class Op>
concept HasDecomposition = requires(const Op& op, ops::HandleList inputs) {
    { op.decompose(std::move(inputs)) } -> std::convertible_to<ops::HandleList>;
};
template <class Op>
concept HasFields = requires(const Op& op, Op& mutable_op, ops::FieldVisitor& visitor) {
    Op::fields(op, visitor);
    Op::fields(mutable_op, visitor);
};

namespace detail {

/// Makes run-time attributes useless, so that a kernel that has one as a constant is wrong at once and not later.
class SpoilRuntime final : public ops::FieldVisitor {
public:
    void field(const ops::Field& field) override;
};

template <class Op>
const Rule& rule_of();

template <class Op>
constexpr Functions functions_of() {
    Functions user{};
    user.infer = [](void* op, std::span<const TensorSpec> inputs) -> SpecList {
        return static_cast<Op*>(op)->infer(inputs);
    };
    if constexpr (HasKernel<Op>) {
        user.kernel = [](const void* op, const Call& call) -> Launch {
            Op copy = *static_cast<const Op*>(op);
            if constexpr (HasFields<Op>) {
                SpoilRuntime spoil;
                Op::fields(copy, spoil);
            }
            return static_cast<const Op&>(copy).kernel(call);
        };
    }
    if constexpr (HasGradient<Op>) {
        user.gradient = [](const void* op, ops::GradScope& scope) { static_cast<const Op*>(op)->gradient(scope); };
    }
    if constexpr (HasDecomposition<Op>) {
        user.decompose = [](const void* op, ops::HandleList inputs) -> ops::HandleList {
            return static_cast<const Op*>(op)->decompose(std::move(inputs));
        };
    }
    return user;
}

template <class Op>
ops::OpClass class_of() {
    ops::OpClass made{};
    made.size = sizeof(Op);
    made.alignment = alignof(Op);
    made.infer = [](void* op, std::span<const TensorSpec> inputs) { return rule_of<Op>().infer(op, inputs); };
    if constexpr (HasGradient<Op>)
        made.gradient = [](const void* op, ops::GradScope& scope) { rule_of<Op>().gradient(op, scope); };
    if constexpr (HasDecomposition<Op>) {
        made.decompose = [](const void* op, ops::HandleList inputs) {
            return rule_of<Op>().decompose(op, std::move(inputs));
        };
    }
    made.fields = [](const void* op, ops::FieldVisitor& visitor) {
        if constexpr (HasFields<Op>) Op::fields(*static_cast<const Op*>(op), visitor);
    };
    made.copy = [](const void* from, void* to) { new (to) Op(*static_cast<const Op*>(from)); };
    made.destroy = [](void* op) { static_cast<Op*>(op)->~Op(); };
    made.trivial = std::is_trivially_copyable_v<Op>;
    return made;
}

/// Never destroyed: recorded operations may outlive main.
template <class Op>
const Rule& rule_of() {
    static const Rule& rule = *new Rule(Op::info, functions_of<Op>(), class_of<Op>());  // NOLINT
    return rule;
}

inline ops::Handle handle_of(ops::Handle handle) { return handle; }
template <class Tensor>
    requires requires(Tensor&& tensor) { std::forward<Tensor>(tensor).handle(); }
ops::Handle handle_of(Tensor&& tensor) {
    return std::forward<Tensor>(tensor).handle();
}

}  // namespace detail

/// Runs a user's operation on handles or tensors: all its results.
///
/// Errors    those of its inference and its kernel, naming the operation; ArgumentError for a wrong number of operands
template <class Op>
ops::HandleList apply_all(const Op& op, ops::HandleList inputs) {
    static_assert(
        requires {
            { Op::info } -> std::convertible_to<const Info&>;
        }, "an operation says what it is: static constexpr custom::Info info{.name = .., .inputs = ..};");
    static_assert(
        requires(Op& mutable_op, std::span<const TensorSpec> specs) {
            { mutable_op.infer(specs) } -> std::convertible_to<SpecList>;
        }, "an operation infers its results: SpecList infer(std::span<const TensorSpec> inputs)");
    static_assert(HasKernel<Op> || HasDecomposition<Op>,
                  "an operation has a kernel, custom::Launch kernel(const custom::Call&) const, or a decomposition, "
                  "ops::HandleList decompose(ops::HandleList) const");
    static_assert(HasFields<Op> || std::is_empty_v<Op>,
                  "an operation names its attributes: static void fields(auto& self, ops::FieldVisitor& visit)");
    static_assert(alignof(Op) <= alignof(std::max_align_t));
    if (inputs.empty()) {
        raise(ErrorKind::Argument, Message() << Op::info.name << ": 0 operands; it runs where its operands are");
    }
    return ops::apply(ops::AnyOp(detail::rule_of<Op>().op_class(), &op), std::move(inputs));
}

/// The same with the operands one by one, and as `Result` the only result, or the first.
///
/// Example   auto y = custom::apply<Tensor<B, 2>>(MatMulAddRelu{}, x, weight, bias);
template <class Result = ops::Handle, class Op, class... Operands>
Result apply(const Op& op, Operands&&... operands) {
    return Result(std::move(apply_all(op, ops::list_of(detail::handle_of(std::forward<Operands>(operands))...))[0]));
}

}  // namespace burn::custom
