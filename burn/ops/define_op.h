#pragma once

#include <burn/ops/any_op.h>
#include <burn/ops/grad_scope.h>

#include <new>
#include <type_traits>

namespace burn::ops {

/// Collects the functions of operation `Op` into its class. `Op` has
///   static constexpr OpInfo info;  static void fields(auto& self, auto& visit);
///   SpecList infer(std::span<const TensorSpec> inputs);                  // checks everything, canonicalises *this
///   void gradient(GradScope& scope) const;                               // optional
///   HandleList decompose(HandleList inputs) const;                       // composites only
template <class Op>
constexpr OpClass make_op_class(OpCode code) {
    static_assert(Op::info.doc != nullptr && Op::info.doc[0] != '\0', "an operation needs a line of documentation");
    OpClass made{};
    made.code = code;
    made.info = Op::info;
    made.size = sizeof(Op);
    made.alignment = alignof(Op);
    static_assert(alignof(Op) <= alignof(std::max_align_t));
    made.infer = [](void* op, std::span<const TensorSpec> inputs) { return static_cast<Op*>(op)->infer(inputs); };
    if constexpr (requires(const Op& op, GradScope& scope) { op.gradient(scope); }) {
        made.gradient = [](const void* op, GradScope& scope) { static_cast<const Op*>(op)->gradient(scope); };
    }
    if constexpr (requires(const Op& op, HandleList inputs) { op.decompose(std::move(inputs)); }) {
        made.decompose = [](const void* op, HandleList inputs) {
            return static_cast<const Op*>(op)->decompose(std::move(inputs));
        };
    }
    made.fields = [](const void* op, FieldVisitor& visitor) { Op::fields(*static_cast<const Op*>(op), visitor); };
    made.copy = [](const void* from, void* to) { new (to) Op(*static_cast<const Op*>(from)); };
    made.destroy = [](void* op) { static_cast<Op*>(op)->~Op(); };
    made.trivial = std::is_trivially_copyable_v<Op>;
    return made;
}

/// Defines the class of a structured operation; once, in the source file of its family, inside namespace burn::ops.
#define BURN_DEFINE_OP(OP)                                             \
    template <>                                                        \
    const OpClass& class_of<OP>() {                                    \
        static constexpr OpClass made = make_op_class<OP>(OpCode::OP); \
        return made;                                                   \
    }

}  // namespace burn::ops
