#include <burn/ops/pointwise.h>

#include <burn/ops/checks.h>
#include <burn/ops/create.h>
#include <burn/ops/define_op.h>
#include <burn/ops/engine.h>
#include <burn/ops/functions.h>
#include <burn/ops/pointwise_rules.h>
#include <burn/ops/reduce.h>

namespace burn::ops {

bool accepts(Types types, DType dtype) {
    switch (types) {
        case Types::Float: return is_float(dtype);
        case Types::Int: return is_int(dtype);
        case Types::Bool: return dtype == DType::Bool;
        case Types::Numeric: return is_numeric(dtype);
        case Types::Any:
        case Types::MaskAny: return true;
    }
    return false;
}

namespace {

const char* describe(Types types) {
    switch (types) {
        case Types::Float: return "a Float type";
        case Types::Int: return "an Int type";
        case Types::Bool: return "Bool";
        case Types::Numeric: return "a Float or Int type";
        case Types::Any:
        case Types::MaskAny: return "any type";
    }
    return "";
}

SpecList infer_pointwise(const PointwiseInfo& info, const PointwiseAttributes& attributes,
                         std::span<const TensorSpec> inputs) {
    const std::size_t first = info.types == Types::MaskAny ? 1 : 0;
    if (first == 1 && inputs[0].dtype != DType::Bool) {
        raise(ErrorKind::DType, Message() << info.op.name << ": the mask is " << inputs[0].dtype << "; expected bool");
    }
    const DType dtype = inputs[first].dtype;
    if (!accepts(info.types, dtype)) {
        raise(ErrorKind::DType, Message() << info.op.name << ": operand " << first << " is " << dtype << "; expected "
                                          << describe(info.types));
    }
    SpecList results;
    TensorSpec& result = results.emplace_back(inputs[0]);
    if (first == 1) result.dtype = dtype;
    if (info.bool_result) result.dtype = DType::Bool;
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        if (i > first && inputs[i].dtype != dtype) {
            raise(ErrorKind::DType, Message() << info.op.name << ": dtypes differ: " << dtype << " and "
                                              << inputs[i].dtype << "; cast one of them");
        }
        if (result.shape == inputs[i].shape) continue;
        result.shape = broadcast_shapes(result.shape, inputs[i].shape, info.op.name);
    }
    if (info.scalars > 0) require_scalar_fits(attributes.s, dtype, info.op.name);
    if (info.scalars > 1) require_scalar_fits(attributes.t, dtype, info.op.name);
    return results;
}

/// A gradient that came out as a number, such as 0 for x^0, is that number everywhere.
Handle as_tensor(const Expr& gradient, const Handle& like) {
    return gradient.is_number() ? full_like(like, gradient.number()) : gradient.tensor();
}

Expr operand(const HandleList& inputs, std::size_t index) {
    return index < inputs.size() ? Expr(inputs[index]) : Expr(0);
}

template <OpCode Code>
struct Functions {
    using Op = PointwiseOp<Code>;
    static constexpr PointwiseInfo kInfo = Rule<Code>::info();

    static SpecList infer(void* op, std::span<const TensorSpec> inputs) {
        return infer_pointwise(kInfo, *static_cast<const Op*>(op), inputs);
    }

    static void gradient(const void* attributes, GradScope& scope) {
        const auto& op = *static_cast<const Op*>(attributes);
        const auto input = [&scope](unsigned i) {
            return (kInfo.op.saves.inputs >> i & 1) != 0 ? Expr(scope.input(i)) : Expr(0);
        };
        const Expr y = kInfo.op.saves.outputs != 0 ? Expr(scope.output()) : Expr(0);
        const auto gradients =
            Rule<Code>::gradient(input(0), input(1), input(2), Expr(op.s), Expr(op.t), y, Expr(scope.dy()));
        std::size_t index = 0;
        const auto walk = [&](auto&& self, const auto& chain) -> void {
            if constexpr (requires { chain.first; }) {
                if constexpr (requires { chain.first.tensor(); }) {
                    if (scope.wants(index))
                        scope.dx(index) = sum_to(as_tensor(chain.first, scope.dy()), scope.input_spec(index).shape);
                }
                ++index;
                self(self, chain.rest);
            }
        };
        if constexpr (requires { gradients.parts; }) walk(walk, gradients.parts);
    }

