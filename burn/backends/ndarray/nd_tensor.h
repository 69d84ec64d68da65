#pragma once

#include <burn/base/memory.h>
#include <burn/core/layout.h>
#include <burn/ops/handle.h>

namespace burn::ndarray {

/// A strided view of a block of memory: the tensors of the NdArray backend.
///
/// Views share their block. A block may be written in place when its one owner was given away.
class NdTensor final : public ops::EngineTensor {
public:
    NdTensor(ops::Engine& engine, TensorSpec spec, Ref<Block> block, const Layout& layout)
        : EngineTensor(engine, spec), block_(std::move(block)), layout_(layout) {}

    static NdTensor& of(const ops::Handle& handle) { return *static_cast<NdTensor*>(handle.get()); }

    const Ref<Block>& block() const { return block_; }
    const Layout& layout() const { return layout_; }
    bool is_contiguous() const { return layout_.is_contiguous(); }

    /// The first element of the view.
    template <class T>
    T* data() const {
        return reinterpret_cast<T*>(block_->data()) + layout_.offset;
    }
    std::byte* bytes() const {
        return block_->data() + layout_.offset * static_cast<std::int64_t>(size_of(spec().dtype));
    }

private:
    Ref<Block> block_;
    Layout layout_;
};

}  // namespace burn::ndarray
