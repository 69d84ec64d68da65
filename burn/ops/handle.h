#pragma once

#include <burn/base/ref.h>
#include <burn/base/small_vector.h>
#include <burn/core/tensor_spec.h>

namespace burn::ops {

class Engine;

/// A tensor of some engine. Engines derive their own type, which adds what they need (a buffer, a graph node, a position in a
/// stream).
class EngineTensor : public Counted {
public:
    EngineTensor(Engine& engine, const TensorSpec& spec) : engine_(&engine), spec_(spec) {}

    Engine& engine() const { return *engine_; }
    const TensorSpec& spec() const { return spec_; }

private:
    Engine* engine_;
    TensorSpec spec_;
};

/// An owning reference to a tensor of some engine; what all run-time code works on.
///
/// Passing an rvalue gives the tensor away: an engine may then reuse its buffer in place if nobody else owns that.
class Handle {
public:
    Handle() = default;
    explicit Handle(Ref<EngineTensor> tensor) : tensor_(std::move(tensor)) {}

    explicit operator bool() const { return static_cast<bool>(tensor_); }

    /// Errors    ArgumentError when the handle is empty, here and in all that follows
    EngineTensor& tensor() const {
        if (!tensor_) [[unlikely]]
            raise_empty();
        return *tensor_;
    }
    Engine& engine() const { return tensor().engine(); }
    const TensorSpec& spec() const { return tensor().spec(); }
    const Shape& shape() const { return spec().shape; }
    DType dtype() const { return spec().dtype; }
    std::size_t rank() const { return spec().shape.rank(); }

    EngineTensor* get() const { return tensor_.get(); }
    /// Whether both name one and the same tensor.
    bool same(const Handle& other) const { return tensor_ == other.tensor_; }
    /// Whether this is the only handle of its tensor.
    bool unique() const { return tensor_ && tensor_->unique(); }
    /// Gives the reference away.
    Ref<EngineTensor> take() && { return std::move(tensor_); }

private:
    [[noreturn]] static void raise_empty();

    Ref<EngineTensor> tensor_;
};

using HandleList = SmallVector<Handle, 4>;

}  // namespace burn::ops