    static HandleList decompose(const void* attributes, HandleList inputs) {
        const auto& op = *static_cast<const Op*>(attributes);
        const Expr result =
            Rule<Code>::forward(operand(inputs, 0), operand(inputs, 1), operand(inputs, 2), Expr(op.s), Expr(op.t));
        return {result.tensor()};
    }

    static void fields(const void* attributes, FieldVisitor& visitor) {
        Op::fields(*static_cast<const Op*>(attributes), visitor);
    }

    static constexpr OpClass make() {
        OpClass made{};
        made.code = Code;
        made.info = kInfo.op;
        made.size = sizeof(Op);
        made.alignment = alignof(Op);
        made.infer = infer;
        using Probed = decltype(Rule<Code>::gradient(Probe{}, Probe{}, Probe{}, Probe{}, Probe{}, Probe{}, Probe{}));
        if constexpr (Probed::kCount > 0) made.gradient = gradient;
        if constexpr (Rule<Code>::kComposite) made.decompose = decompose;
        made.fields = fields;
        made.copy = [](const void* from, void* to) { new (to) Op(*static_cast<const Op*>(from)); };
        made.destroy = [](void*) {};
        made.trivial = true;
        return made;
    }
};

}  // namespace

template <OpCode Code>
void PointwiseOp<Code>::fields(auto& self, FieldVisitor& visit) {
    if constexpr (Rule<Code>::info().scalars > 0) visit.runtime("s", self.s);
    if constexpr (Rule<Code>::info().scalars > 1) visit.runtime("t", self.t);
}

namespace {

template <class Op>
AnyOp with_scalars(Scalar s = {}, Scalar t = {}) {
    return AnyOp::make<Op>([&](Op& op) {
        op.s = s;
        op.t = t;
    });
}

}  // namespace

#define BURN_FUNCTION_1_0(NAME, OP) \
    Handle NAME(Handle a) { return apply_one(with_scalars<OP>(), list_of(std::move(a))); }
#define BURN_FUNCTION_1_1(NAME, OP) \
    Handle NAME(Handle a, Scalar s) { return apply_one(with_scalars<OP>(s), list_of(std::move(a))); }
#define BURN_FUNCTION_1_2(NAME, OP) \
    Handle NAME(Handle a, Scalar s, Scalar t) { return apply_one(with_scalars<OP>(s, t), list_of(std::move(a))); }
#define BURN_FUNCTION_2_0(NAME, OP) \
    Handle NAME(Handle a, Handle b) { return apply_one(with_scalars<OP>(), list_of(std::move(a), std::move(b))); }
#define BURN_FUNCTION_2_1(NAME, OP)                                                 \
    Handle NAME(Handle a, Handle b, Scalar s) {                                     \
        return apply_one(with_scalars<OP>(s), list_of(std::move(a), std::move(b))); \
    }
#define BURN_FUNCTION_3_0(NAME, OP)                                                              \
    Handle NAME(Handle a, Handle b, Handle c) {                                                  \
        return apply_one(with_scalars<OP>(), list_of(std::move(a), std::move(b), std::move(c))); \
    }

#define POINTWISE(NAME, OPERANDS, SCALARS, ...)                          \
    template <>                                                          \
    const OpClass& class_of<PointwiseOp<OpCode::NAME>>() {               \
        static constexpr OpClass made = Functions<OpCode::NAME>::make(); \
        return made;                                                     \
    }                                                                    \
    BURN_FUNCTION_##OPERANDS##_##SCALARS(NAME, PointwiseOp<OpCode::NAME>)
#include <burn/ops/pointwise.def>
#undef POINTWISE

const PointwiseInfo& pointwise_info(OpCode code) {
    switch (code) {
#define POINTWISE(NAME, ...) \
    case OpCode::NAME: return Functions<OpCode::NAME>::kInfo;
#include <burn/ops/pointwise.def>
#undef POINTWISE
        default: raise(ErrorKind::Internal, Message() << "pointwise_info: not a pointwise operation");
    }
}

}  // namespace burn::ops
