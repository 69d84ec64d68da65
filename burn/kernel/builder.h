#pragma once

#include <burn/base/function_ref.h>
#include <burn/kernel/kernel.h>
#include <burn/kernel/value.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>

namespace burn::kernel {

/// Elements in memory: a buffer of the launch, or an array of a cube or unit.
class Place {
public:
    Place(Builder& builder, NodeId id) : builder_(&builder), id_(id) {}

    NodeId id() const { return id_; }
    DType dtype() const;

    /// `lanes` neighbours from `index` on; with a vector index, one element a lane.
    Value load(const Value& index, std::uint16_t lanes = 1) const;
    /// The same where `mask` holds; 0 elsewhere, where no memory is touched.
    Value load_masked(const Value& index, const Value& mask) const;
    void store(const Value& index, const Value& value) const;
    void store_masked(const Value& index, const Value& value, const Value& mask) const;
    /// Soon the element at `index` is read or written, if it exists: a hint to fetch it into the nearest cache.
    void prefetch(const Value& index, Access access) const;
    /// Combines the element with `value` in one step; gives what it was before.
    Value atomic(Reduction reduction, const Value& index, const Value& value) const;

private:
    Builder* builder_;
    NodeId id_;
};

/// A mutable local.
class Variable {
public:
    Variable(Builder& builder, NodeId id) : builder_(&builder), id_(id) {}

    Value get() const;
    void set(const Value& value) const;
    operator Value() const { return get(); }  // NOLINT: reads like a variable
    const Variable& operator=(const Value& value) const {
        set(value);
        return *this;
    }

private:
    Builder* builder_;
    NodeId id_;
};

/// Writes a kernel: ordinary C++ that runs at build-up time, so plain loops unroll and lambdas make control flow.
///
/// Equal pure nodes become one where the first is in scope; nothing else is optimised.
///
/// Errors    DTypeError or ArgumentError naming the kernel, at the call that made the mistake
/// Example   Builder k("scale");
///           const Place x = k.buffer(DType::F32, Access::Read), y = k.buffer(DType::F32, Access::Write);
///           const Value factor = k.scalar(DType::F32), i = k.cube_index();
///           y.store(i, x.load(i) * factor);
///           const Kernel kernel = k.finish();
class Builder {
public:
    explicit Builder(std::string name, std::uint32_t units = 1, std::uint32_t plane = 1);
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    // ---- parameters
    Place buffer(DType dtype, Access access);
    Value scalar(DType dtype);

    // ---- leaves
    Value constant(DType dtype, Scalar number, std::uint16_t lanes = 1);
    Value index(std::int64_t number) { return constant(kIndex, number); }
    Value iota(DType dtype, std::uint16_t lanes);
    Value cube_index();
    Value unit_index();

    // ---- memory
    Place shared_array(DType dtype, std::int64_t count);
    Place local_array(DType dtype, std::int64_t count);
    Variable variable(const Value& initial);
    Variable variable(Type type, Scalar initial);

    // ---- control flow
    void for_loop(const Value& begin, const Value& end, const Value& step, FunctionRef<void(Value)> body);
    void if_then(const Value& condition, FunctionRef<void()> then);
    void if_else(const Value& condition, FunctionRef<void()> then, FunctionRef<void()> otherwise);
    void while_loop(FunctionRef<Value()> condition, FunctionRef<void()> body);

    // ---- several units
    void barrier();
    Value plane_reduce(const Value& value, Reduction reduction);
    Value plane_shuffle(const Value& value, const Value& unit);

    /// Checks the kernel and gives it away: nothing can be added to it then.
    Kernel finish();

    // ---- for those who write further functions on values
    const Kernel& kernel() const { return kernel_; }
    /// Appends a node of this kind; its type is inferred, unless the kind leaves it open (`type`).
    Value emit(NodeKind kind, std::initializer_list<Value> operands, std::uint64_t immediate = 0,
               Type type = kNoValue) {
        return emit_list(kind, {operands.begin(), operands.size()}, immediate, type);
    }
    Value emit_list(NodeKind kind, std::span<const Value> operands, std::uint64_t immediate = 0, Type type = kNoValue);
    /// A number as a value of `type`; a value unchanged, but splat to the type's lanes.
    Value as(const Value& value, Type type);

private:
    struct Hash {
        std::size_t operator()(const Node& node) const;
    };
    using Scope = std::unordered_map<Node, NodeId, Hash>;

    /// Raises an ArgumentError once the kernel was given away.
    void require_open(const char* what) const;
    /// Raises an ArgumentError unless a node of this kind can use the value here.
    void require_in_scope(const Value& value, NodeKind user) const;
    NodeId append(const Node& node);
    /// The block that `body` writes; `index` is a value of it.
    BlockId fill(FunctionRef<void()> body, std::optional<NodeId> index = std::nullopt);

    Kernel kernel_;
    BlockId block_ = 0;
    std::vector<Scope> scopes_{1};
    std::vector<BlockId> home_;        ///< of each node: the block that it is a value of; 0 for parameters
    std::vector<bool> open_ = {true};  ///< of each block: it is being written, or around one that is
    bool finished_ = false;
};

}  // namespace burn::kernel
