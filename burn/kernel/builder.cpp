#include <burn/kernel/builder.h>

#include <burn/base/error.h>
#include <burn/base/hash.h>

#include <algorithm>

namespace burn::kernel {

namespace {

bool may_be_shared(NodeKind kind) {
    const NodeClass node_class = info_of(kind).node_class;
    return node_class == NodeClass::Leaf || node_class == NodeClass::Pure;
}

}  // namespace

// ---- places and variables

DType Place::dtype() const { return builder_->kernel()[id_].type.dtype; }

Value Place::load(const Value& index, std::uint16_t lanes) const {
    const Value place(*builder_, id_), at = builder_->as(index, {kIndex, 1});
    const std::uint16_t width = at.type().is_vector() ? at.lanes() : lanes;
    return builder_->emit(NodeKind::Load, {place, at}, 0, {dtype(), width});
}

Value Place::load_masked(const Value& index, const Value& mask) const {
    const Value place(*builder_, id_), at = builder_->as(index, {kIndex, 1});
    return builder_->emit(NodeKind::Load, {place, at, mask}, 0, {dtype(), mask.lanes()});
}

void Place::store(const Value& index, const Value& value) const {
    const Value place(*builder_, id_), at = builder_->as(index, {kIndex, 1});
    const std::uint16_t lanes = value.is_number() ? at.lanes() : value.lanes();
    builder_->emit(NodeKind::Store, {place, at, builder_->as(value, {dtype(), lanes})});
}

void Place::store_masked(const Value& index, const Value& value, const Value& mask) const {
    const Value place(*builder_, id_), at = builder_->as(index, {kIndex, 1});
    builder_->emit(NodeKind::Store, {place, at, builder_->as(value, {dtype(), mask.lanes()}), mask});
}

void Place::prefetch(const Value& index, Access access) const {
    const Value place(*builder_, id_), at = builder_->as(index, {kIndex, 1});
    builder_->emit(NodeKind::Prefetch, {place, at}, static_cast<std::uint64_t>(access));
}

Value Place::atomic(Reduction reduction, const Value& index, const Value& value) const {
    const Value place(*builder_, id_), at = builder_->as(index, {kIndex, 1});
    return builder_->emit(NodeKind::Atomic, {place, at, builder_->as(value, {dtype(), 1})},
                          static_cast<std::uint64_t>(reduction));
}

Value Variable::get() const { return builder_->emit(NodeKind::Get, {Value(*builder_, id_)}); }

void Variable::set(const Value& value) const {
    const Type type = builder_->kernel()[id_].type;
    builder_->emit(NodeKind::Set, {Value(*builder_, id_), builder_->as(value, type)});
}

// ---- builder

Builder::Builder(std::string name, std::uint32_t units, std::uint32_t plane) {
    kernel_.name = std::move(name);
    kernel_.units = units;
    kernel_.plane = plane;
}

Place Builder::buffer(DType dtype, Access access) {
    return {*this, emit(NodeKind::Buffer, {}, static_cast<std::uint64_t>(access), {dtype, 1}).id()};
}

Value Builder::scalar(DType dtype) { return emit(NodeKind::Scalar, {}, 0, {dtype, 1}); }

Value Builder::constant(DType dtype, Scalar number, std::uint16_t lanes) {
    return emit(NodeKind::Constant, {}, element_bits(dtype, number), {dtype, lanes});
}

Value Builder::iota(DType dtype, std::uint16_t lanes) { return emit(NodeKind::Iota, {}, 0, {dtype, lanes}); }

Value Builder::cube_index() { return emit(NodeKind::CubeIndex, {}); }

Value Builder::unit_index() { return emit(NodeKind::UnitIndex, {}); }

Place Builder::shared_array(DType dtype, std::int64_t count) {
    return {*this, emit(NodeKind::SharedArray, {}, static_cast<std::uint64_t>(count), {dtype, 1}).id()};
}

Place Builder::local_array(DType dtype, std::int64_t count) {
    return {*this, emit(NodeKind::LocalArray, {}, static_cast<std::uint64_t>(count), {dtype, 1}).id()};
}

Variable Builder::variable(const Value& initial) { return {*this, emit(NodeKind::Variable, {initial}).id()}; }

Variable Builder::variable(Type type, Scalar initial) { return variable(constant(type.dtype, initial, type.lanes)); }

BlockId Builder::fill(FunctionRef<void()> body, std::optional<NodeId> index) {
    const auto id = static_cast<BlockId>(kernel_.blocks.size());
    kernel_.blocks.emplace_back();
    open_.push_back(true);
    if (index) home_[*index] = id;
    const BlockId outer = std::exchange(block_, id);
    scopes_.emplace_back();
    body();
    scopes_.pop_back();
    open_[id] = false;
    block_ = outer;
    return id;
}

void Builder::for_loop(const Value& begin, const Value& end, const Value& step, FunctionRef<void(Value)> body) {
    const Type index{kIndex, 1};
    const Value loop = emit(NodeKind::For, {as(begin, index), as(end, index), as(step, index)});
    const BlockId block = fill([&] { body(loop); }, loop.id());
    kernel_.nodes[loop.id()].blocks[0] = block;
}

void Builder::if_then(const Value& condition, FunctionRef<void()> then) {
    const NodeId branch = emit(NodeKind::If, {condition}).id();
    const BlockId block = fill(then);
    kernel_.nodes[branch].blocks[0] = block;
}

void Builder::if_else(const Value& condition, FunctionRef<void()> then, FunctionRef<void()> otherwise) {
    const NodeId branch = emit(NodeKind::If, {condition}).id();
    const BlockId first = fill(then), second = fill(otherwise);
    kernel_.nodes[branch].blocks = {first, second};
}

void Builder::while_loop(FunctionRef<Value()> condition, FunctionRef<void()> body) {
    const NodeId loop = emit(NodeKind::While, {}).id();
    const BlockId first = fill([&] { emit(NodeKind::ContinueIf, {condition()}); });
    const BlockId second = fill(body);
    kernel_.nodes[loop].blocks = {first, second};
}

void Builder::barrier() { emit(NodeKind::Barrier, {}); }

Value Builder::plane_reduce(const Value& value, Reduction reduction) {
    return emit(NodeKind::PlaneReduce, {value}, static_cast<std::uint64_t>(reduction));
}

Value Builder::plane_shuffle(const Value& value, const Value& unit) {
    return emit(NodeKind::PlaneShuffle, {value, as(unit, {kIndex, 1})});
}

Kernel Builder::finish() {
    require_open("finish");
    // Block 0 is the kernel's.
    if (std::find(open_.begin() + 1, open_.end(), true) != open_.end()) {
        raise(ErrorKind::Argument, Message() << "kernel " << kernel_.name.c_str()
                                             << ": finish before the body of a loop or a branch has ended");
    }
    verify(kernel_);
    finished_ = true;
    return kernel_;
}

Value Builder::emit_list(NodeKind kind, std::span<const Value> operands, std::uint64_t immediate, Type type) {
    require_open(info_of(kind).text);
    Node node;
    node.kind = kind;
    node.immediate = immediate;
    node.type = type;
    for (const Value& operand : operands) {
        require_in_scope(operand, kind);
        node.operands[node.operand_count++] = operand.id();
    }
    node.type = infer_type(kernel_, node);
    return {*this, append(node)};
}

void Builder::require_open(const char* what) const {
    if (finished_)
        raise(ErrorKind::Argument, Message() << "kernel " << kernel_.name.c_str() << ": " << what
                                             << " after finish; a builder makes one kernel");
}

void Builder::require_in_scope(const Value& value, NodeKind user) const {
    const char* fault = nullptr;
    if (&value.builder() != this) {
        fault = "a value of another kernel";
    } else if (!open_[home_[value.id()]]) {
        fault = "a value of a block that has ended";
    }
    if (fault != nullptr)
        raise(ErrorKind::Argument, Message() << "kernel " << kernel_.name.c_str() << ": " << info_of(user).text
                                             << " uses " << fault << "; expected one that is in scope");
}

NodeId Builder::append(const Node& node) {
    if (may_be_shared(node.kind)) {
        for (const Scope& scope : scopes_) {
            const auto found = scope.find(node);
            if (found != scope.end()) return found->second;
        }
    }
    const auto id = static_cast<NodeId>(kernel_.nodes.size());
    kernel_.nodes.push_back(node);
    const bool is_parameter = info_of(node.kind).node_class == NodeClass::Parameter;
    home_.push_back(is_parameter ? 0 : block_);
    if (is_parameter) {
        kernel_.parameters.push_back(id);
    } else {
        kernel_.blocks[block_].push_back(id);
    }
    if (may_be_shared(node.kind)) scopes_.back().emplace(node, id);
    return id;
}

Value Builder::as(const Value& value, Type type) {
    if (value.is_number()) return constant(type.dtype, value.number(), type.lanes);
    return value.lanes() == type.lanes || type.lanes == 1 ? value : splat(value, type.lanes);
}

std::size_t Builder::Hash::operator()(const Node& node) const {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(node.kind) << 32 | static_cast<std::uint64_t>(node.type.dtype) << 16 |
               node.type.lanes);
    for (std::size_t i = 0; i < node.operand_count; ++i) hasher.add(node.operands[i]);
    hasher.add(node.immediate);
    return hasher.value();
}

}  // namespace burn::kernel
