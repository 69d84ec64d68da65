#include <burn/ops/any_op.h>

#include <burn/base/hash.h>
#include <burn/ops/print_fields.h>

namespace burn::ops {

namespace {

template <class T>
const T& value_of(const Field& field) {
    return *static_cast<const T*>(field.value);
}

/// Writes attributes as words, so that equal words mean equal attributes.
class FieldWords final : public FieldVisitor {
public:
    FieldWords(FunctionRef<void(std::uint64_t)> word, bool structural_only)
        : word_(word), structural_only_(structural_only) {}

    void field(const Field& field) override {
        if (structural_only_ && !field.structural) return;
        switch (field.type) {
            case FieldType::Bool: return word_(value_of<bool>(field));
            case FieldType::Int: return add(value_of<std::int64_t>(field));
            case FieldType::Float: return word_(std::bit_cast<std::uint64_t>(value_of<double>(field)));
            case FieldType::Scalar: {
                const auto& scalar = value_of<Scalar>(field);
                word_(static_cast<std::uint64_t>(scalar.type()));
                return word_(scalar.is_floating() ? std::bit_cast<std::uint64_t>(scalar.to<double>())
                                                  : scalar.to<std::uint64_t>());
            }
            case FieldType::DType:
            case FieldType::Enum: return word_(value_of<std::uint8_t>(field));
            case FieldType::Dims:
                word_(value_of<Dims>(field).size());
                for (const std::int64_t value : value_of<Dims>(field)) add(value);
                return;
            case FieldType::Slices:
                word_(value_of<SliceList>(field).size());
                for (const Slice& slice : value_of<SliceList>(field)) {
                    add(slice.start);
                    add(slice.end);
                    add(slice.step);
                }
                return;
        }
    }

private:
    void add(std::int64_t value) { word_(static_cast<std::uint64_t>(value)); }

    FunctionRef<void(std::uint64_t)> word_;
    bool structural_only_;
};

/// Walks one operation's fields in step with another's.
class CollectFields final : public FieldVisitor {
public:
    void field(const Field& field) override { fields.push_back(field); }
    SmallVector<Field, 12> fields;
};

bool same_value(const Field& a, const Field& b) {
    switch (a.type) {
        case FieldType::Bool: return value_of<bool>(a) == value_of<bool>(b);
        case FieldType::Int: return value_of<std::int64_t>(a) == value_of<std::int64_t>(b);
        case FieldType::Float: return value_of<double>(a) == value_of<double>(b);
        case FieldType::Scalar: return value_of<Scalar>(a) == value_of<Scalar>(b);
        case FieldType::DType:
        case FieldType::Enum: return value_of<std::uint8_t>(a) == value_of<std::uint8_t>(b);
        case FieldType::Dims: return value_of<Dims>(a) == value_of<Dims>(b);
        case FieldType::Slices: return value_of<SliceList>(a) == value_of<SliceList>(b);
    }
    return false;
}

}  // namespace

AnyOp::AnyOp(const OpClass& op_class, const void* attributes) : class_(&op_class) {
    class_->copy(attributes, is_inline() ? static_cast<void*>(inline_) : allocate_block());
}

AnyOp& AnyOp::operator=(const AnyOp& other) {
    if (this != &other) {
        this->~AnyOp();
        new (this) AnyOp(other);
    }
    return *this;
}

void* AnyOp::allocate_block() {
    block_ = new (::operator new(sizeof(Attributes) + class_->size)) Attributes;
    return block_->attributes;
}

void AnyOp::share_others(const AnyOp& other) noexcept {
    if (is_inline()) {
        __builtin_memcpy(inline_, other.inline_, class_->size);
    } else {
        block_ = other.block_;
        block_->owners.fetch_add(1, kRelaxed);
    }
}

void AnyOp::release_block() {
    if (block_->owners.fetch_sub(1, kAcquireRelease) == 1) {
        class_->destroy(block_->attributes);
        ::operator delete(block_);
    }
}

SpecList AnyOp::infer(std::span<const TensorSpec> inputs) {
    const int wanted = info().inputs;
    if (wanted == kVariadic ? inputs.empty() : static_cast<std::size_t>(wanted) != inputs.size()) {
        Message message;
        message << name() << ": " << inputs.size() << " operands; expected ";
        if (wanted == kVariadic) {
            message << "at least 1";
        } else {
            message << wanted;
        }
        raise(ErrorKind::Argument, message);
    }
    if (!is_inline() && block_->owners.load(kAcquire) != 1) {  // inference changes attributes: make them ours
        const AnyOp shared = *this;
        release_block();
        class_->copy(shared.attributes(), allocate_block());
    }
    return class_->infer(const_cast<void*>(attributes()), inputs);
}

namespace {

std::uint64_t hash_of(const AnyOp& op, bool structural_only) {
    Hasher hasher;
    const auto add = [&hasher](std::uint64_t word) { hasher.add(word); };
    add(static_cast<std::uint64_t>(op.code()));
    FieldWords visitor(add, structural_only);
    op.visit_fields(visitor);
    return hasher.value();
}

bool same_fields(const AnyOp& a, const AnyOp& b, bool structural_only) {
    if (&a.op_class() != &b.op_class()) return false;
    CollectFields mine;
    CollectFields theirs;
    a.visit_fields(mine);
    b.visit_fields(theirs);
    for (std::size_t i = 0; i < mine.fields.size(); ++i) {
        if (structural_only && !mine.fields[i].structural) continue;
        if (!same_value(mine.fields[i], theirs.fields[i])) return false;
    }
    return true;
}

}  // namespace

std::uint64_t AnyOp::hash() const { return hash_of(*this, false); }
bool AnyOp::operator==(const AnyOp& other) const { return same_fields(*this, other, false); }
std::uint64_t AnyOp::structural_hash() const { return hash_of(*this, true); }
bool AnyOp::same_structure(const AnyOp& other) const { return same_fields(*this, other, true); }

void AnyOp::structural_words(FunctionRef<void(std::uint64_t)> word) const {
    FieldWords visitor(word, true);
    visit_fields(visitor);
}

Message& operator<<(Message& message, const AnyOp& op) {
    message << op.name() << '(';
    PrintFields visitor(message);
    op.visit_fields(visitor);
    return message << ')';
}

}  // namespace burn::ops
