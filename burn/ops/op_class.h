#pragma once

#include <burn/core/tensor_spec.h>
#include <burn/ops/field.h>
#include <burn/ops/handle.h>
#include <burn/ops/op_code.h>

#include <span>

namespace burn::ops {

class GradScope;

/// Which operands and results a gradient rule looks at, one bit each; touching others is an InternalError.
struct Saves {
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;

    static const Saves nothing;
    static constexpr Saves input(unsigned index) { return {1u << index, 0}; }
    static constexpr Saves output(unsigned index = 0) { return {0, 1u << index}; }
    friend constexpr Saves operator|(Saves a, Saves b) { return {a.inputs | b.inputs, a.outputs | b.outputs}; }
};
inline constexpr Saves Saves::nothing{};

/// Which group of operations an op belongs to; planners ask for it.
enum class OpKind : std::uint8_t {
    Pointwise,  ///< each element of the result from the elements at the same place
    View,       ///< another order or part of the same elements
    Reduce,     ///< many elements into one
    Contract,   ///< products and sums: matmul, convolution
    Move,       ///< elements placed by indices, joined or sorted
    Create,     ///< no operands
    Composite,  ///< has a decomposition
    Custom,     ///< written outside the library; nothing else is known of it
};

constexpr int kVariadic = -1;

/// What is known of an operation before it is used.
struct OpInfo {
    const char* name;
    const char* doc;  ///< one line for the table of operations
    OpKind kind;
    int inputs;  ///< number of operands, or kVariadic
    int outputs = 1;
    Saves saves = {};
};

class AnyOp;
class Engine;

/// How an operation from outside the library runs by its kernel. The floors that know of kernels derive theirs from it.
struct CustomRule {
    /// Computes the results on the host, for engines that neither run nor decompose the operation.
    HandleList (*run_on_host)(const AnyOp& op, Engine& engine, HandleList inputs);
};

/// The functions of one operation, behind one pointer: what an `AnyOp` knows of its type.
struct OpClass {
    OpCode code;
    OpInfo info;
    std::size_t size;
    std::size_t alignment;
    /// Checks every argument, makes the attributes canonical in place, gives the results' shapes and types.
    SpecList (*infer)(void* op, std::span<const TensorSpec> inputs);
    /// Null where the operation has no gradient rule of its own.
    void (*gradient)(const void* op, GradScope& scope);
    /// Null for primitives; else computes the same results with other operations.
    HandleList (*decompose)(const void* op, HandleList inputs);
    void (*fields)(const void* op, FieldVisitor& visitor);
    void (*copy)(const void* from, void* to);
    void (*destroy)(void* op);
    /// Whether bytes of attributes may be copied and forgotten.
    bool trivial;
    /// Null but for operations from outside the library that have a kernel.
    const CustomRule* custom = nullptr;
};

/// The class of operation `Op`; defined next to its functions by BURN_DEFINE_OP.
template <class Op>
const OpClass& class_of();

/// Calls `visit(const OpClass&)` for every operation of the library.
void for_each_op_class(void (*visit)(const OpClass&, void* context), void* context);

}  // namespace burn::ops
