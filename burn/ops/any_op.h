#pragma once

#include <burn/base/function_ref.h>
#include <burn/ops/op_class.h>

#include <new>
#include <type_traits>
#include <utility>

namespace burn::ops {

/// An operation as a value: its class and its attributes.
///
/// Attributes of up to `kInlineBytes` live inside; larger or non-trivial ones in a counted block that copies share.
class AnyOp {
public:
    /// Enough for a Shape, the largest common attribute.
    static constexpr std::size_t kInlineBytes = 80;

    template <class Op>
        requires requires(const Op& op, FieldVisitor& visitor) { Op::fields(op, visitor); }
    AnyOp(const Op& op) : class_(&class_of<Op>()) {  // NOLINT: an operation is an AnyOp
        if constexpr (sizeof(Op) <= kInlineBytes && std::is_trivially_copyable_v<Op>) {
            new (inline_) Op(op);
        } else {
            new (allocate_block()) Op(op);
        }
    }
    /// An operation from outside the library: of a class that lives as long as the program, with a copy of `attributes`.
    AnyOp(const OpClass& op_class, const void* attributes);
    /// An `Op` that `set` gives its attributes where they stay.
    template <class Op, class Set>
        requires(sizeof(Op) <= kInlineBytes && std::is_trivially_copyable_v<Op>)
    static AnyOp make(Set set) {
        AnyOp made(class_of<Op>());
        set(*new (made.inline_) Op());
        return made;
    }
    AnyOp(const AnyOp& other) noexcept : class_(other.class_) { share(other); }
    AnyOp& operator=(const AnyOp& other);
    ~AnyOp() {
        if (!is_inline()) release_block();
    }

    const OpClass& op_class() const { return *class_; }
    OpCode code() const { return class_->code; }
    const OpInfo& info() const { return class_->info; }
    const char* name() const { return class_->info.name; }

    /// The attributes as `Op`, which must be the type this holds.
    template <class Op>
    const Op& as() const {
        require_internal(class_ == &class_of<Op>(), "AnyOp::as: another operation is held");
        return *static_cast<const Op*>(attributes());
    }
    const void* attributes() const { return is_inline() ? inline_ : block_->attributes; }

    /// Checks the operands, makes the attributes canonical, and gives the results' specs.
    ///
    /// Errors    what the operation's inference raises; ArgumentError for a wrong number of operands
    SpecList infer(std::span<const TensorSpec> inputs);

    void visit_fields(FieldVisitor& visitor) const { class_->fields(attributes(), visitor); }
    std::uint64_t hash() const;
    bool operator==(const AnyOp& other) const;
    /// The same without run-time attributes.
    std::uint64_t structural_hash() const;
    bool same_structure(const AnyOp& other) const;
    /// Calls `word` for the structural attributes, one or more words each: two operations of one class have the same ones where,
    /// and only where, they have the same words.
    void structural_words(FunctionRef<void(std::uint64_t)> word) const;

private:
    struct Attributes {
        Atomic<std::uint32_t> owners{1};
        alignas(std::max_align_t) std::byte attributes[1];
    };

    /// Two scalars: the attributes of every pointwise operation. A copy of a size that is known costs next to nothing.
    static constexpr std::size_t kUsualBytes = 2 * sizeof(Scalar);

    explicit AnyOp(const OpClass& op_class) : class_(&op_class) {}
    bool is_inline() const { return class_->size <= kInlineBytes && class_->trivial; }
    void* allocate_block();
    /// Copies the attributes of `other`, whose class this has already.
    void share(const AnyOp& other) noexcept {
        if (class_->size == kUsualBytes && class_->trivial) {
            __builtin_memcpy(inline_, other.inline_, kUsualBytes);
        } else {
            share_others(other);
        }
    }
    void share_others(const AnyOp& other) noexcept;
    void release_block();

    const OpClass* class_;
    union {
        alignas(8) std::byte inline_[kInlineBytes];
        Attributes* block_;
    };
};

/// Writes "cumsum(axis=1)".
Message& operator<<(Message& message, const AnyOp& op);

}  // namespace burn::ops
